import type { Mutant } from '../model.ts';

const runOnCopy = 'src/commands/shared/run-on-copy.ts';
const runRehearse = 'src/commands/rehearse/run-rehearse.ts';
const checkLines = 'src/cli/lines/check-lines.ts';
const makeTwin = 'src/rehearsal/make-twin.ts';
const compare = 'src/rehearsal/compare.ts';

export const mutants: Mutant[] = [
  {
    name: 'a refused change ends with status 0',
    file: runRehearse,
    from: 'if (rehearsal.status !== exit.done) throw refusal(invocation, rehearsal);',
    to: '',
  },
  {
    name: 'the command runs on the service',
    file: runOnCopy,
    from: 'url: `embedded:${file}`',
    to: "url: 'embedded:unused'",
  },
  {
    name: 'the journal has what was rehearsed',
    file: runOnCopy,
    from: "DOCSCTL_JOURNAL: 'off'",
    to: "DOCSCTL_JOURNAL: 'on'",
  },
  {
    name: 'objects that the caller may not read do not exist',
    file: runOnCopy,
    from: 'if (hidden.length === 0) return rehearsal;',
    to: 'return rehearsal;',
  },
  {
    name: 'everybody is an administrator of the copy',
    file: makeTwin,
    from: 'await writeMembers(db, orgId, lists.members);',
    to: "await writeMembers(db, orgId, lists.members.map((each) => ({ ...each, role: 'admin' })));",
  },
  {
    name: 'what was granted is missing in the copy',
    file: makeTwin,
    from: 'await writeGrants(db, orgId, grants);',
    to: '',
  },
  {
    name: 'teams are missing in the copy',
    file: makeTwin,
    from: 'for (const team of teams) await writeTeam(db, orgId, team);',
    to: '',
  },
  {
    name: 'sites are missing in the copy',
    file: makeTwin,
    from: 'await copySites(reading, lists.sites, spaceIds);',
    to: '',
  },
  {
    name: 'deletions are not reported',
    file: compare,
    from: 'prune: true',
    to: 'prune: false',
    steps: '(delete|remove)$',
  },
  {
    name: 'changes are not reported',
    file: compare,
    from: '      ...changesBetween(before.orgId, old, now),\n',
    to: '',
  },
  {
    name: 'commands that write files are rehearsed',
    file: checkLines,
    from: '  if (!canRehearse(path, command) && !isRehearsed)',
    to: "  if (path === '')",
  },
  {
    name: 'the result file of a rehearsed command is written',
    file: checkLines,
    from: "['result', ...(writesFilesWith ?? [])]",
    to: '[...(writesFilesWith ?? [])]',
    steps: '--result',
  },
  {
    name: 'only administrators can rehearse, because the copies are compared as the caller',
    file: runOnCopy,
    from: 'const client = await session.clientFor(`embedded:${file}`, undefined, { user });',
    to: 'const client = await session.clientFor(`embedded:${file}`, undefined, {});',
  },
];
