import type { Answer } from './instance.ts';

/** Status, reason and each issue of an error, as tests expect them. */
export const rejection = ({ status, error }: Answer): (string | number | undefined)[] => [
  status,
  error?.reason,
  ...(error?.details ?? []).map((issue) => `${issue.path} ${issue.rule}`),
];
