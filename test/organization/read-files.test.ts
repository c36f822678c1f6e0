import { describe, expect, test } from 'vitest';
import { readFiles } from '../../src/organization/files/read-files.ts';
import { checkReferences } from '../../src/organization/files/references.ts';
import { filesOf, schemaFiles } from '../../src/organization/files/write-files.ts';

/** Problems as `file:line:column: message`. */
function problemsOf(files: Record<string, string>, folders: string[] = []): string[] {
  const read = readFiles(new Map(Object.entries(files)), {
    folders: new Set(folders),
    variable: (name) => (name === 'SET' ? 'x' : undefined),
  });
  return [...read.problems, ...checkReferences(read.organization, read.places)].map(
    ({ file, line, column, message }) =>
      [file, line, column].filter((each) => each !== undefined).join(':') + `: ${message}`,
  );
}

const members = 'email,role,sso,teams\nada@lumen.example,admin,false,writers\n';

describe('each mistake is named with its place', () => {
  test.each<[string, Record<string, string>, string]>([
    [
      'an unknown member',
      { 'teams/w.yaml': 'title: W\ncolour: red\n' },
      'teams/w.yaml:2:1: unknown key "colour"; there are title, members, moved',
    ],
    [
      'a value over its limit',
      { 'teams/w.yaml': `title: ${'x'.repeat(65)}\n` },
      'teams/w.yaml:1:8: title must be at most 64 characters',
    ],
    ['a missing member', { 'teams/w.yaml': 'members: {}\n' }, 'teams/w.yaml:1:1: title is required'],
    ['bad YAML', { 'organization.yaml': 'title: [\n' }, 'organization.yaml'],
    [
      'an unknown column',
      { 'members.csv': 'email,rolle\n' },
      'members.csv:1: unknown column "rolle"; did you mean "role"?',
    ],
    [
      'an unknown role',
      { 'members.csv': 'email,role\nada@lumen.example,boss\n' },
      'members.csv:2: role "boss" is not one of guest',
    ],
    [
      'an address twice',
      { 'members.csv': 'email,role\na@b.example,read\n\nA@b.example,read\n' },
      'members.csv:4: a@b.example is already in line 2',
    ],
    [
      'a member who is nowhere',
      {
        'members.csv': members.replace('writers', ''),
        'teams/writers.yaml': 'title: Writers\nmembers:\n  adda@lumen.example: owner\n',
      },
      'teams/writers.yaml:3:23: there is no member "adda@lumen.example" in the files; did you mean "ada@lumen.example"?',
    ],
    [
      'a team that the team does not know of',
      { 'members.csv': members, 'teams/writers.yaml': 'title: Writers\nmembers: {}\n' },
      'members.csv:2: the column "teams" has "writers" for ada@lumen.example, unlike teams/writers.yaml; teams/*.yaml decide who is in a team',
    ],
    [
      'an unknown collection',
      { 'collections.yaml': 'collections: []\n', 'spaces/a/space.yaml': 'title: A\ncollection: products\n' },
      'spaces/a/space.yaml:2:13: there is no collection "products" in the files',
    ],
    [
      'a collection in two places',
      { 'collections.yaml': 'collections:\n  - name: a\n    collections:\n      - name: a\n' },
      'collections.yaml:4:15: there is already a space or collection "a": see line 2',
    ],
    [
      'an order with what is elsewhere',
      { 'collections.yaml': 'order: [a]\ncollections:\n  - name: b\n', 'spaces/a/space.yaml': 'collection: b\n' },
      'collections.yaml:1:9: "a" is not at the top level; according to its own file, it is in b',
    ],
    [
      'a section twice',
      {
        'sites/s.yaml':
          'structure:\n  - section: x\n    spaces: [{space: a}]\n  - section: x\n    spaces: [{space: a}]\n',
      },
      'sites/s.yaml:4:14: there is already a section of s "x": see line 2',
    ],
    [
      'a space that is not in the files',
      { 'sites/s.yaml': 'structure:\n  - space: a\n', 'spaces/b/space.yaml': 'title: B\n' },
      'sites/s.yaml:2:12: there is no space "a" in the files',
    ],
    [
      'a variable that is not set',
      { 'teams/w.yaml': 'title: !env ${TEAM}\n' },
      'teams/w.yaml:1:13: the variable TEAM is not set',
    ],
    [
      'a variable that is not set, by its name alone',
      { 'teams/w.yaml': 'title: !env TEAM\n' },
      'teams/w.yaml:1:13: the variable TEAM is not set',
    ],
    [
      'an !env without a variable',
      { 'teams/w.yaml': 'title: !env "my title"\n' },
      'teams/w.yaml:1:13: !env takes the name of a variable, or a text that contains ${NAME}',
    ],
    [
      'a variable without braces beside others',
      { 'teams/w.yaml': 'title: !env "${SET} $SET"\n' },
      'teams/w.yaml:1:13: !env takes the name of a variable, or a text that contains ${NAME}',
    ],
    [
      'a variable whose name no variable can have',
      { 'teams/w.yaml': 'title: !env "${MY-TEAM}"\n' },
      'teams/w.yaml:1:13: !env takes the name of a variable, or a text that contains ${NAME}',
    ],
    [
      'the !env of nothing',
      { 'teams/w.yaml': 'title: !env\n' },
      'teams/w.yaml:1:12: !env takes the name of a variable, or a text that contains ${NAME}',
    ],
    [
      'the !env of a list',
      { 'teams/w.yaml': 'title: !env [SET]\n' },
      'teams/w.yaml:1:8: is not YAML: unknown sequence tag',
    ],
    ['the !env of a key', { 'teams/w.yaml': '!env SET: W\n' }, 'teams/w.yaml:1:1: is not YAML: '],
    ...(
      [
        ['collections.yaml', 'collections:\n  - name: !env SET\n', '2:16'],
        ['collections.yaml', 'order: [!env SET]\n', '1:14'],
        ['organization.yaml', 'customFields:\n  - name: !env SET\n    type: text\n', '2:16'],
        ['organization.yaml', 'defaultSite: !env SET\n', '1:19'],
        ['spaces/a/space.yaml', 'collection: !env SET\n', '1:18'],
        ['sso/a.yaml', 'label: A\ndefaultTeam: !env SET\n', '2:19'],
        ['sites/s.yaml', 'structure:\n  - space: !env SET\n', '2:17'],
        ['sites/s.yaml', 'structure:\n  - section: !env SET\n    spaces: [{space: a}]\n', '2:19'],
        ['translations.yaml', 'translations:\n  - title: !env SET\n', '2:17'],
        ['invite-links.yaml', 'links:\n  - space: !env SET\n    level: read\n', '2:17'],
      ] as const
    ).map(([file, text, place]): [string, Record<string, string>, string] => [
      `a variable for a name in ${file}: ${text.trim().split('\n').at(-1)?.trim()}`,
      { [file]: text },
      `${file}:${place}: !env cannot be used for the name of an object`,
    ]),
    [
      'a variable in a specification',
      { 'openapi/a.yaml': 'openapi: 3.1.0\ninfo:\n  title: !env SET\n' },
      'openapi/a.yaml:3:15: !env cannot be used in a specification',
    ],
    [
      'an alias of itself',
      { 'collections.yaml': 'collections: &a\n  - name: x\n    collections: *a\n' },
      'collections.yaml: an alias contains itself',
    ],
    [
      'aliases of aliases',
      {
        'collections.yaml': `${Array.from(
          { length: 12 },
          (_, index) =>
            `a${index}: &a${index} [${
              index === 0
                ? '1'
                : Array(9)
                    .fill(`*a${index - 1}`)
                    .join(', ')
            }]`,
        ).join('\n')}\n`,
      },
      'collections.yaml: its aliases repeat too much',
    ],
  ])('%s', (_, files, problem) => {
    expect(problemsOf(files)).toContainEqual(expect.stringContaining(problem));
  });

  test('all at once', () => {
    const problems = problemsOf({
      'organization.yaml': 'title: L\nsso: maybe\n',
      'teams/w.yaml': 'titel: W\n',
      'members.csv': 'email,role\nada,admin\n',
    });

    expect(problems).toHaveLength(4);
  });
});

test('an unknown key in the file of a space is the only mistake, also if the space is in an order', () => {
  const problems = problemsOf({
    'collections.yaml': 'order: [a, b]\n',
    'spaces/a/space.yaml': 'title: A\ndefaultlevel: read\ncollection: null\n',
    'spaces/b/space.yaml': 'title: B\n',
  });

  expect(problems).toEqual(['spaces/a/space.yaml:2:1: unknown key "defaultlevel"; did you mean "defaultLevel"?']);
});

describe('an unknown key is one mistake, with its place and the nearest name:', () => {
  test.each<[string, string, string[]]>([
    ['teams/w.yaml', 'titel: W\n', ['1:1: unknown key "titel"; did you mean "title"?']],
    ['teams/w.yaml', 'titel: 5\n', ['1:1: unknown key "titel"; did you mean "title"?']],
    ['teams/w.yaml', 'title: W\n__proto__: 5\n', ['2:1: unknown key "__proto__"; there are title, members, moved']],
    ['organization.yaml', 'emailDomain: []\n', ['1:1: unknown key "emailDomain"; did you mean "emailDomains"?']],
    [
      'organization.yaml',
      'customFields:\n  - name: a\n    tpye: text\n',
      ['3:5: unknown key "customFields.0.tpye"; did you mean "type"?'],
    ],
    ['sso/a.yaml', 'label: A\nssoUrl: https://a.example\n', ['2:1: unknown key "ssoUrl"; did you mean "ssoURL"?']],
    [
      'collections.yaml',
      'collections:\n  - name: a\n    collections:\n      - nmae: b\n',
      ['4:9: unknown key "collections.0.collections.0.nmae"; did you mean "name"?'],
    ],
    ['spaces/a/space.yaml', 'defaultlevel: read\n', ['1:1: unknown key "defaultlevel"; did you mean "defaultLevel"?']],
    [
      'sites/s.yaml',
      'structure:\n  - sectoin: a\n    spaces: [{space: x, pathh: y}]\n',
      [
        '2:5: unknown key "structure.0.sectoin"; did you mean "section"?',
        '3:25: unknown key "structure.0.spaces.0.pathh"; did you mean "path"?',
      ],
    ],
    [
      'sites/s.yaml',
      'shareLinks:\n  - nam: a\n    active: true\n',
      ['2:5: unknown key "shareLinks.0.nam"; did you mean "name"?'],
    ],
    [
      'sites/s.yaml',
      'adaptiveSchema:\n  type: object\n  properties:\n    plan: {type: string, descripton: Plan}\n  additionalProperties: false\n',
      ['4:26: unknown key "adaptiveSchema.properties.plan.descripton"; did you mean "description"?'],
    ],
    [
      'translations.yaml',
      'translations:\n  - title: A\n    language: [en]\n',
      ['3:5: unknown key "translations.0.language"; did you mean "languages"?'],
    ],
    [
      'invite-links.yaml',
      'links:\n  - space: a\n    levle: read\n',
      ['3:5: unknown key "links.0.levle"; did you mean "level"?'],
    ],
  ])('%s %j', (file, text, expected) => {
    expect(problemsOf({ [file]: text }).filter((problem) => !problem.includes('there is no space'))).toEqual(
      expected.map((each) => `${file}:${each}`),
    );
  });
});

describe('the JSON Schemas of the files', () => {
  /** Parts that take members of any name, and the schema of their values. */
  const free = ['team: members', 'space: customFields', 'site: adaptiveSchema/properties', 'site: properties'];

  test.each([...schemaFiles()])('%s: no part takes anything', (path, text) => {
    const name = path.replace(/^.*\/|\.json$/g, '');
    const open: string[] = [];
    const walk = (schema: unknown, at: string[]): void => {
      if (typeof schema !== 'object' || schema === null) return;
      if (Array.isArray(schema)) return void schema.forEach((each) => walk(each, at));
      const { properties = {}, additionalProperties, $defs = {}, ...others } = schema as Record<string, object>;
      const isObject = 'type' in schema && schema.type === 'object';
      if (isObject && (additionalProperties as unknown) !== false) {
        open.push(`${name}: ${at.join('/')}`);
        expect(Object.keys(additionalProperties ?? {}), `${name}: ${at.join('/')}`).not.toEqual([]);
      }
      for (const [key, each] of Object.entries(properties)) {
        expect(Object.keys(each), `${name}: ${[...at, key].join('/')}`).not.toEqual([]);
        walk(each, [...at, key]);
      }
      for (const each of Object.values($defs)) walk(each, []);
      walk(additionalProperties, at);
      for (const [key, each] of Object.entries(others)) if (key !== 'propertyNames') walk(each, at);
    };
    walk(JSON.parse(text), []);
    for (const part of open) expect(free).toContain(part);
  });
});

test('what is not there is not managed, and an empty folder means none', () => {
  const read = readFiles(new Map([['teams/w.yaml', 'title: W\n']]), { folders: new Set(['sites']) });

  expect(Object.keys(read.organization)).toEqual(['teams', 'sites']);
  expect(read.organization.sites?.size).toBe(0);
});

test('a variable has its value only where the file says so', () => {
  const files = new Map([['sso/id.yaml', 'label: ${LABEL}\ncertificate: !env ${CERT}\n']]);
  const read = readFiles(files, { variable: () => 'value' });

  expect(read.organization.sso?.get('id')).toMatchObject({ label: '${LABEL}', certificate: 'value' });
  expect([...read.secrets]).toEqual([['value', 'CERT']]);
});

test('what was written is read as it was', () => {
  const read = readFiles(
    new Map([
      ['organization.yaml', 'title: Lumen\ncustomFields:\n  - name: owner\n    type: text\n'],
      ['members.csv', members],
      ['teams/writers.yaml', 'title: "Writers: all"\nmembers:\n  ada@lumen.example: owner\n'],
      ['collections.yaml', 'order: [p]\ncollections:\n  - name: p\n    title: P\n    order: [a]\n'],
      ['spaces/a/space.yaml', 'title: "1"\nemoji: 📘\ncollection: p\ncustomFields:\n  owner: "no"\n'],
    ]),
  );

  expect(read.problems).toEqual([]);
  expect(readFiles(filesOf(read.organization)).organization).toEqual(read.organization);
});
