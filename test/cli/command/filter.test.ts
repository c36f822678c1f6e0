import { describe, expect, test } from 'vitest';
import { conditionOf, parseComparison } from '../../../src/cli/command/filter/condition.ts';
import { contractFields } from '../../../src/cli/command/filter/field-type.ts';
import { momentOf } from '../../../src/cli/command/filter/moment.ts';
import { compareTexts, sortedBy, sortKeyOf } from '../../../src/cli/command/filter/order.ts';
import { operators, type Operator } from '../../../src/cli/command/filter/types.ts';
import { roles } from '../../../src/contract/access.ts';
import { fieldOf } from '../../../src/contract/fields.ts';
import { Member } from '../../../src/contract/members.ts';
import { Organization } from '../../../src/contract/orgs.ts';
import { Site } from '../../../src/contract/sites.ts';
import { Space } from '../../../src/contract/spaces.ts';
import fc, { anyText } from '../../support/property.ts';

const now = Date.parse('2026-06-15T12:00:00.000Z');
const dayMs = 86_400_000;
const fieldsBySchema = {
  member: contractFields(fieldOf(Member()), []),
  organization: contractFields(fieldOf(Organization()), []),
  site: contractFields(fieldOf(Site()), []),
  space: contractFields(fieldOf(Space()), []),
};
type Schema = keyof typeof fieldsBySchema;

const passes = (schema: Schema, source: string, item: unknown) =>
  conditionOf(source, fieldsBySchema[schema], now).matches(item);
const refusalOf = (schema: Schema, source: string) => {
  try {
    conditionOf(source, fieldsBySchema[schema], now);
  } catch (error) {
    return error;
  }
  throw new Error(`${source} was not refused.`);
};

const operator = fc.constantFrom(...operators);
const space = fc.constantFrom('', ' ', '  ');
/** What the operator says of two values that can be compared. */
const holds = (sign: Operator, difference: number) =>
  ({
    '=': difference === 0,
    '!=': difference !== 0,
    '<': difference < 0,
    '<=': difference <= 0,
    '>': difference > 0,
    '>=': difference >= 0,
    '~': false,
    '=~': false,
  })[sign];

describe('a condition', () => {
  test('is read back as it was written, whatever the text and the spaces around the operator', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('title', 'user.email', 'a-b.c_d'),
        operator,
        anyText(),
        space,
        space,
        (field, sign, value, before, after) => {
          const source = `${before}${field}${before}${sign}${after}${JSON.stringify(value)}${after}`;
          expect(parseComparison(source)).toEqual({ source, field, operator: sign, value, quoted: true });
        },
      ),
    );
  });

  test('needs no quotes for a text without signs at its start', () => {
    fc.assert(
      fc.property(operator, fc.stringMatching(/^[\w@(][\w @.,:=<>~!"-]{0,20}[\w)]$/), (sign, value) => {
        expect(parseComparison(`title${sign}${value}`)).toMatchObject({ operator: sign, value, quoted: false });
      }),
    );
  });

  test.for([
    ['title', 'there is no operator', 'Outside quotes, shells read < and > as redirections'],
    ['=x', 'there is no field', 'help filters'],
    ['a b=x', '"a b" is not the name of a field', 'help filters'],
    ['title=!x', '"=!" is not an operator', '= != < <= > >= ~ =~'],
    ['title=', 'there is no value after =', 'Perhaps a shell variable in it is not set.'],
    ['title="x', 'the double quotes around the value are not complete', '\\"'],
    ['titel=x', 'there is no field "titel"', 'Did you mean "title"? Fields: id, title,'],
    ['permissions=x', '"permissions" has no single value', 'permissions.view'],
    ['visibility=publik', '"publik" is not one of public, ', 'Did you mean "public"?'],
    ['visibility<public', 'visibility has no order', 'Use =, != or ~.'],
    ['comments=many', '"many" is not a number', undefined],
    ['permissions.view=yes', '"yes" is not true or false', undefined],
    ['permissions.view<true', 'permissions.view has no order', undefined],
    ['createdAt<yesterday', '"yesterday" is not a date', undefined],
    ['createdAt<2026-02-30', '"2026-02-30" is not a date', undefined],
    ['createdAt=90d', 'an age has no =', 'Use <'],
    ['parent<null', 'null can be compared with = and != only', undefined],
  ] as const)('%s is refused', ([source, problem, hint]) => {
    const error = refusalOf('space', source);
    expect(error).toMatchObject({ exitCode: 2, message: expect.stringContaining(`--filter '${source}': ${problem}`) });
    if (hint !== undefined) expect(error).toMatchObject({ hint: expect.stringContaining(hint) });
  });

  test('a last word leads to the path that ends with it', () => {
    expect(refusalOf('member', 'email~x')).toMatchObject({
      hint: expect.stringContaining('Did you mean "user.email"?'),
    });
  });
});

describe('every operator agrees with a plain comparison', () => {
  test('of numbers', () => {
    const number = fc.oneof(fc.integer({ min: -5, max: 5 }), fc.double({ noNaN: true, noDefaultInfinity: true }));
    fc.assert(
      fc.property(number, number, operator, (value, expected, sign) => {
        if (sign === '~' || sign === '=~') return;
        expect(passes('space', `comments${sign}${expected}`, { comments: value })).toBe(holds(sign, value - expected));
      }),
    );
  });

  test('of texts: equality is exact, order and containment ignore case', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 4 }), anyText({ maxLength: 4 }), operator, (value, expected, sign) => {
        const result = passes('space', `title${sign}${JSON.stringify(expected)}`, { title: value });
        if (sign === '=~') return;
        if (sign === '~') expect(result).toBe(value.toLowerCase().includes(expected.toLowerCase()));
        else if (sign === '=' || sign === '!=') expect(result).toBe((value === expected) === (sign === '='));
        else expect(result).toBe(holds(sign, compareTexts(value, expected)));
      }),
    );
  });

  test('of booleans', () => {
    fc.assert(
      fc.property(fc.boolean(), fc.boolean(), fc.constantFrom('=' as const, '!=' as const), (value, expected, sign) => {
        expect(passes('member', `disabled${sign}${expected}`, { disabled: value })).toBe(
          (value === expected) === (sign === '='),
        );
      }),
    );
  });

  test('of roles, whose lowest is guest, that is null', () => {
    const role = fc.constantFrom(null, ...roles);
    const rank = (one: (typeof roles)[number] | null) => (one === null ? -1 : roles.indexOf(one));
    fc.assert(
      fc.property(role, role, operator, (value, expected, sign) => {
        const result = passes('member', `role${sign}${expected ?? 'guest'}`, { role: value });
        if (sign === '=~') return;
        if (sign === '~') expect(result).toBe((value ?? 'guest').includes(expected ?? 'guest'));
        else expect(result).toBe(holds(sign, rank(value) - rank(expected)));
      }),
    );
  });

  test('of times and days', () => {
    const time = fc.integer({ min: now - 3 * dayMs, max: now + 3 * dayMs });
    fc.assert(
      fc.property(time, time, operator, (value, expected, sign) => {
        if (sign === '~' || sign === '=~') return;
        const item = { createdAt: new Date(value).toISOString() };
        const iso = new Date(expected).toISOString();
        expect(passes('space', `createdAt${sign}${iso}`, item)).toBe(holds(sign, value - expected));
        const days = Math.floor(value / dayMs) - Math.floor(expected / dayMs);
        expect(passes('space', `createdAt${sign}${iso.slice(0, 10)}`, item)).toBe(holds(sign, days));
      }),
    );
  });

  test('of ages: a smaller date is longer ago', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 100 }), (days, limit) => {
        const item = { createdAt: new Date(now - days * dayMs).toISOString() };
        expect(passes('space', `createdAt<${limit}d`, item)).toBe(days > limit);
        expect(passes('space', `createdAt<=${limit}d`, item)).toBe(days >= limit);
        expect(passes('space', `createdAt>${limit}d`, item)).toBe(days < limit);
        expect(passes('space', `createdAt>=${limit}d`, item)).toBe(days <= limit);
      }),
    );
  });

  test('of lists: one of the items is enough, and != is the opposite of =', () => {
    const domain = fc.constantFrom('a.example', 'b.example', 'c.example');
    fc.assert(
      fc.property(fc.array(domain), domain, (emailDomains, expected) => {
        expect(passes('organization', `emailDomains=${expected}`, { emailDomains })).toBe(
          emailDomains.includes(expected),
        );
        expect(passes('organization', `emailDomains!=${expected}`, { emailDomains })).toBe(
          !emailDomains.includes(expected),
        );
        expect(passes('organization', `emailDomains~${expected.slice(0, 3)}`, { emailDomains })).toBe(
          emailDomains.includes(expected),
        );
      }),
    );
  });
});

describe('a field without a value', () => {
  test.for([
    ['parent=null', {}, true],
    ['parent!=null', {}, false],
    ['parent=null', { parent: 'x' }, false],
    ['parent!=x', {}, true],
    ['parent=x', {}, false],
    ['deletedAt<90d', {}, false],
    ['deletedAt>90d', {}, false],
    ['gitSync=null', {}, true],
    ['gitSync.repoName=null', {}, true],
    ['gitSync!=null', { gitSync: { repoName: 'x' } }, true],
    ['defaultLevel=none', { defaultLevel: null }, true],
    ['defaultLevel=null', { defaultLevel: null }, true],
    ['defaultLevel<read', { defaultLevel: null }, true],
    // A title always exists: this one is a text.
    ['title=null', { title: 'null' }, true],
    ['parent="null"', { parent: 'null' }, true],
    ['parent="null"', {}, false],
    ['parent~nul', {}, false],
  ] as const)('%s of %j: %j', ([source, item, expected]) => {
    expect(passes('space', source, item)).toBe(expected);
  });

  test('is an empty list', () => {
    expect(passes('organization', 'emailDomains=null', { emailDomains: [] })).toBe(true);
    expect(passes('organization', 'emailDomains!=null', { emailDomains: ['a.example'] })).toBe(true);
  });

  test('is a role that is missing, which is no guest', () => {
    expect(passes('organization', 'defaultRole=guest', {})).toBe(false);
    expect(passes('organization', 'defaultRole=null', {})).toBe(true);
    expect(passes('organization', 'defaultRole<read', {})).toBe(false);
  });
});

test('members of the items of a list can be named', () => {
  const site = { features: [{ id: 'sites-ads' }, { id: 'sites-sections' }] };
  expect(passes('site', 'features.id=sites-sections', site)).toBe(true);
  expect(passes('site', 'features.id=sites-redirects', site)).toBe(false);
  expect(passes('site', 'ads.status=pending', { ads: { status: 'pending' } })).toBe(true);
});

test.for([
  ['2026', '2026-01-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'],
  ['2026-12', '2026-12-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'],
  ['2024-02-29', '2024-02-29T00:00:00.000Z', '2024-03-01T00:00:00.000Z'],
  ['2026-03-31T14:05', '2026-03-31T14:05:00.000Z', '2026-03-31T14:06:00.000Z'],
  ['2026-03-31 14:05:06+02:00', '2026-03-31T12:05:06.000Z', '2026-03-31T12:05:07.000Z'],
  ['2026-03-31T14:05:06.123456Z', '2026-03-31T14:05:06.123Z', '2026-03-31T14:05:06.124Z'],
  ['0001-01-01', '0001-01-01T00:00:00.000Z', '0001-01-02T00:00:00.000Z'],
])('%s means all of that time', ([text, start, end]) => {
  expect(momentOf(text!, now)).toEqual({ start: Date.parse(start!), end: Date.parse(end!), isAge: false });
});

test.for(['2026-13', '2026-02-30', '2026-1-1', '2026-01-01T24:00', '2026-01-01T10', '90', '90y', 'd', '1e3d'])(
  '%s is no time',
  (text) => {
    expect(momentOf(text, now)).toBeUndefined();
  },
);

describe('a sort', () => {
  const sorted = <Item>(source: string[], items: Item[], schema: Schema = 'member') =>
    sortedBy(
      source.map((one) => sortKeyOf(one, fieldsBySchema[schema])),
      items,
    );

  test('puts what has no value last in both directions', () => {
    const seen = { lastSeenAt: '2026-01-01T00:00:00.000Z' };
    const later = { lastSeenAt: '2026-02-01T00:00:00.000Z' };
    expect(sorted(['lastSeenAt'], [{}, later, seen])).toEqual([seen, later, {}]);
    expect(sorted(['lastSeenAt:desc'], [{}, seen, later])).toEqual([later, seen, {}]);
  });

  test('of roles is by rank, with guests below all', () => {
    const items = ['read', null, 'admin', 'comment', 'create'].map((role) => ({ role }));
    expect(sorted(['role'], items).map(({ role }) => role)).toEqual([null, 'read', 'comment', 'create', 'admin']);
    expect(sorted(['role:desc'], items).map(({ role }) => role)).toEqual(['admin', 'create', 'comment', 'read', null]);
  });

  test('of texts ignores case; the next field decides between equal ones, then the order of the list', () => {
    const items = [
      { title: 'b', comments: 1, id: '1' },
      { title: 'A', comments: 1, id: '2' },
      { title: 'a', comments: 0, id: '3' },
      { title: 'a', comments: 1, id: '4' },
    ];
    const order = (...keys: string[]) => sorted(keys, items, 'space').map(({ id }) => id);
    expect(order('title', 'comments')).toEqual(['3', '2', '4', '1']);
    expect(order('title', 'comments:desc')).toEqual(['2', '4', '3', '1']);
  });

  test.for([
    ['rol', 'there is no field "rol"'],
    ['role:up', '"up" is not asc or desc'],
    ['role:dsc', '"dsc" is not asc or desc'],
    ['user', '"user" has no single value'],
  ])('by %s is refused', ([source, problem]) => {
    expect(() => sortKeyOf(source!, fieldsBySchema.member)).toThrow(`--sort-by ${source}: ${problem}`);
  });

  test('by a field with several values is refused', () => {
    expect(() => sortKeyOf('emailDomains', fieldsBySchema.organization)).toThrow('"emailDomains" has several values');
  });
});
