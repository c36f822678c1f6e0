import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { permanentLines } from '../../../src/commands/shared/permanent.ts';
import { sharedDemo } from '../../support/shell.ts';

const { home } = await sharedDemo();

test('a plan and an apply list what cannot be undone, with the reasons', async () => {
  await home.run(['export', 'org']);
  const at = (path: string) => join(home.dir, 'org', ...path.split('/'));
  const members = await readFile(at('members.csv'), 'utf8');
  await writeFile(
    at('members.csv'),
    members.replace(/^person499@.*\n/m, '').replace('person498@lumen.example,edit', 'person498@lumen.example,read'),
  );
  await appendFile(at('spaces/handbook/content/glossary.md'), 'One more.\n');
  const long = 'x'.repeat(300_000);
  await writeFile(
    at('openapi/large.yaml'),
    `openapi: 3.1.0\ninfo: { title: Large, version: 1.0.0, description: ${long} }\npaths: {}\n`,
  );

  await appendFile(at('openapi/pumps.yaml'), 'x-more: 1\n');
  const fields = await readFile(at('organization.yaml'), 'utf8');
  await writeFile(at('organization.yaml'), fields.replace('      - operators\n', ''));

  const plan = await home.run(['plan', 'org', '--prune']);
  const apply = await home.run(['apply', 'org', '--prune']);

  const lines = [
    'Cannot be undone: member person499@lumen.example, because a removed member loses teams and levels',
    'Cannot be undone: content handbook, because a merge is permanent',
    'Cannot be undone: specification large, because it is too large for the journal.',
    'Cannot be undone: specification pumps, because published versions cannot be removed.',
    'Cannot be undone: custom field audience, because the service deletes the values with a removed option.',
  ];
  for (const run of [plan, apply]) for (const line of lines) expect(run.stderr).toContain(line);
  expect(plan.stderr).not.toContain('person498');
  expect(apply.exitCode).toBe(2);
});

test.each([
  [
    ['teams', 'delete', 'Design'],
    'Delete the team Design (design000001)? This cannot be undone: deleted objects are not kept',
  ],
  [
    ['openapi', 'delete', 'pumps'],
    'Delete the OpenAPI specification pumps with all its versions? This cannot be undone',
  ],
  [['sites', 'delete', 'Support intranet'], 'This cannot be undone: deleted objects are not kept'],
  [['members', 'offboard', 'person2@lumen.example'], 'This cannot be undone: a removed member loses'],
])('%s says what cannot be undone before it asks', async (words, text) => {
  const run = await home.run(words);

  expect([run.exitCode, run.stderr]).toEqual([2, expect.stringContaining(text)]);
});

test('a change that can be undone says nothing of it', async () => {
  const run = await home.run(['members', 'edit', 'person2@lumen.example', '--role', 'admin']);

  expect([run.exitCode, run.stderr]).toEqual([2, expect.not.stringContaining('undone')]);
});

test('what does not fit into the journal is named before anything is sent, and only that', () => {
  const body = { source: { text: 'x'.repeat(250_000) } };
  const names = Array.from({ length: 80 }, (_, index) => `s${index}`);
  const changes = names.map(
    (name) => ({ kind: 'specification', name, action: 'create', fields: [], file: '' }) as const,
  );
  const steps = names.map((name, index) => ({
    endpoint: 'openapi.put',
    params: { orgId: 'o', specSlug: name },
    body,
    changes: [index],
  }));
  const small = names.map((_, index) => ({ ...steps[index]!, endpoint: 'members.edit', body: { role: 'read' } }));

  const [line, ...others] = permanentLines({ changes, steps } as never);

  expect(line).toBe(
    'Cannot be undone: specification s68, specification s69, specification s70, specification s71, specification s72 and 7 more, because it is too large for the journal.',
  );
  expect(others).toEqual([]);
  expect(permanentLines({ changes, steps: Array.from({ length: 200 }, () => small).flat() } as never)).toEqual([]);
});
