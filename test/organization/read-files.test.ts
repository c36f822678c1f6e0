import { describe, expect, test } from 'vitest';
import { readFiles } from '../../src/organization/files/read-files.ts';
import { checkReferences } from '../../src/organization/files/references.ts';
import { filesOf } from '../../src/organization/files/write-files.ts';

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
      'teams/w.yaml:1:1: has unknown members: colour',
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
      'members.csv:1: column 2 is "rolle", and not one of email, role, sso, teams; did you mean "role"?',
    ],
    [
      'an unknown role',
      { 'members.csv': 'email,role\nada@lumen.example,boss\n' },
      'members.csv:2: role "boss" is not one of guest',
    ],
    [
      'an address twice',
      { 'members.csv': 'email,role\na@b.example,read\n\nA@b.example,read\n' },
      'members.csv:4: a@b.example is in line 2 already',
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
      'members.csv:2: ada@lumen.example is in the team "writers" by this row, but not by teams/writers.yaml',
    ],
    [
      'an unknown collection',
      { 'collections.yaml': 'collections: []\n', 'spaces/a/space.yaml': 'title: A\ncollection: products\n' },
      'spaces/a/space.yaml:2:13: there is no collection "products" in the files',
    ],
    [
      'a collection in two places',
      { 'collections.yaml': 'collections:\n  - name: a\n    collections:\n      - name: a\n' },
      'collections.yaml:4:15: space or collection "a" is there twice: see line 2',
    ],
    [
      'an order with what is elsewhere',
      { 'collections.yaml': 'order: [a]\ncollections:\n  - name: b\n', 'spaces/a/space.yaml': 'collection: b\n' },
      'collections.yaml:1:9: "a" is not at the top level, but in b: its own file says so',
    ],
    [
      'a section twice',
      {
        'sites/s.yaml':
          'structure:\n  - section: x\n    spaces: [{space: a}]\n  - section: x\n    spaces: [{space: a}]\n',
      },
      'sites/s.yaml:4:14: section of s "x" is there twice: see line 2',
    ],
    [
      'a space that is not in the files',
      { 'sites/s.yaml': 'structure:\n  - space: a\n', 'spaces/b/space.yaml': 'title: B\n' },
      'sites/s.yaml:2:12: there is no space "a" in the files',
    ],
    [
      'a variable that is not set',
      { 'teams/w.yaml': 'title: !env ${TEAM}\n' },
      'teams/w.yaml: the variable TEAM is not set',
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

    expect(problems).toHaveLength(5);
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
