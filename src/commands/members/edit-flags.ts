import type { Flag } from '../../cli/command/command.ts';

export const editFlags = [
  { flags: '--from <file>', description: 'read members and their roles from a CSV file; - for standard input' },
  { flags: '--result <file>', description: 'with --from: write the result of each row to a CSV file' },
] as const satisfies readonly Flag[];
