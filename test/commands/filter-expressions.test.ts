import { expect, test } from 'vitest';
import { sharedDemo } from '../support/shell.ts';

const { home } = await sharedDemo();

interface Member {
  id: string;
  role: string | null;
  lastSeenAt?: string;
  user: { email: string };
}

const members = async (...flags: string[]): Promise<Member[]> => {
  const run = await home.run(['members', 'list', '-o', 'json', ...flags]);
  expect(run.exitCode, run.stderr).toBe(0);
  return run.json;
};
const ids = async (...flags: string[]) => (await members(...flags)).map(({ id }) => id).toSorted();

test('comparisons are combined with and, or, not and parentheses', async () => {
  const all = await members();
  const old = Date.now() - 90 * 86_400_000;
  const isIdle = ({ lastSeenAt }: Member) => lastSeenAt === undefined || Date.parse(lastSeenAt) < old;
  const expected = (passes: (member: Member) => boolean) =>
    all
      .filter(passes)
      .map(({ id }) => id)
      .toSorted();
  const isGuest = ({ role }: Member) => role === null;

  expect(await ids('--filter', 'role=guest and (lastSeenAt<90d or lastSeenAt=never)')).toEqual(
    expected((member) => isGuest(member) && isIdle(member)),
  );
  expect(await ids('--filter', 'not role=guest')).toEqual(expected((member) => !isGuest(member)));
  expect(await ids('--filter', 'not (role=guest or role=read) and lastSeenAt!=never')).toEqual(
    expected(({ role, lastSeenAt }) => role !== null && role !== 'read' && lastSeenAt !== undefined),
  );
});

test('=~ matches a regular expression', async () => {
  expect(await ids('--filter', 'user.email=~^person[12]@')).toEqual(['member000001', 'member000002']);
  const run = await home.run(['members', 'list', '--filter', 'user.email=~[']);
  expect(run).toMatchObject({ exitCode: 2 });
  expect(run.stderr).toContain('"[" is not a regular expression');
});

test('headers and short names of columns are names of fields', async () => {
  expect(await ids('--filter', 'email=person3@lumen.example')).toEqual(['member000003']);
  expect(await ids('--filter', 'Name=Amara Almeida', '--sort-by', 'last-seen', '--limit', '1')).toHaveLength(1);
  expect(await ids('--filter', 'Last seen=never')).toEqual(await ids('--filter', 'lastSeenAt=null'));
});

test.for([
  ['members list', 'email,role,Last seen'],
  ['teams members list writers00001', 'Name,email,role'],
])('--columns of %s takes %s', async ([command, columns]) => {
  const run = await home.run([...command!.split(' '), '--columns', columns!, '--limit', '1', '-o', 'csv']);

  expect(run.exitCode, run.stderr).toBe(0);
  const [, row = ''] = run.stdout.split('\n');
  expect(row).toContain('@');
  expect(row.split(',')).toHaveLength(3);
});

test.for([
  ['title=Research and development', 0],
  ['title="Research or not"', 0],
  ['(title=Writers', 2],
  ['title=Writers and (nonsense=1)', 2],
] as const)('a value may contain the words that combine comparisons: %s', async ([filter, exitCode]) => {
  expect(await home.run(['teams', 'list', '--filter', filter])).toMatchObject({ exitCode });
});
