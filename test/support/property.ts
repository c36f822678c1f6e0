import fc from 'fast-check';

/** One seed for every run, so that a build fails for what a change did. DOCSCTL_PROPERTY_SEED tries another. */
fc.configureGlobal({ seed: Number(process.env.DOCSCTL_PROPERTY_SEED ?? 20_260_301) });

export default fc;
