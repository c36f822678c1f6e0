import type { Flag } from '../../cli/command/command.ts';
import { ownerlessFlag } from '../shared/ownerless-flag.ts';
import { roleWords } from '../../people/roles.ts';

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

export const offboardFlags = [
  { flags: '--to <user>', description: 'member who takes over teams and change requests (ID or email address)' },
  {
    flags: '--from <file>',
    description: 'read members from a CSV file with the columns user and to; - for standard input',
  },
  ownerlessFlag,
  {
    flags: '--record <file>',
    description: 'record file of one member to write or continue (default: a new file here)',
  },
  { flags: '--records <folder>', description: 'folder of the records of several members (default: offboarding)' },
  { flags: '--result <file>', description: 'write the result of each member to a CSV file' },
] as const satisfies readonly Flag[];

export const restoreFlags = [
  { flags: '--record <file>', description: 'record of an offboarding (repeatable)', repeatable: 'verbatim' },
  { flags: '--level-links', description: 'create an invite link for each level that they had on a space' },
] as const satisfies readonly Flag[];
