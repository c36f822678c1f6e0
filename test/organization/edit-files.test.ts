import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { editFile } from '../../src/organization/files/edit-files.ts';
import { readYaml } from '../../src/shared/yaml.ts';
import fc from '../support/property.ts';

const edit = (before: string, after: unknown) => editFile('teams/a.yaml', before, stringify(after));

test('an edited file has the values of the export, whatever it had before', () => {
  const leaf = fc.oneof(fc.constantFrom('', 'a', 'true', '1', '# no', 'x: y', 'Zeile\nzwei'), fc.boolean(), fc.nat(3));
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(leaf, fc.array(tie('value'), { maxLength: 4 }), tie('object')),
    object: fc.dictionary(fc.constantFrom('name', 'title', 'a', 'b', '1'), tie('value'), { maxKeys: 4 }),
  }));
  const object = fc.dictionary(fc.constantFrom('title', 'members', 'list'), value, { maxKeys: 3 });
  fc.assert(
    fc.property(object, object, (before, after) => {
      const text = `# kept\n${stringify(before)}`;
      expect(readYaml(edit(text, after))).toEqual(JSON.parse(JSON.stringify(after)));
    }),
  );
});

test('comments and the order of keys and items stay', () => {
  const before = `# Top\nmembers: # who\n  b: owner\n  a: member # first\ntitle: Old\nlist:\n  # two\n  - { name: two, x: 1 }\n  - name: one\n`;
  const after = { title: 'New', members: { a: 'member', b: 'member', c: 'owner' }, list: [{ name: 'two', x: 2 }] };
  expect(edit(before, after)).toBe(
    `# Top\nmembers:\n  # who\n  b: member\n  a: member # first\n  c: owner\ntitle: New\nlist:\n  # two\n  - { name: two, x: 2 }\n`,
  );
});

test('a file in another form with the same values is left as it is', () => {
  expect(edit("{title:   'A'}", { title: 'A' })).toBe("{title:   'A'}");
});

test.each([
  ['aliases', `title: &a A\nlist: [${Array.from({ length: 300 }, () => '*a').join(', ')}]\n`],
  ['keys', Array.from({ length: 12_000 }, (_, index) => `k${index}: 1`).join('\n')],
  ['items', `list:\n${Array.from({ length: 30_000 }, (_, index) => `- ${index}`).join('\n')}`],
  ['variables', 'title: !env A\n'],
  ['nonsense', 'title: [}\n'],
])('a file with many or unreadable %s is replaced or edited without harm', (_, before) => {
  const after = { title: 'A', list: Array.from({ length: 900 }, (__, index) => `x${index}`) };
  expect(readYaml(edit(before, after))).toEqual(after);
});

test('members.csv keeps its columns and their order, and new people are last', () => {
  const before = 'role,email\nread,B@x.org\nedit,a@x.org\n';
  const after = 'email,role,sso,teams\na@x.org,read,false,\nb@x.org,read,true,t\nc@x.org,guest,false,\n';
  expect(editFile('members.csv', before, after)).toBe('role,email\nread,B@x.org\nread,a@x.org\nguest,c@x.org\n');
});

test('a file with only a header keeps its columns', () => {
  const after = 'email,role,sso,teams\na@x.org,read,false,\n';
  expect(editFile('members.csv', 'email,until,role\n', after)).toBe('email,until,role\na@x.org,,read\n');
});

test.each([
  ['invite-links.yaml', 'links', [{ role: 'read' }, { space: 'a', level: 'read' }, { role: 'edit' }]],
  ['translations.yaml', 'translations', [{ title: 'B' }, { title: 'A' }]],
  [
    'sites/a.yaml',
    'shareLinks',
    [
      { name: 'B', active: true },
      { name: 'A', active: true },
    ],
  ],
])('%s keeps the order of a list whose order means nothing', (path, key, list) => {
  const before = stringify({ [key]: list });

  expect(editFile(path, before, stringify({ [key]: list.toReversed() }))).toBe(before);
});
