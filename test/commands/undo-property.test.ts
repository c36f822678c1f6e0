import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runs } from '../support/long-form.ts';
import fc from '../support/property.ts';
import { serveHere, sharedDemo } from '../support/shell.ts';

const { home } = await sharedDemo();
const service = await serveHere(home.database);
afterAll(() => service.stop());
Object.assign(home.env, service.env, { DOCSCTL_SITE: 'lumensite001' });

async function done(...words: string[]): Promise<string> {
  const run = await home.run(words);
  expect(run.exitCode, `${words.join(' ')}: ${run.stderr}`).toBe(0);
  return run.stdout;
}

const people = ['member000001', 'member000391', 'member000321'];

/** The organization as files, and the roles of the members that commands change. */
async function exported(): Promise<Record<string, string>> {
  const parts = 'organization,teams,sso,collections,spaces,sites,translations,invite-links,openapi';
  await done('export', 'files', '--only', parts);
  const folder = join(home.dir, 'files');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name !== 'docsctl.lock.json');
  const texts = files.map(
    async ({ parentPath, name }) =>
      [join(parentPath, name).slice(folder.length), await readFile(join(parentPath, name), 'utf8')] as const,
  );
  const all = Object.fromEntries(await Promise.all(texts));
  for (const id of people) all[id] = await done('members', 'view', id, '--jq', '.role');
  await rm(folder, { recursive: true });
  return all;
}

const of = (...words: string[]) => fc.constantFrom(...words);
const line = (...words: (string | fc.Arbitrary<string>)[]) =>
  fc.tuple(...words.map((word) => (typeof word === 'string' ? fc.constant(word) : word)));

const space = of('handbook0001', 'quickstart01', 'apiguides001', 'releasenotes', 'playbook0001');
const collection = of('products0001', 'internal0001');
const neighbour = of('--before', '--after');
const title = of('Pumps', 'Valves and pumps', 'x y', 'Ünïcode 🚀');
const team = of('design000001', 'writers00001');
const person = of(...people);
const role = of('admin', 'create', 'edit', 'read', 'guest');
const level = of('admin', 'create', 'edit', 'read');
const section = of('guides000001', 'starthere001', 'reference001');
const siteSpace = of('sitespace001', 'sitespace002', 'sitespace003', 'sitespace004');

const commands = fc.oneof(
  line('orgs', 'edit', '--title', title, of('--ai', '--no-ai'), '--default-role', role),
  line('orgs', 'edit', '--logo', 'https://lumen.example/logo.png', '--email-domains', of('lumen.example', 'a.example')),
  line('members', 'edit', person, person, '--role', role),
  line('teams', 'edit', team, '--title', title),
  line('teams', 'create', '--title', title, '--members', person),
  line('teams', 'members', 'update', team, '--add', person, '--remove', of('member000002', 'member000008')),
  line('teams', 'members', 'set', team, person, '--role', of('owner', 'member')),
  line('collections', 'create', '--title', title, '--parent', collection),
  line('collections', 'edit', collection, '--title', title, '--description', title, '--default-level', level),
  line('collections', 'move', of('products0001', 'internal0001', 'archive00001'), '--root'),
  line('collections', 'move', of('products0001', 'archive00001'), neighbour, of('internal0001', 'handbook0001')),
  line('spaces', 'create', '--title', title, '--parent', collection),
  line('spaces', 'edit', space, '--title', title, '--emoji', '🚀', '--default-level', level),
  line('spaces', 'move', space, '--parent', collection),
  line('spaces', 'move', space, neighbour, of('products0001', 'internal0001')),
  line('spaces', 'move', space, space, '--root'),
  line('spaces', 'delete', of('playbook0001', 'releasenotes')),
  line('spaces', 'duplicate', space),
  line('fields', 'create', '--name', 'depth', '--type', 'number'),
  line('fields', 'edit', 'owner', '--title', title, '--description', title),
  line('fields', 'values', 'set', 'owner=Ada', of('reviewed=true', 'reviewed=false'), '--space', space),
  line('sso', 'providers', 'create', '--label', title),
  line('translations', 'create', '--title', title, '--languages', of('de', 'fr,de')),
  line('translations', 'edit', 'translate001', '--title', title, '--languages', of('de', 'fr,de')),
  line('invites', 'links', 'create', '--role', of('read', 'edit')),
  line('invites', 'links', 'edit', 'invite000001', '--role', of('comment', 'edit')),
  line('sites', 'create', '--title', title),
  line(
    'sites',
    'edit',
    '--title',
    title,
    '--visibility',
    of('unlisted', 'share-link'),
    '--proxy',
    'lumen.example/docs',
  ),
  line('sites', 'edit', '--default-site-section', section),
  line('sites', of('publish', 'unpublish'), of('lumensite001', 'intranet0001')),
  line('sites', 'sections', 'add', 'playbook0001', '--title', title),
  line('sites', 'sections', 'edit', section, '--title', title, '--icon', 'rocket', '--description', title),
  line('sites', 'sections', 'move', section, neighbour, section),
  line('sites', 'section-groups', 'create', '--title', title, '--sections', section),
  line('sites', 'section-groups', 'edit', 'learngroup01', '--title', title, '--icon', 'rocket'),
  line('sites', 'section-groups', 'add', 'learngroup01', 'reference001'),
  line('sites', 'section-groups', 'remove', 'learngroup01', of('guides000001', 'starthere001')),
  line('sites', 'section-groups', 'move', 'learngroup01', neighbour, 'reference001'),
  line('sites', 'spaces', 'add', 'playbook0001', '--section', section),
  line('sites', 'spaces', 'edit', siteSpace, '--path', of('here', 'there'), '--condition', 'visitor.claims.a == 1'),
  line('sites', 'spaces', 'move', siteSpace, neighbour, siteSpace),
  line('sites', 'share-links', 'create', '--name', title),
  line(
    'sites',
    'share-links',
    'edit',
    'sharelink001',
    '--name',
    title,
    of('--active', '--no-active'),
    '--site',
    'intranet0001',
  ),
  line('sites', 'customization', 'set', '--set', of('styling.theme=bold', 'header.links=[]', 'pdf.enabled=false')),
  line('openapi', 'create', 'valves', 'https://lumen.example/pumps.yaml'),
);

test('the undo of a command gives the export from before', { timeout: 600_000 }, async () => {
  const before = await exported();
  const tried = { done: 0, refused: 0 };

  await fc.assert(
    fc.asyncProperty(commands, async (words) => {
      const run = await home.run([...words, '--yes']);
      // The service refuses some of them, such as a space before itself; a part of a batch may be done all the same.
      tried[run.exitCode === 0 ? 'done' : 'refused'] += 1;
      if (run.exitCode !== 0 && run.exitCode !== 8) return;
      const undo = await home.run(['undo', '--yes']);
      expect(undo.exitCode, `${words.join(' ')}: ${undo.stderr}`).toBe(0);
      expect(await exported(), words.join(' ')).toEqual(before);
    }),
    { numRuns: runs(12, 400), endOnFailure: true },
  );
  expect(tried.done).toBeGreaterThan(tried.refused);
});
