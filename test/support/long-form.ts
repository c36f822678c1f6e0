/** Whether tests take large sizes and many rounds, as `npm run test:faults` does. */
export const isLong = process.env.DOCSCTL_LONG_TESTS === '1';

/** How many cases a property is tried with. `RUNS=5000` tries more. */
export const runs = (short: number, long: number): number => Number(process.env.RUNS ?? (isLong ? long : short));
