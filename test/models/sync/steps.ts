import fc from 'fast-check';
import type { Step } from '../model.ts';
import type { Run } from '../world/service.ts';
import { checkPulled, checkPushed, checkSpace, type Expected, Violation } from './expected.ts';
import { type CloneName, cloneNames, type SpacePage, type World } from './world.ts';
import { slots, wordsIn } from './words.ts';

type SyncStep = Step<Expected, World>;

const step = (text: string, run: (expected: Expected, world: World) => Promise<void>): SyncStep => ({
  check: () => true,
  async run(expected, world) {
    expected.last = text;
    expected.overrules = undefined;
    await run(expected, world);
  },
  toString: () => text,
});

const clone = fc.constantFrom(...cloneNames);
const place = fc.nat(3);
const slot = fc.constantFrom(...slots);
/** Most edits are committed at once. */
const commits = fc.integer({ min: 0, max: 4 }).map((number) => number > 0);

/** One of the files of a clone that are pages. */
function pick(world: World, name: string, index: number): [file: string, text: string] | undefined {
  const files = [...world.files(name)].filter(([, text]) => wordsIn(text));
  return files[index % Math.max(files.length, 1)];
}

const finish = async (world: World, name: string, isCommitted: boolean, message: string) => {
  if (isCommitted) await world.commit(name, message);
};

const edit = (name: CloneName, index: number, which: string, isCommitted: boolean) =>
  step(`${name} edits slot ${which} of file ${index}${isCommitted ? '' : ' without a commit'}`, async (_, world) => {
    const [file, text] = pick(world, name, index) ?? [];
    const page = text === undefined ? undefined : wordsIn(text);
    if (file === undefined || text === undefined || !page) return;
    const old = page.words.get(which) ?? '';
    const word = world.words.next(page.key + which, [old]);
    world.write(name, file, text.replace(`word ${old}.`, `word ${word}.`));
    await finish(world, name, isCommitted, 'Edit');
  });

const add = (name: CloneName) =>
  step(`${name} adds a page`, async (expected, world) => {
    const key = expected.newKey();
    world.write(name, `${key}.md`, world.newPage(key));
    world.editSummary(name, (text) => `${text.trimEnd()}\n* [Page ${key}](${key}.md)\n`);
    await world.commit(name, 'Add');
  });

const remove = (name: CloneName, index: number) =>
  step(`${name} deletes file ${index}`, async (expected, world) => {
    const [file, text] = pick(world, name, index) ?? [];
    const page = text === undefined ? undefined : wordsIn(text);
    if (file === undefined || !page || world.files(name).size < 2) return;
    expected.removed.add(page.key);
    world.remove(name, file);
    world.editSummary(name, (text) => text.replace(new RegExp(`^ *[*-] \\[.*\\]\\(${file}\\)\n`, 'm'), ''));
    await world.commit(name, 'Delete');
  });

const rename = (name: CloneName, index: number, isEdited: boolean) =>
  step(`${name} renames file ${index}${isEdited ? ' with an edit' : ''}`, async (_, world) => {
    const [file, text] = pick(world, name, index) ?? [];
    const page = text === undefined ? undefined : wordsIn(text);
    if (file === undefined || text === undefined || !page) return;
    const to = `${page.key}-${world.words.next('name').slice(4)}.md`;
    world.remove(name, file);
    world.editSummary(name, (summary) => summary.replace(`(${file})`, `(${to})`));
    const old = page.words.get('a') ?? '';
    const word = isEdited ? world.words.next(`${page.key}a`, [old]) : old;
    world.write(name, to, text.replace(`word ${old}.`, `word ${word}.`));
    await world.commit(name, 'Rename');
  });

const breakFile = (name: CloneName, index: number) =>
  step(`${name} saves file ${index} as Latin-1`, async (_, world) => {
    const [file, text] = pick(world, name, index) ?? [];
    if (file === undefined || text === undefined) return;
    world.write(name, file, Buffer.from(`${text}\u00e9\u00e8\n`, 'latin1'));
    await world.commit(name, 'Save');
  });

const synchronize = (name: CloneName) =>
  step(`${name} merges origin and pushes commits to it`, async (_, world) => {
    await world.git(name, 'fetch', '--quiet', 'origin');
    await world.git(name, 'stash', '--quiet');
    if ((await world.git(name, 'merge', '--quiet', '--no-edit', 'origin/main')) === undefined)
      await world.git(name, 'merge', '--abort');
    else await world.git(name, 'push', '--quiet', 'origin', 'HEAD:main');
    await world.git(name, 'stash', 'pop', '--quiet');
    // An edit that conflicts with a commit is given up.
    if ((await world.git(name, 'diff', '--check')) === undefined) await world.git(name, 'reset', '--hard', '--quiet');
  });

interface PushFlags {
  prefer?: 'app' | 'folder' | undefined;
  ifStale?: 'skip' | undefined;
  /** The connection breaks at this request, and the same command is run again. */
  cutAt?: number | undefined;
  /** Somebody edits in the app before this request. */
  editAt?: number | undefined;
  /** A CI job pushes the newest commit before this request. */
  jobAt?: number | undefined;
}

const textOfFlags = ({ prefer, ifStale, cutAt, editAt, jobAt }: PushFlags) =>
  [
    prefer && ` --prefer ${prefer}`,
    ifStale && ` --if-stale ${ifStale}`,
    cutAt !== undefined && `, cut at request ${cutAt} and run again`,
    editAt !== undefined && `, with an edit in the app before request ${editAt}`,
    jobAt !== undefined && `, with a CI job of the newest commit before request ${jobAt}`,
  ]
    .filter(Boolean)
    .join('');

const wordsOf = ({ prefer, ifStale }: PushFlags) => [
  ...(prefer ? ['--prefer', prefer] : []),
  ...(ifStale ? ['--if-stale', ifStale] : []),
];

/** The statuses that a push or pull may have: done, conflicts or an old checkout, files that cannot be read. */
function checkStatus({ status, stderr }: Run, expected: Expected, allowed = [0, 6, 8]): void {
  if (status === 2 && stderr.includes('contains no pages')) return;
  if (!allowed.includes(status)) throw new Violation(`status ${status} after: ${expected.last}\n${stderr}`);
}

async function runPush(expected: Expected, world: World, name: string, flags: PushFlags): Promise<void> {
  const { cutAt, editAt, jobAt } = flags;
  expected.overrules = flags.prefer;
  const words = ['push', '--merge', '--update', ...wordsOf(flags)];
  if (cutAt !== undefined) {
    await world.docsctl(name, [...words, '--retries', '0'], {
      fault: (_, index) => (index >= cutAt ? { lost: 'request' } : undefined),
    });
    await checkSpace(expected, world);
  }
  const before = async (_: unknown, index: number) => {
    if (index === editAt) await editInApp(expected, world, 0, 'b');
    if (index === jobAt) await runJob(expected, world);
  };
  const isDisturbed = editAt !== undefined || jobAt !== undefined;
  const run = await world.docsctl(name, words, isDisturbed ? { before } : {});
  checkStatus(run, expected);
  expected.isRefused = run.status !== 0;
  const pages = await checkSpace(expected, world);
  if (run.status === 0 && run.json.status !== 'stale' && !isDisturbed) checkPushed(expected, world, name, pages);
  if (run.status !== 0 || isDisturbed || world.words.next('x').length % 2 === 0) return;
  let writes = 0;
  const again = await world.docsctl(name, words, { before: ({ method }) => void (writes += Number(method !== 'GET')) });
  if (again.status !== 0 || writes > 0)
    throw new Violation(
      `a second push sent ${writes} changes (status ${again.status}): ${expected.last}\n${again.stderr}`,
    );
}

async function runJob(expected: Expected, world: World): Promise<void> {
  await world.checkOut('job', 'main');
  const { overrules, last } = expected;
  checkStatus(await world.docsctl('job', ['push', '--merge', '--update']), expected);
  Object.assign(expected, { overrules: undefined, last: `the CI job in: ${last}` });
  await checkSpace(expected, world);
  Object.assign(expected, { overrules, last });
}

const push = (name: CloneName, flags: PushFlags) =>
  step(`${name}: docsctl content push --merge${textOfFlags(flags)}`, (expected, world) =>
    runPush(expected, world, name, flags),
  );

const ciJob = (back: number, depth: number | undefined, flags: PushFlags) =>
  step(
    `a CI job of commit main~${back}${depth === undefined ? '' : ` with depth ${depth}`}: docsctl content push --merge${textOfFlags(flags)}`,
    async (expected, world) => {
      const commit = (await world.git('origin', 'rev-parse', `main~${back}`))?.trim();
      if (commit === undefined) return;
      await world.checkOut('ci', commit, depth);
      await runPush(expected, world, 'ci', flags);
    },
  );

async function runPull(
  expected: Expected,
  world: World,
  name: string,
  { prefer, isCommitted }: { prefer?: PushFlags['prefer']; isCommitted: boolean },
): Promise<void> {
  const before = world.files(name);
  expected.overrules = prefer;
  const run = await world.docsctl(name, ['pull', ...wordsOf({ prefer })]);
  checkStatus(run, expected);
  expected.isRefused = run.status !== 0;
  const pages = await checkSpace(expected, world);
  if (expected.isRefused) return;
  checkPulled(expected, world, { clone: name, before, pages });
  const again = await world.docsctl(name, ['pull']);
  if (prefer === undefined && (again.status !== 0 || again.json.written + again.json.removed > 0))
    throw new Violation(`a second pull changed files (${again.stdout}${again.stderr}): ${expected.last}`);
  await finish(world, name, isCommitted, 'Pull');
}

const pull = (name: CloneName, prefer: PushFlags['prefer'], isCommitted: boolean) =>
  step(
    `${name}: docsctl content pull${textOfFlags({ prefer })}${isCommitted ? ', and a commit' : ''}`,
    (expected, world) => runPull(expected, world, name, { prefer, isCommitted }),
  );

async function pickPage(world: World, index: number): Promise<SpacePage | undefined> {
  const pages = await world.pages();
  return pages[index % Math.max(pages.length, 1)];
}

async function editInApp(expected: Expected, world: World, index: number, which: string): Promise<void> {
  const page = await pickPage(world, index);
  if (!page) return;
  const old = page.words.get(which) ?? '';
  const word = world.words.next(page.key + which, [old]);
  const markdown = page.text.replace(`word ${old}.`, `word ${word}.`);
  await world.edit({ operation: 'update_page', page: page.id, document: { markdown } });
  await checkSpace(expected, world);
}

const appEdit = (index: number, which: string) =>
  step(`the app: edits slot ${which} of page ${index}`, (expected, world) => editInApp(expected, world, index, which));

const appRename = (index: number) =>
  step(`the app: changes title and slug of page ${index}`, async (expected, world) => {
    const page = await pickPage(world, index);
    const name = world.words.next('title').slice(5);
    if (page)
      await world.edit({ operation: 'update_page', page: page.id, title: `Title ${name}`, slug: `slug-${name}` });
    await checkSpace(expected, world);
  });

const appMove = (index: number, under: number) =>
  step(`the app: moves page ${index} under page ${under}`, async (expected, world) => {
    const [page, parent] = [await pickPage(world, index), await pickPage(world, under)];
    if (page && parent && page.id !== parent.id && parent.parent === null && page.parent === null)
      await world.edit({ operation: 'update_page', page: page.id, into: parent.id }).catch(() => {});
    await checkSpace(expected, world);
  });

const appDelete = (index: number) =>
  step(`the app: deletes page ${index}`, async (expected, world) => {
    const page = await pickPage(world, index);
    if (!page) return;
    const pages = await world.pages();
    for (const each of pages) if (each.id === page.id || each.parent === page.id) expected.removed.add(each.key);
    await world.edit({ operation: 'delete_page', page: page.id });
    await checkSpace(expected, world);
  });

const appAdd = () =>
  step('the app: adds a page', async (expected, world) => {
    const key = expected.newKey();
    const markdown = world.newPage(key);
    await world.edit({ operation: 'insert_page', title: `Page ${key}`, slug: key, document: { markdown } });
    await checkSpace(expected, world);
  });

/** If the app's page is changed before a push or pull, nobody can know that it is the same page. */
const bothAdd = (name: CloneName, isPulled: boolean) =>
  step(
    `${name} and the app add the same page, and ${name} ${isPulled ? 'pulls' : 'pushes'}`,
    async (expected, world) => {
      const key = expected.newKey();
      const text = world.newPage(key);
      world.write(name, `${key}.md`, text);
      world.editSummary(name, (summary) => `${summary.trimEnd()}\n* [Page ${key}](${key}.md)\n`);
      await world.commit(name, 'Add');
      await world.edit({ operation: 'insert_page', title: `Page ${key}`, slug: key, document: { markdown: text } });
      await checkSpace(expected, world);
      if (isPulled) await runPull(expected, world, name, { isCommitted: true });
      else await runPush(expected, world, name, {});
      if (expected.isRefused) {
        await world.edit({ operation: 'delete_page', page: expected.ids.get(key) });
        expected.forget(key);
      }
    },
  );

const prefer = fc.constantFrom(undefined, undefined, undefined, undefined, 'app' as const, 'folder' as const);
const flags: fc.Arbitrary<PushFlags> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ prefer, ifStale: fc.constantFrom(undefined, undefined, 'skip' as const) }) },
  { weight: 1, arbitrary: fc.record({ cutAt: fc.integer({ min: 3, max: 14 }) }) },
  { weight: 1, arbitrary: fc.record({ editAt: fc.integer({ min: 3, max: 12 }) }) },
  { weight: 1, arbitrary: fc.record({ jobAt: fc.integer({ min: 3, max: 14 }) }) },
);

/** Steps that lead to more are generated more often. */
export const steps: fc.Arbitrary<SyncStep>[] = [
  ...Array.from({ length: 3 }, () => fc.tuple(clone, flags).map((args) => push(...args))),
  ...Array.from({ length: 2 }, () => fc.tuple(clone, prefer, commits).map((args) => pull(...args))),
  ...Array.from({ length: 2 }, () => fc.tuple(clone, place, slot, commits).map((args) => edit(...args))),
  ...Array.from({ length: 2 }, () => clone.map(synchronize)),
  fc.tuple(fc.nat(2), fc.constantFrom(undefined, 1, 2), flags).map((args) => ciJob(...args)),
  fc.tuple(place, slot).map((args) => appEdit(...args)),
  place.map(appRename),
  fc.tuple(place, place).map((args) => appMove(...args)),
  place.map(appDelete),
  fc.constant(0).map(appAdd),
  clone.map(add),
  fc.tuple(clone, fc.boolean()).map((args) => bothAdd(...args)),
  fc.tuple(clone, place).map((args) => remove(...args)),
  fc.tuple(clone, place, fc.boolean()).map((args) => rename(...args)),
  fc.tuple(clone, place).map((args) => breakFile(...args)),
];

/** A repository with two pages that was pushed once, and its clones. */
export async function begin(expected: Expected, world: World): Promise<void> {
  await world.checkOut('ann', 'HEAD');
  await world.git('ann', 'checkout', '--quiet', '-b', 'main');
  for (const key of [expected.newKey(), expected.newKey(), expected.newKey()])
    world.write('ann', `${key}.md`, world.newPage(key));
  await world.commit('ann', 'First');
  await world.git('ann', 'push', '--quiet', 'origin', 'HEAD:main');
  await world.git('.', 'clone', '--quiet', '--shared', 'origin', 'ben');
  expected.last = 'the first push';
  await runPush(expected, world, 'ann', {});
}
