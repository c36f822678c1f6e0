import type { Flag } from '../../cli/command/command.ts';
import { roleWords } from '../shared/roles.ts';

export const editFlags = [
  { flags: '--from <file>', description: 'read members and their roles from a CSV file; - for standard input' },
  { flags: '--result <file>', description: 'write the result of each member to a CSV file' },
] as const satisfies readonly Flag[];

export const syncFlags = [
  {
    flags: '--remove-missing',
    description: 'also remove members who are not in the file, and team members who are not in their rows',
  },
  { flags: '--create-teams', description: 'create missing teams' },
  {
    flags: '--role <role>',
    description: "role of new members without one (default: the organization's default role)",
    choices: roleWords,
  },
  {
    flags: '--max-removals <share>',
    description: 'number of members that may be removed, such as 10% or 20 (default: 10%)',
  },
  { flags: '--without-self', description: 'allow removing or lowering yourself or all other administrators' },
  { flags: '--result <file>', description: 'write the result of each row to a CSV file' },
] as const satisfies readonly Flag[];
