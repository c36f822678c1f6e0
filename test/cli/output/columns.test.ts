import { expect, test } from 'vitest';
import { createListOutput } from '../../../src/cli/output/index.ts';
import { labelOf } from '../../../src/cli/output/label.ts';
import { createCollector, listed, memberColumns, members, pipe, screen } from './support.ts';

test('columns can be chosen by any path', async () => {
  const items = [{ a: { b: [{ c: 'x' }] }, id: 1 }, { id: 2 }];
  expect(await listed(pipe({ columns: ['id', 'a.b.0.c'] }), [], items)).toBe('1\tx\n2\t\n');
  expect(await listed(screen(80, { columns: ['id', 'a.b.0.c'] }), [], items)).toBe('ID  A B 0 C\n1   x\n2\n');
});

test('a chosen column of the command keeps its kind and its computed value', async () => {
  const columns = [...memberColumns, { key: 'domain', value: (item: any) => item.user.email.split('@')[1] }];
  const options = pipe({ columns: ['role', 'domain'], format: 'csv' });
  expect(await listed(options, columns, members.slice(1, 2))).toBe('role,domain\nguest,lumen.example\n');
  expect(await listed({ ...options, format: 'json' }, columns, members.slice(1, 2))).toBe(
    '[{"role":null,"domain":"lumen.example"}]\n',
  );
});

test.each(['table', 'tsv', 'csv', 'json', 'jsonl', 'yaml', 'id'] as const)(
  'a column that no item has is wrong usage in %s, before anything is printed',
  async (format) => {
    const sink = createCollector();
    const output = createListOutput(pipe({ format, columns: ['user.emial'] }), memberColumns, sink);
    const error = await output.page(members).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ exitCode: 2 });
    expect((error as Error).message).toMatch(
      /"user\.emial"\. Did you mean user\.email\? There are: id, user\.displayName/,
    );
    await output.abort();
    expect(sink.writes).toEqual([]);
  },
);

test('a path may be missing where the contract knows it, or the list is empty', async () => {
  expect(await listed(pipe({ columns: ['id', 'resolvedAt'], contractPaths: ['resolvedAt'] }), [], [{ id: 1 }])).toBe(
    '1\t\n',
  );
  expect(await listed(pipe({ columns: ['whatever'] }), [], [])).toBe('');
});

test('an empty list of columns is wrong usage', async () => {
  await expect(listed(pipe({ columns: [' '] }), [], [{ id: 1 }])).rejects.toMatchObject({ exitCode: 2 });
});

test('chosen columns are not left out of a narrow table', async () => {
  const columns = ['id', 'user.displayName', 'lastSeenAt', 'teams'];
  const header = (await listed(screen(60, { columns }), memberColumns, members)).split('\n')[0];
  expect(header).toMatch(/ID +NAME +LAST SEEN +TEAMS/);
});

test('without columns of the command the members of the items are shown', async () => {
  expect(await listed(pipe({ format: 'csv' }), [], [{ object: 'x', id: 1, a: 'b' }])).toBe('id,a\n1,b\n');
  expect(await listed(pipe(), [], ['one', 'two'])).toBe('one\ntwo\n');
});

test.each([
  ['id', 'ID'],
  ['editMode', 'Edit mode'],
  ['user.displayName', 'User display name'],
  ['downloadURL', 'Download URL'],
  ['entityID', 'Entity ID'],
  ['ssoURL', 'SSO URL'],
  ['openAPISpec', 'OpenAPI spec'],
  ['urls.app', 'URLs app'],
  ['share_link-name', 'Share link name'],
])('%s is called "%s" by people', (path, label) => {
  expect(labelOf(path)).toBe(label);
});
