import { describe, expect, test } from 'vitest';
import { command } from '../../../src/cli/command/define.ts';
import { roles, type RoleName } from '../../../src/contract/access.ts';
import { changeRequests } from '../../../src/contract/change-requests.ts';
import { members } from '../../../src/contract/members.ts';
import fc from '../../support/property.ts';
import { runCommand, scriptedTransport } from './support.ts';

interface Person {
  id: string;
  role: RoleName | null;
  joinedAt: string;
  lastSeenAt?: string | undefined;
  disabled: boolean;
}

const day = (number: number) => new Date(Date.UTC(2026, 0, 1 + number)).toISOString();

const people: fc.Arbitrary<Person[]> = fc
  .array(
    fc.record({
      role: fc.constantFrom(null, ...roles),
      joined: fc.nat(20),
      seen: fc.option(fc.nat(20), { nil: undefined }),
      disabled: fc.boolean(),
    }),
    { maxLength: 40, size: 'max' },
  )
  .map((all) =>
    all.map(({ role, joined, seen, disabled }, index) => ({
      id: `member${String(index).padStart(3, '0')}`,
      role,
      joinedAt: day(joined),
      ...(seen === undefined ? {} : { lastSeenAt: day(seen) }),
      disabled,
    })),
  );

/** A service with these members, which filters, sorts and pages as the API description says. */
function serviceOf(all: readonly Person[]) {
  return scriptedTransport(({ searchParams }) => {
    const { role, order, sort, page, limit } = Object.fromEntries(searchParams);
    const isSeen = ({ lastSeenAt, disabled }: Person) => lastSeenAt !== undefined && !disabled;
    const field = sort === 'lastSeenAt' ? 'lastSeenAt' : 'joinedAt';
    const sign = order === 'asc' ? 1 : -1;
    const items = all
      .filter((person) => role === undefined || (person.role ?? 'guest') === role)
      .filter((person) => field === 'joinedAt' || isSeen(person))
      .toSorted((a, b) => sign * ((a[field] ?? '').localeCompare(b[field] ?? '') || a.id.localeCompare(b.id)));
    const start = Number(page ?? 0);
    const end = start + Number(limit ?? 50);
    const next = end < items.length && Number(limit) > 0 ? { next: { page: String(end) } } : {};
    return { body: { ...next, count: items.length, items: items.slice(start, end) } };
  });
}

const list = command({ use: 'list', endpoint: members.list });
const idsOf = async (all: readonly Person[], ...words: string[]) => {
  const { status, out, err } = await runCommand(
    list,
    ['list', '--org', 'o', '-o', 'id', ...words],
    serviceOf(all).transport,
  );
  expect({ status, err }).toEqual({ status: 0, err: '' });
  return out.split('\n').filter(Boolean);
};
const newestFirst = (all: readonly Person[]) =>
  all.toSorted((a, b) => b.joinedAt.localeCompare(a.joinedAt) || b.id.localeCompare(a.id));
const limits = fc.option(fc.nat(25), { nil: undefined });
const sizes = fc.integer({ min: 1, max: 4 });
const wordsOf = (limit: number | undefined, size: number) => [
  ...(limit === undefined ? [] : ['--limit', String(limit)]),
  '--page-size',
  String(size),
];

describe('a list of members', () => {
  test('with several roles has those of each, once, in the order of the list, up to the limit', async () => {
    const several = fc.array(fc.constantFrom('guest', ...roles), { minLength: 2, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(people, several, limits, sizes, async (all, chosen, limit, size) => {
        const expected = newestFirst(all).filter(({ role }) => chosen.includes(role ?? 'guest'));
        const flags = [...chosen.slice(1).flatMap((role) => ['--role', role]), `--role=${chosen[0]}`];
        const ids = expected.slice(0, limit).map(({ id }) => id);
        expect(await idsOf(all, ...flags, ...wordsOf(limit, size))).toEqual(ids);
        expect(await idsOf(all, '--role', chosen.join(','), ...wordsOf(limit, size))).toEqual(ids);
      }),
      { numRuns: 40 },
    );
  });

  test('with conditions has those for which all are true, up to the limit', async () => {
    await fc.assert(
      fc.asyncProperty(people, fc.constantFrom('guest', ...roles), limits, sizes, async (all, role, limit, size) => {
        const expected = newestFirst(all).filter((one) => (one.role ?? 'guest') === role && one.disabled);
        const conditions = ['--filter', `role=${role}`, '--filter', 'disabled = true'];
        expect(await idsOf(all, ...conditions, ...wordsOf(limit, size))).toEqual(
          expected.slice(0, limit).map(({ id }) => id),
        );
      }),
      { numRuns: 40 },
    );
  });

  test('is sorted by a field with everybody in it, also by one for which the service leaves people out', async () => {
    const field = fc.constantFrom('joinedAt' as const, 'lastSeenAt' as const);
    await fc.assert(
      fc.asyncProperty(people, field, fc.boolean(), limits, sizes, async (all, key, descending, limit, size) => {
        const ids = await idsOf(all, '--sort-by', `${key}${descending ? ':desc' : ''}`, ...wordsOf(limit, size));
        const values = ids.map((id) => all.find((one) => one.id === id)?.[key]);
        const ordered = all
          .map((one) => one[key])
          .filter((time) => time !== undefined)
          .toSorted((a, b) => (descending ? -1 : 1) * a.localeCompare(b));
        const expected = [...ordered, ...Array.from({ length: all.length - ordered.length }, () => undefined)];
        expect(values).toEqual(expected.slice(0, limit));
        expect(new Set(ids).size).toBe(ids.length);
      }),
      { numRuns: 40 },
    );
  });
});

const three: Person[] = [
  { id: 'a', role: 'admin', joinedAt: day(3), lastSeenAt: day(9), disabled: false },
  { id: 'b', role: null, joinedAt: day(2), disabled: false },
  { id: 'c', role: 'read', joinedAt: day(1), lastSeenAt: day(8), disabled: true },
];
const run = (words: string[], all = three) => {
  const service = serviceOf(all);
  return runCommand(list, ['list', '--org', 'o', ...words], service.transport).then((result) => ({
    ...result,
    queries: service.urls.map(({ search }) => search),
  }));
};

describe('the requests', () => {
  test('ask the service for what it can filter by itself', async () => {
    expect((await run(['--filter', 'role=guest'])).queries).toEqual(['?role=guest&limit=500']);
    expect((await run(['--filter', 'role=null'])).queries).toEqual(['?role=guest&limit=500']);
    expect((await run(['--filter', 'role!=admin'])).queries).toEqual(['?limit=500']);
  });

  test('ask the service for an order in which it leaves nobody out', async () => {
    expect((await run(['--sort-by', 'joinedAt', '--limit', '2'])).queries).toEqual([
      '?sort=joinedAt&order=asc&limit=2',
    ]);
    expect((await run(['--sort-by', 'lastSeenAt', '--limit', '2'])).queries).toEqual(['?limit=500']);
    expect((await run(['--sort-by', 'joinedAt,role', '--limit', '2'])).queries).toEqual(['?limit=500']);
  });

  test('are printed by a dry run, all of them', async () => {
    const { out, queries } = await run(['--role', 'admin,guest', '--dry-run']);
    expect(out).toBe(
      'GET embedded:test.db/v1/orgs/o/members?role=admin\nGET embedded:test.db/v1/orgs/o/members?role=guest\n',
    );
    // The organization that --org names is looked up.
    expect(queries).toEqual(['']);
  });

  test('end as soon as the limit is reached', async () => {
    const many = Array.from({ length: 100 }, (_, index): Person => ({ ...three[0]!, id: `m${index}` }));
    const { out, queries } = await run(
      ['--filter', 'disabled=false', '--limit', '3', '--page-size', '5', '-o', 'id'],
      many,
    );
    expect(out.split('\n')).toHaveLength(4);
    // One page is asked for ahead.
    expect(queries.length).toBeLessThanOrEqual(2);
  });

  test.for([
    [['--filter', 'rol=admin'], '--filter \'rol=admin\': there is no field "rol".'],
    [['--filter', 'role=boss'], '--filter \'role=boss\': "boss" is not one of admin, create,'],
    [['--sort-by', 'rol'], '--sort-by rol: there is no field "rol".'],
    [['--sort-by', ','], '--sort-by: there is no field.'],
    [['--sort-by', 'role', '--order', 'asc'], '--order and --sort-by cannot be combined.'],
    [['--sort-by', 'role', '--sort', 'joinedAt'], '--sort and --sort-by cannot be combined.'],
    [['--sort-by', 'role', '--page', '2'], '--page and --sort-by cannot be combined.'],
    [
      ['--role', 'admin', '--role', 'read', '--page', '2'],
      '--page and a filter with several values cannot be combined.',
    ],
    [['--role', ','], '--role is empty.'],
    [['--search', 'ada', '--search', 'bob'], '--search was given twice: "ada" and "bob".'],
  ] as const)('are not sent with %j', async ([words, message]) => {
    const { status, err, queries } = await run([...words]);
    expect(status).toBe(2);
    expect(err).toContain(`error: ${message}`);
    expect(queries).toEqual([]);
  });
});

describe('members that the service leaves out for its order', () => {
  test('are counted on standard error', async () => {
    const { out, err, queries } = await run(['--sort', 'lastSeenAt', '-o', 'id']);
    expect(out).toBe('a\n');
    expect(err).toBe(
      '2 members are skipped because they are disabled or were never seen. "--sort-by lastSeenAt:desc" lists everyone.\n',
    );
    expect(queries.at(-1)).toBe('?limit=0');
  });

  test('are not mentioned where there are none, and not with --quiet', async () => {
    expect((await run(['--sort', 'lastSeenAt'], three.slice(0, 1))).err).toBe('');
    expect((await run(['--sort', 'lastSeenAt', '--quiet'])).err).toBe('');
    expect((await run(['--sort', 'lastSeenAt', '--limit', '0'])).err).toBe('');
  });

  test('are counted with the other filters', async () => {
    const { err } = await run(['--sort', 'lastSeenAt', '--role', 'guest,read']);
    expect(err).toContain('2 members are skipped');
    expect((await run(['--sort', 'lastSeenAt', '--role', 'read'])).err).toContain('1 member is skipped');
  });
});

test('a filter for a status looks at requests in every state, although the list has only open ones by default', async () => {
  const requests = command({ use: 'list', endpoint: changeRequests.list });
  const all = ['draft', 'open', 'archived', 'merged'].map((status, index) => ({
    id: status,
    number: index + 1,
    status,
  }));
  const answer = ({ searchParams }: URL) => {
    const items = all.filter(({ status }) => status === (searchParams.get('status') ?? 'open')).toReversed();
    return { body: { count: items.length, items } };
  };
  const idsWith = async (...words: string[]) => {
    const line = ['list', '--space', 's', '-o', 'id', ...words];
    return (await runCommand(requests, line, scriptedTransport(answer).transport)).out.split('\n').filter(Boolean);
  };

  expect(await idsWith()).toEqual(['open']);
  expect(await idsWith('--filter', 'status=merged')).toEqual(['merged']);
  expect(await idsWith('--filter', 'status!=open')).toEqual(['merged', 'archived', 'draft']);
  expect(await idsWith('--status', 'all')).toEqual(['merged', 'archived', 'open', 'draft']);
  expect(await idsWith('--status', 'draft', '--status', 'open')).toEqual(['open', 'draft']);
  expect(await idsWith('--status', 'open', '--filter', 'status=draft')).toEqual([]);
});

test('an item that two filters let through is there once, in its place', async () => {
  const requests = command({ use: 'list', endpoint: changeRequests.list });
  const numbersOf: Record<string, number[]> = { ada: [9, 7, 5, 2], bob: [8, 7, 6, 5, 1] };
  const answer = ({ searchParams }: URL) => {
    const start = Number(searchParams.get('page') ?? 0);
    const numbers = numbersOf[searchParams.get('contributor') ?? ''] ?? [];
    const items = numbers.slice(start, start + 2).map((number) => ({ id: `cr${number}`, number, status: 'open' }));
    const next = start + 2 < numbers.length ? { next: { page: String(start + 2) } } : {};
    return { body: { ...next, count: numbers.length, items } };
  };
  const words = [
    'list',
    '--space',
    's',
    '--contributor',
    'ada',
    '--contributor',
    'bob',
    '--page-size',
    '2',
    '-o',
    'id',
  ];
  const { out } = await runCommand(requests, words, scriptedTransport(answer).transport);
  expect(out).toBe('cr9\ncr8\ncr7\ncr6\ncr5\ncr2\ncr1\n');
});
