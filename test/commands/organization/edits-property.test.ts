import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { runs } from '../../support/long-form.ts';
import fc from '../../support/property.ts';
import { sharedDemo } from '../../support/shell.ts';

/* Random edits of all files at once: what is applied is exported as the files say, and nothing is left to do. */

const { demo } = await sharedDemo();

interface Edit {
  /** Which of `edits` it is, which object it is about, and which value it gives. */
  kind: number;
  object: number;
  value: number;
}

/** The files of a folder, as values. */
interface Files {
  [file: string]: any;
}

const sorts = ['alpha', 'beta', 'gamma', 'delta'] as const;
const levels = ['read', 'comment', 'edit', 'review', 'create', null] as const;
const at = <Item>(items: readonly Item[], index: number): Item => items[index % items.length]!;
const word = (value: number) => `${at(sorts, value)} ${value}`;
const under = (files: Files, folder: string, end = '.yaml') =>
  Object.keys(files).filter((file) => file.startsWith(`${folder}/`) && file.endsWith(end));
const nameOf = (file: string) => file.split('/')[1]!.replace(/\.yaml$/, '');

/** All collections with their parents; the first is the organization. */
function collectionsOf(files: Files): any[] {
  const all: any[] = [];
  const visit = (node: any) => {
    all.push(node);
    (node.collections ?? []).forEach(visit);
  };
  visit(files['collections.yaml']);
  return all;
}

const spacesOf = (files: Files) => under(files, 'spaces', '/space.yaml');
const isUsed = (files: Files, space: string) =>
  under(files, 'sites').some((file) => JSON.stringify(files[file].structure).includes(`"space":"${space}"`)) ||
  files['invite-links.yaml'].links.some((link: any) => link.space === space);

const row = (files: Files, email: string) => files['members.csv'].find((each: string[]) => each[0] === email);
/** Puts somebody into a team, or takes them out. */
function setTeam(files: Files, email: string, team: string, role: string | undefined): void {
  const { members = {} } = files[`teams/${team}.yaml`];
  const { [email]: _, ...others } = members;
  files[`teams/${team}.yaml`].members = role === undefined ? others : { ...others, [email]: role };
}

/** Each changes the files so that they still agree with each other. */
const edits: ((files: Files, object: number, value: number) => void)[] = [
  ({ 'organization.yaml': organization }, _, value) => Object.assign(organization, { title: `Org ${word(value)}` }),
  ({ 'organization.yaml': organization }, object, value) =>
    Object.assign(organization, at([{ inviteLinks: value % 2 === 0 }, { defaultRole: at(levels, value) }], object)),
  (files, object) => {
    files['organization.yaml'].defaultSite = at([null, ...under(files, 'sites').map(nameOf)], object);
  },
  ({ 'organization.yaml': { customFields } }, object, value) =>
    Object.assign(at<any>(customFields, object), { title: word(value), description: word(value + 1) }),
  ({ 'organization.yaml': { customFields } }, _, value) => {
    const name = `field${value}`;
    if (customFields.some((field: any) => field.name === name)) return;
    customFields.push({ name, type: 'text', title: word(value), description: '', placeholder: '' });
  },
  (files, object) => {
    const { customFields } = files['organization.yaml'];
    if (customFields.length < 2) return;
    const [{ name }] = customFields.splice(object % customFields.length, 1);
    for (const file of spacesOf(files)) delete files[file].customFields?.[name];
  },
  (files, object, value) => {
    const people = files['members.csv'].filter(([email]: string[]) => email !== 'admin@localhost');
    at<string[]>(people, object)[1] = at(['read', 'comment', 'edit', 'review', 'create', 'admin'], value);
  },
  (files, _, value) => {
    const email = `new${value}@lumen.example`;
    if (!row(files, email)) files['members.csv'].push([email, 'read', 'false']);
  },
  (files, object) => {
    const people = files['members.csv'].filter(([, role]: string[]) => role !== 'admin');
    const [email] = at<string[]>(people, object);
    for (const file of under(files, 'teams'))
      if (files[file].members?.[email!]) setTeam(files, email!, nameOf(file), undefined);
    files['members.csv'] = files['members.csv'].filter((each: string[]) => each[0] !== email);
  },
  (files, object, value) => {
    const person = at<string[]>(files['members.csv'], value);
    setTeam(files, person[0]!, nameOf(at(under(files, 'teams'), object)), at(['owner', 'member', undefined], value));
  },
  (files, object, value) => Object.assign(files[at(under(files, 'teams'), object)], { title: `Team ${word(value)}` }),
  (files, _, value) => {
    files[`teams/team-${value}.yaml`] ??= { title: `New team ${value}`, members: {} };
  },
  (files, object) => {
    const file = at(under(files, 'teams'), object);
    const isDefault = under(files, 'sso').some((provider) => files[provider].defaultTeam === nameOf(file));
    if (isDefault || under(files, 'teams').length < 3) return;
    for (const email of Object.keys(files[file].members ?? {})) setTeam(files, email, nameOf(file), undefined);
    delete files[file];
  },
  (files, object, value) => {
    const teams = under(files, 'teams').map(nameOf);
    const provider = at(under(files, 'sso'), object);
    Object.assign(files[provider], {
      label: `SSO ${word(value)}`,
      defaultTeam: at(teams, value),
      defaultRole: at(levels, value),
    });
  },
  (files, object, value) => {
    const [, ...collections] = collectionsOf(files);
    Object.assign(at<any>(collections, object), {
      title: `C ${word(value)}`,
      description: word(value),
      defaultLevel: at(levels.slice(0, 3), value),
    });
  },
  (files, object, value) => {
    const name = `collection-${value}`;
    const all = collectionsOf(files);
    if (all.some((each) => each.name === name)) return;
    const parent = at(all, object);
    parent.collections = [
      ...(parent.collections ?? []),
      { name, title: `Col ${value}`, description: '', defaultLevel: 'read', order: [], collections: [] },
    ];
    parent.order.splice(value % (parent.order.length + 1), 0, name);
  },
  (files, object, value) => {
    const file = at(spacesOf(files), object);
    const name = nameOf(file);
    const parent = at(collectionsOf(files), value);
    for (const { order } of collectionsOf(files)) if (order.includes(name)) order.splice(order.indexOf(name), 1);
    parent.order.splice(value % (parent.order.length + 1), 0, name);
    files[file].collection = parent.name ?? null;
  },
  (files, object) => at(collectionsOf(files), object).order.reverse(),
  (files, object, value) =>
    Object.assign(files[at(spacesOf(files), object)], {
      title: `Space ${word(value)} ${object}`,
      emoji: at(['📘', '🧭', '🚀'], value),
      editMode: at(['live', 'locked'], value),
      defaultLevel: at(levels.slice(0, 3), value),
    }),
  (files, object, value) => {
    const field = files['organization.yaml'].customFields.find(({ type }: any) => type === 'text');
    const space = files[at(spacesOf(files), object)];
    if (field) space.customFields = { ...space.customFields, [field.name]: word(value) };
  },
  (files, object, value) => {
    const name = `space-${value}`;
    if (files[`spaces/${name}/space.yaml`]) return;
    const parent = at(collectionsOf(files), object);
    parent.order.push(name);
    files[`spaces/${name}/space.yaml`] = { title: `Space ${name}`, collection: parent.name ?? null };
    files[`spaces/${name}/content/README.md`] = `# New ${value}\n\nText.\n`;
  },
  (files, object) => {
    const unused = spacesOf(files).filter((file) => !isUsed(files, nameOf(file)));
    if (unused.length < 2) return;
    const name = nameOf(at(unused, object));
    for (const file of Object.keys(files)) if (file.startsWith(`spaces/${name}/`)) delete files[file];
    for (const { order } of collectionsOf(files)) if (order.includes(name)) order.splice(order.indexOf(name), 1);
  },
  (files, object, value) => {
    const pages = Object.keys(files).filter((file) => /\/content\/.*\.md$/.test(file) && !file.endsWith('SUMMARY.md'));
    files[at(pages, object)] += `\nLine ${word(value)}.\n`;
  },
  ({ 'translations.yaml': file }, object, value) => {
    if (value % 3 === 0) file.translations.splice(object % file.translations.length || 1, 1);
    else if (!file.translations.some(({ title }: any) => title === `T ${value}`))
      file.translations.push({ title: `T ${value}`, languages: at([['en'], ['fr', 'de'], ['ja']], object) });
  },
  (files, object, value) => {
    const { links } = files['invite-links.yaml'];
    const space = nameOf(at(spacesOf(files), object));
    const link = links.find((each: any) => each.space === space);
    if (link) link.level = at(levels.slice(0, 3), value);
    else links.push({ space, level: at(levels.slice(0, 3), value) });
  },
  (files, object, value) => {
    const site = files[at(under(files, 'sites'), object)];
    site.title = `Site ${word(value)}`;
    if (site.customization?.styling) site.customization.styling.corners = at(['rounded', 'straight'], value);
  },
  (files, object, value) => {
    const file = at(under(files, 'openapi'), object);
    files[file] = files[file].replace(/version: .*/, `version: 3.${value}.${object}`);
  },
];

const isValue = (file: string) => file.endsWith('.yaml') && !file.includes('/content/') && !file.startsWith('openapi/');
const isRead = (file: string) => /\.(?:yaml|csv|md)$/.test(file);

async function readFiles(folder: string): Promise<Files> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files: Files = {};
  for (const entry of entries.filter((each) => each.isFile())) {
    const file = join(entry.parentPath, entry.name).slice(folder.length + 1);
    if (!isRead(file)) continue;
    const text = await readFile(join(folder, file), 'utf8');
    files[file] =
      file === 'members.csv'
        ? text
            .trim()
            .split('\n')
            .slice(1)
            .map((line) => line.split(','))
        : isValue(file)
          ? parse(text)
          : text;
  }
  return files;
}

async function writeFiles(folder: string, files: Files): Promise<void> {
  for (const file of Object.keys(await readFiles(folder))) if (!(file in files)) await rm(join(folder, file));
  for (const [file, value] of Object.entries(files)) {
    const text =
      file === 'members.csv'
        ? `email,role,sso\n${value.map((each: string[]) => `${each.join(',')}\n`).join('')}`
        : isValue(file)
          ? stringify(value)
          : value;
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), text);
  }
}

const byName = (items: any[]) => items.toSorted((one, other) => (one.name < other.name ? -1 : 1));

/** The service does not tell where collections without spaces stand: they count as last. */
function withEmptyLast(file: any): any {
  const nodes: Files[] = (file.collections ?? []).map(withEmptyLast);
  const isEmpty = (name: string) => nodes.some((node) => node.name === name && node.isEmpty);
  const order = [...file.order.filter((name: string) => !isEmpty(name)), ...file.order.filter(isEmpty).toSorted()];
  return { ...file, order, collections: byName(nodes), isEmpty: order.every(isEmpty) };
}

/** What is left open in a file has the service's default in the export, and the order of people is that of e-mails. */
function compared(files: Files, like: Files): Files {
  return Object.fromEntries(
    Object.entries(files).map(([file, value]) => {
      if (file === 'members.csv') return [file, value.toSorted()];
      if (file === 'organization.yaml') return [file, { ...value, customFields: byName(value.customFields) }];
      if (file === 'invite-links.yaml') return [file, value.links.map((link: any) => JSON.stringify(link)).toSorted()];
      if (file === 'collections.yaml') return [file, withEmptyLast(value)];
      const asked = like[file];
      if (!isValue(file) || asked === undefined) return [file, value];
      return [file, Object.fromEntries(Object.entries(value).filter(([name]) => name in asked))];
    }),
  );
}

test('random edits of all files, applied and exported, are as the files say', { timeout: 1_200_000 }, async () => {
  const edit = fc.record({ kind: fc.nat(edits.length - 1), object: fc.nat(30), value: fc.nat(12) });
  const property = fc.asyncProperty(fc.array(edit, { minLength: 3, maxLength: 12 }), async (chosen: Edit[]) => {
    const home = await demo.copy();
    try {
      const done = async (...words: string[]) => {
        const run = await home.run(words);
        expect(run.exitCode, `${words.join(' ')}: ${run.stderr}`).toBe(0);
        return run;
      };
      await done('export', 'o');
      const folder = join(home.dir, 'o');
      const files = await readFiles(folder);
      for (const { kind, object, value } of chosen) edits[kind]!(files, object, value);
      await writeFiles(folder, files);

      await done('apply', 'o', '--yes', '--prune', '--max-removals', '100%');
      const plan = await done('plan', 'o', '--prune');
      expect(plan.stdout).toBe('');
      await done('export', 'o');
      const exported = await readFiles(folder);
      expect(compared(exported, files)).toEqual(compared(files, files));
    } finally {
      await home.remove();
    }
  });
  await fc.assert(property, { numRuns: runs(3, 40) });
});
