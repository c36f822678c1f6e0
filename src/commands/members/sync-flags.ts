import type { Flag } from '../../cli/command/command.ts';
import { roleWords } from '../shared/roles.ts';

export const syncFlags = [
  {
    flags: '--remove-missing',
    description: 'also remove members whom the file does not have, and take people out of teams that their row lacks',
  },
  { flags: '--create-teams', description: 'make the teams that are not there' },
  {
    flags: '--role <role>',
    description: "role of new members without one (default: the organization's)",
    choices: roleWords,
  },
  {
    flags: '--max-removals <share>',
    description: 'how many members may be removed, as 10% or as a number (default: 10%)',
  },
  { flags: '--without-self', description: 'allow to remove or lower yourself, or all other administrators' },
  { flags: '--result <file>', description: 'write a CSV file with what became of each row' },
] as const satisfies readonly Flag[];
