import type { Answer } from './instance.ts';

/** Status, reason and each fault of an error: what a test says about a refusal. */
export const rejection = ({ status, error }: Answer): (string | number | undefined)[] => [
  status,
  error?.reason,
  ...(error?.details ?? []).map((fault) => `${fault.path} ${fault.rule}`),
];
