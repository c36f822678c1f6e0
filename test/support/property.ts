import fc from 'fast-check';

/** One seed for every run, so that a build fails for what a change did. DOCSCTL_PROPERTY_SEED tries another. */
fc.configureGlobal({ seed: Number(process.env.DOCSCTL_PROPERTY_SEED ?? 20_260_301) });

/**
 * Any text. As `fc.string({ unit: 'binary' })`, which takes a second to begin because it makes a table of all code points.
 */
export const anyText = (lengths: fc.ArrayConstraints = {}): fc.Arbitrary<string> => {
  const codePoint = fc.oneof(
    fc.nat(0x7f),
    fc.integer({ min: 0x80, max: 0xd7ff }),
    fc.integer({ min: 0xe000, max: 0x10ffff }),
  );
  return fc.array(codePoint, lengths).map((codes) => String.fromCodePoint(...codes));
};

export default fc;
