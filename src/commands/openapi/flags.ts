import type { Flag } from '../../cli/command/command.ts';
import type { FlagsOf, InvocationOf } from '../../cli/command/define.ts';
import { baselineFlags } from '../../cli/report/baseline.ts';
import { changesFormatFlag, findingFlags } from '../../cli/report/report.ts';
import { noCi } from '../shared/flags.ts';

/** The flags of all commands that read descriptions. */
const readFlags = [
  { flags: '--overlay <file>', description: 'apply this overlay first (repeatable)', repeatable: 'verbatim' },
  {
    flags: '--ref-root <folder>',
    description: 'folder outside the project that references may lead to (repeatable)',
    // Folder names may contain commas.
    repeatable: 'verbatim',
  },
  {
    flags: '--ref-host <host>',
    description: 'host in a private network that references may lead to (repeatable)',
    repeatable: true,
  },
] as const satisfies readonly Flag[];

export const publishFlags = [
  { flags: '--slug <slug>', description: 'name of the specification (default: derived from the title)' },
  {
    flags: '--wait [seconds]',
    description: 'wait until the service has processed it, for at most this long (default 120)',
  },
  { flags: '--existing', description: 'only update: refuse a slug that does not exist' },
  {
    flags: '--keep-going',
    description: 'publish the others if a description is refused or fails; the status is then 8',
  },
  { flags: '--result <file>', description: 'write the result of each description to a CSV file' },
  {
    flags: '--fail-on <what>',
    description: 'what to refuse with status 9 before anything is sent (default error)',
    choices: ['error', 'warning', 'breaking', 'none'],
    repeatable: true,
  },
  {
    flags: '--rebase',
    description: 'with --fail-on breaking: if somebody publishes at the same time, compare again and publish',
  },
  { flags: '--ignore <file>', description: 'with --fail-on breaking: allow the changes that this file accepts' },
  ...baselineFlags,
  {
    flags: '--force',
    description: 'send it even if it is already published; an unchanged document creates no new version',
  },
  ...readFlags,
  noCi,
] as const satisfies readonly Flag[];

export const validateFlags = [
  ...findingFlags,
  { flags: '--keep-going', description: 'continue if a description cannot be read; the status is then 8' },
  ...readFlags,
  noCi,
] as const satisfies readonly Flag[];

export const diffFlags = [
  {
    flags: '--fail-on <what>',
    description: 'exit with status 9 on breaking changes, also on warnings, or never (default breaking)',
    choices: ['breaking', 'warning', 'none'],
  },
  { flags: '--ignore <file>', description: 'skip the changes that this file accepts' },
  ...baselineFlags,
  changesFormatFlag,
  { flags: '--keep-going', description: 'continue if a comparison fails; the status is then 8' },
  ...readFlags,
  noCi,
] as const satisfies readonly Flag[];

export const checkFlags = [
  {
    flags: '--base <ref>',
    description: 'branch, tag or commit to merge into (default in CI: the target of the pull request)',
  },
  {
    flags: '--fail-on <what>',
    description: 'exit with status 9 on errors and breaking changes, on errors, also on warnings, or never',
    choices: ['breaking', 'error', 'warning', 'none'],
  },
  { flags: '--ignore <file>', description: 'allow the changes that this file accepts' },
  ...baselineFlags,
  changesFormatFlag,
  { flags: '--sarif <file>', description: 'also write a SARIF report to this file' },
  {
    flags: '--comment',
    description: 'comment on the pull or merge request, with GITHUB_TOKEN or GITLAB_TOKEN; later runs update it',
  },
  ...readFlags,
  noCi,
] as const satisfies readonly Flag[];

export type ReadFlags = FlagsOf<typeof readFlags>;
export type PublishInvocation = InvocationOf<'publish [source...]', typeof publishFlags>;
export type ValidateInvocation = InvocationOf<'validate [source...]', typeof validateFlags>;
export type DiffInvocation = InvocationOf<'diff [old] [new]', typeof diffFlags>;
export type CheckInvocation = InvocationOf<'check [files...]', typeof checkFlags>;
