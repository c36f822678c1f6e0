export const flags = [
  { flags: '--user <text>', description: 'only commands of the user with this text in the name, address or ID' },
  { flags: '--about <text>', description: 'only changes of an object with this text in the title, address or ID' },
  { flags: '--since <time>', description: 'only entries since a date (2026-03-31) or an age (7d, 12h)' },
  { flags: '--limit <number>', description: 'how many entries to print at most' },
] as const;

export interface HistoryFlags {
  user?: string | undefined;
  about?: string | undefined;
  since?: string | undefined;
}
