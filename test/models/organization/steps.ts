import fc from 'fast-check';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Step, story } from '../model.ts';
import { type Actor, type Expected } from './expected.ts';
import { type Kind, kinds, pageSlots, titleOf } from './slots.ts';
import type { Versions } from './versions.ts';
import { type CloneName, cloneNames, lockFile, type World } from './world.ts';

type OrgStep = Step<Expected, World>;

const step = (text: string, run: (expected: Expected, world: World) => Promise<void>): OrgStep => ({
  check: () => true,
  async run(expected, world) {
    expected.last = text;
    await run(expected, world);
  },
  toString: () => text,
});

const pick = <T>(items: Iterable<T>, index: number): T | undefined => {
  const all = [...items];
  return all[index % Math.max(all.length, 1)];
};

// --- Files ---

/** A person changes files, and commits them unless the text says otherwise. */
const edits = (name: CloneName, text: string, change: (world: World, name: CloneName) => unknown, commits = true) =>
  step(`${name} ${text}${commits ? '' : ' without a commit'}`, async (expected, world) => {
    if ((await change(world, name)) === false) return;
    expected.noteEdits(world, name);
    if (commits) await commit(expected, world, name, text);
  });

async function commit(expected: Expected, world: World, name: CloneName, text: string, withLock = false) {
  const id = await world.commit(name, text, withLock);
  expected.commits.set(id, new Map(expected.folder(name)));
}

const editTitle = (name: CloneName, kind: Kind, index: number, commits: boolean) =>
  edits(
    name,
    `changes the title of ${kind} ${index}`,
    (world) => {
      const [key, object] = pick(world.folder(name).names(kind), index) ?? [];
      if (key === undefined || object === undefined) return false;
      return world.folder(name).setTitle(kind, object, key, world.next('w'));
    },
    commits,
  );

const editRole = (name: CloneName, index: number, role: string | undefined, commits: boolean) =>
  edits(
    name,
    role === undefined ? `removes member ${index}` : `gives member ${index} the role ${role}`,
    (world) => {
      const folder = world.folder(name);
      const emails = [...folder.rows().keys()].filter((email) => email.startsWith('m'));
      const email = pick(emails, index);
      if (email === undefined || folder.rows().get(email)![1] === role) return false;
      return folder.setRole(email, role);
    },
    commits,
  );

const addMember = (name: CloneName, number: number) =>
  edits(name, `adds member ${number}`, (world) => {
    const folder = world.folder(name);
    const email = world.email(number);
    return folder.rows().has(email) ? false : folder.setRole(email, 'read');
  });

const editMembership = (name: CloneName, index: number, member: number, role: string | undefined, commits: boolean) =>
  edits(
    name,
    `${role === undefined ? 'removes' : `makes`} member ${member} ${role === undefined ? 'from' : `${role} of`} team ${index}`,
    (world) => {
      const folder = world.folder(name);
      const [key, team] = pick(folder.names('team'), index) ?? [];
      const email = pick(
        [...folder.rows().keys()].filter((each) => each.startsWith('m')),
        member,
      );
      if (team === undefined || email === undefined) return false;
      if (folder.read().get(`team ${key} member ${email}`) === role) return false;
      return folder.setMembership(team, email, role);
    },
    commits,
  );

const addObject = (name: CloneName, kind: Kind, inCollection: number | undefined, isListed: boolean) =>
  edits(
    name,
    `adds a ${kind}${inCollection === undefined ? '' : ` in collection ${inCollection}`}${isListed ? '' : ' that no order has'}`,
    (world) => {
      const folder = world.folder(name);
      const collection =
        inCollection === undefined ? undefined : pick(folder.names('collection').values(), inCollection);
      folder.add(kind, world.next('k'), world.next('w'), {
        isListed,
        ...(kind === 'space' && collection !== undefined && { inCollection: collection }),
      });
    },
  );

const bothAdd = (kind: Kind) =>
  step(`ann and ben add the same ${kind}`, async (expected, world) => {
    const [key, word] = [world.next('k'), world.next('w')];
    for (const name of cloneNames) {
      world.folder(name).add(kind, key, word, { isListed: true });
      expected.noteEdits(world, name);
    }
    // It is the same for both.
    for (const [slot, version] of expected.folder('ann'))
      if (slot.startsWith(`${kind} ${key} `)) expected.folder('ben').set(slot, version);
    for (const name of cloneNames) await commit(expected, world, name, 'Add');
  });

const removeObject = (name: CloneName, kind: Kind, index: number) =>
  edits(name, `removes the file of ${kind} ${index}`, (world) => {
    const folder = world.folder(name);
    const object = pick(folder.names(kind).values(), index);
    if (object === undefined || folder.names(kind).size < 2) return false;
    return folder.remove(kind, object);
  });

const renameObject = (name: CloneName, kind: Kind, index: number, isEdited: boolean) =>
  edits(name, `renames ${kind} ${index}${isEdited ? ' and changes its title, with moved:' : ''}`, (world) => {
    const folder = world.folder(name);
    const [key, object] = pick(folder.names(kind), index) ?? [];
    if (key === undefined || object === undefined) return false;
    const to = `${kind}-${key}-${world.next('c')}`;
    folder.rename(kind, object, to);
    if (!isEdited || kind === 'collection') return true;
    folder.setTitle(kind, to, key, world.next('w'));
    return folder.setMoved(kind, to, object);
  });

const editLevel = (name: CloneName, kind: 'space' | 'collection', index: number, level: string) =>
  edits(name, `gives ${kind} ${index} the level ${level}`, (world) => {
    const folder = world.folder(name);
    const object = pick(folder.names(kind).values(), index);
    return object === undefined ? false : folder.setLevel(kind, object, level);
  });

const moveSpace = (name: CloneName, index: number, into: number) =>
  edits(name, `moves space ${index} ${into === 0 ? 'to the top' : `into collection ${into - 1}`}`, (world) => {
    const folder = world.folder(name);
    const space = pick(folder.names('space').values(), index);
    const collection = into === 0 ? undefined : pick(folder.names('collection').values(), into - 1);
    return space === undefined ? false : folder.moveSpace(space, collection);
  });

const editPage = (name: CloneName, index: number, slot: string, commits: boolean) =>
  edits(
    name,
    `edits slot ${slot} of the page of space ${index}`,
    (world) => {
      const space = pick(world.folder(name).names('space').values(), index);
      return space !== undefined && world.folder(name).setWord(space, slot, world.next('w'));
    },
    commits,
  );

const turnOrder = (name: CloneName) =>
  edits(name, 'turns the order at the top', (world) => world.folder(name).turnOrder());

const toggleInSite = (name: CloneName, site: number, space: number) =>
  edits(name, `adds space ${space} to site ${site}, or removes it`, (world) => {
    const folder = world.folder(name);
    const file = pick(folder.names('site').values(), site);
    const object = pick(folder.names('space').values(), space);
    return file === undefined || object === undefined ? false : folder.toggleInSite(file, object);
  });

const comment = (name: CloneName, kind: 'team' | 'space' | 'site', index: number) =>
  edits(name, `adds a comment to ${kind} ${index}`, (world) => {
    const folder = world.folder(name);
    const object = pick(folder.names(kind).values(), index);
    return object === undefined ? false : folder.comment(kind, object, `Note ${world.next('c')}.`);
  });

const dropColumn = (name: CloneName) =>
  edits(name, 'removes the column of teams from members.csv', (world) => world.folder(name).dropColumn());

// --- Git ---

const synchronize = (name: CloneName) =>
  step(`${name} merges origin and pushes to it`, async (expected, world) => {
    const other = world.fetch(name);
    // What is not committed is, now.
    await world.git(name, 'checkout', '--quiet', '--', lockFile);
    expected.forgetLock(name);
    await commit(expected, world, name, 'Work');
    const mine = new Map(expected.folder(name));
    if ((await world.git(name, 'merge', '--quiet', '--no-edit', other)) === undefined) {
      await world.git(name, 'merge', '--abort');
      return;
    }
    expected.noteMerge(world, name, expected.commits.get(other) ?? mine);
    world.folder(name).repair();
    expected.noteEdits(world, name);
    await commit(expected, world, name, 'Repair');
    await world.publish(name);
  });

const commitLock = (name: CloneName, isRemoved: boolean) =>
  step(`${name} ${isRemoved ? 'removes the lock file' : 'commits the lock file'}`, async (expected, world) => {
    if (isRemoved) {
      rmSync(join(world.root, name, lockFile), { force: true });
      expected.forgetLock(name);
    }
    await commit(expected, world, name, 'Lock', true);
  });

// --- Commands ---

interface ApplyFlags {
  keepsDrift?: boolean;
  prunes?: boolean;
  /** The connection is lost at this request, and another runner goes on. */
  cutAt?: number | undefined;
  /** Before this request, the other clone applies. */
  otherAt?: number | undefined;
  /** With a saved plan; before it is applied, the other clone applies, or somebody changes a title in the app. */
  isSaved?: 'at once' | 'after an apply' | 'after a change in the app' | undefined;
}

const textOfFlags = ({ keepsDrift, prunes, cutAt, otherAt, isSaved }: ApplyFlags) =>
  [
    keepsDrift && ' --keep-drift',
    prunes && ' --prune',
    cutAt !== undefined && `, cut at request ${cutAt}`,
    otherAt !== undefined && `, with an apply of the other clone before request ${otherAt}`,
    isSaved && ` from a saved plan, ${isSaved}`,
  ]
    .filter(Boolean)
    .join('');

const wordsOf = ({ keepsDrift, prunes }: ApplyFlags) => [
  ...(keepsDrift ? ['--keep-drift'] : []),
  ...(prunes ? ['--prune'] : []),
];

const limits = ['--max-removals', '100%', '--without-self'];

/** Applies a folder and checks what can be checked. */
async function runApply(expected: Expected, world: World, name: string, flags: ApplyFlags = {}): Promise<void> {
  const { keepsDrift = false, prunes = false, cutAt, otherAt, isSaved } = flags;
  const folder = new Map(expected.folder(name));
  const actor: Actor = { folder, keepsDrift, prunes };
  const mayRefuse = await expected.mayRefuse(world, name, folder);
  const words = [...wordsOf(flags)];
  let target = ['.', ...words];
  let planned = '';
  if (isSaved !== undefined) {
    const plan = await world.docsctl(name, ['plan', '.', ...words, '--out', '../plan.json']);
    if (plan.writes > 0) expected.fail(`a plan sent ${plan.writes} changes`);
    if (plan.status !== 0) return checkStatus(expected, 'plan', plan, mayRefuse);
    target = ['../plan.json'];
    planned = plan.stderr;
    if (isSaved === 'after an apply') await runApply(expected, world, otherOf(name));
    if (isSaved === 'after a change in the app') await changeTitle(expected, world, 'team', 0);
  }
  if (cutAt !== undefined) {
    const cut = await world.docsctl(name, ['apply', ...target, ...limits, '--retries', '0'], {
      fault: (_, index) => (index >= cutAt ? { lost: 'request' } : undefined),
    });
    await expected.checkService(world, { ...actor, output: planned + cut.stderr + cut.stdout });
    if (cut.writes > 0) expected.lastApplied.push(await world.head(name));
    if (cut.status === 0) expected.checkApplied(await world.read(), actor);
    // Later than any lease.
    world.service.clock.now += 11 * 60_000;
    if (cut.status !== 0 || isSaved !== undefined) return;
  }
  let isDisturbed = isSaved !== undefined && isSaved !== 'at once';
  const before = async (_: unknown, index: number, output: string) => {
    if (index !== otherAt) return;
    isDisturbed = true;
    await expected.checkService(world, { ...actor, output: planned + output });
    const other = otherOf(name);
    await runApply(expected, world, other, { isNested: true } as ApplyFlags);
  };
  const run = await world.docsctl(name, ['apply', ...target, ...limits], otherAt === undefined ? {} : { before });
  const state = await expected.checkService(world, { ...actor, output: planned + run.stderr + run.stdout });
  if (run.writes > 0 && !run.stderr.includes('Nothing was sent')) expected.lastApplied.push(await world.head(name));
  const isNested = 'isNested' in flags;
  checkStatus(expected, 'apply', run, mayRefuse || isDisturbed || isNested);
  if (run.status !== 0) return;
  // It found nothing to do before the other apply.
  if (isDisturbed && (run.writes === 0 || run.stderr.includes('No changes:'))) return;
  // It found nothing to do, and could not record that while the other apply had the lease.
  if (isNested && run.stderr.includes('No changes:')) return;
  expected.checkApplied(state, actor);
  if (isDisturbed || isNested || isSaved !== undefined) return;
  await checkNothingLeft(expected, world, name, words);
}

function checkStatus(
  expected: Expected,
  command: string,
  { status, stderr }: { status: number; stderr: string },
  mayRefuse: boolean,
): void {
  if (status === 0) return;
  if ((status === 6 || status === 8) && mayRefuse) return;
  expected.fail(`${command} ended with ${status} without a reason: ${stderr.trim()}`);
}

const otherOf = (name: string): CloneName => (name === 'ann' ? 'ben' : 'ann');

/** After an apply with status 0, a plan is empty, a second apply sends nothing, and an export changes no file. */
async function checkNothingLeft(expected: Expected, world: World, name: string, words: string[]): Promise<void> {
  const plan = await world.docsctl(name, ['plan', '.', ...words, '--exit-code']);
  if (plan.status !== 0)
    return expected.fail(`a plan after an apply has changes (status ${plan.status}): ${plan.stdout}${plan.stderr}`);
  const random = world.next('c').length % 3;
  if (random === 0) {
    const again = await world.docsctl(name, ['apply', '.', ...words, ...limits]);
    if (again.status !== 0 || again.writes > 0)
      expected.fail(`a second apply sent ${again.writes} changes (status ${again.status}): ${again.stderr}`);
  }
  if (random === 1 && !words.includes('--keep-drift')) {
    const before = world.files(name);
    const run = await world.docsctl(name, ['export', '.']);
    const after = world.files(name);
    // Objects that only the service has get files.
    for (const [file, text] of before)
      if (after.get(file) !== text)
        expected.fail(
          `an export right after an apply changed ${file} (status ${run.status}):\n${text}\nto:\n${after.get(file)}`,
        );
    expected.checkExported(world, name, await world.read(), run.status === 0);
  }
}

const apply = (name: CloneName, flags: ApplyFlags) =>
  step(`${name} applies${textOfFlags(flags)}`, (expected, world) => runApply(expected, world, name, flags));

/** A pipeline: a fresh checkout that is thrown away afterwards. */
const job = (back: number, flags: ApplyFlags, hasLock: boolean) =>
  step(
    `a job applies ${back === 0 ? 'the newest commit' : `the commit ${back} before the newest`} of origin${hasLock ? '' : ' without the lock file'}${textOfFlags(flags)}`,
    async (expected, world) => {
      const commits = (await world.git('origin', 'rev-list', '--first-parent', 'main'))?.split('\n') ?? [];
      const commit = commits[Math.min(back, commits.length - 1)]!;
      const run = async (each: ApplyFlags) => {
        await world.checkOut('job', commit);
        if (!hasLock) rmSync(join(world.root, 'job', lockFile), { force: true });
        expected.folders.set('job', new Map(expected.commits.get(commit) ?? []));
        await runApply(expected, world, 'job', each);
      };
      await run(flags);
      if (flags.cutAt !== undefined) await run({ ...flags, cutAt: undefined });
    },
  );

/** What is applied before it is committed, an apply of another clone must not revert without a word. */
const uncommittedApply = (name: CloneName, kind: Kind, index: number) =>
  story(
    synchronize(name),
    synchronize(otherOf(name)),
    editTitle(name, kind, index, false),
    apply(name, {}),
    apply(otherOf(name), {}),
  );

/** Whether somebody else may have renamed a file. Without a lock file, an export does not know that it is the same object. */
const hasOtherNames = (world: World, name: CloneName) =>
  kinds.some((each) => {
    const [own, other] = [name, otherOf(name)].map((clone) => world.folder(clone).names(each));
    return [...own!].some(([key, object]) => (other!.get(key) ?? object) !== object);
  });

const exportAll = (name: CloneName, overwrites: boolean, hasLock: boolean) =>
  step(
    `${name} exports${hasLock ? '' : ' without the lock file'}${overwrites ? ' --overwrite' : ''} and commits`,
    async (expected, world) => {
      if (!hasLock) {
        if (hasOtherNames(world, name)) return;
        rmSync(join(world.root, name, lockFile), { force: true });
        expected.forgetLock(name);
      }
      const before = world.files(name);
      const run = await world.docsctl(name, ['export', '.', ...(overwrites ? ['--overwrite'] : [])]);
      if (![0, 6].includes(run.status)) expected.fail(`export ended with ${run.status}: ${run.stderr}`);
      if (overwrites) expected.folders.set(name, asKnown(expected, name));
      expected.checkExported(world, name, await world.read(), run.status === 0, hasLock);
      checkComments(expected, before, world.files(name));
      const once = world.files(name);
      await world.docsctl(name, ['export', '.']);
      for (const [file, text] of world.files(name))
        if (once.get(file) !== text) expected.fail(`a second export changed ${file}`);
      world.folder(name).repair();
      expected.noteEdits(world, name);
      await commit(expected, world, name, 'Export');
    },
  );

/** With --overwrite, somebody decides that the service is right. */
function asKnown(expected: Expected, name: string): Versions {
  for (const [slot, own] of expected.folder(name)) expected.service.get(slot)?.parents.add(own);
  return expected.folder(name);
}

/** The comments of a person stay, as long as the file does. */
function checkComments(expected: Expected, before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>) {
  for (const [file, text] of before)
    for (const [note] of text.matchAll(/# Note c\d+\./g))
      if (after.get(file)?.includes(note) === false) expected.fail(`an export removed a comment of ${file}`);
}

const drift = (name: CloneName) =>
  step(`${name} looks for drift`, async (expected, world) => {
    const run = await world.docsctl(name, ['drift', '.']);
    if (run.writes > 0) expected.fail(`drift sent ${run.writes} changes`);
    if (![0, 9].includes(run.status) && !/mistake/.test(run.stderr))
      expected.fail(`drift ended with ${run.status}: ${run.stderr}`);
    if (run.status !== 0) return;
    const { slots } = await world.read();
    for (const [slot, { value }] of expected.folder(name))
      if (value !== slots.get(slot))
        expected.fail(`drift ended with 0, but ${slot} is "${slots.get(slot)}", not "${value}"`);
  });

/** Applies and takes it back. */
const applyAndUndo = (name: CloneName, isDisturbed: boolean) =>
  step(`${name} applies and undoes it${isDisturbed ? ' after a change in the app' : ''}`, async (expected, world) => {
    const before = await world.read();
    const { writes, status, stderr, stdout } = await world.docsctl(name, ['apply', '.', ...limits]);
    await expected.checkService(world, { folder: expected.folder(name), output: stderr + stdout });
    if (writes > 0) expected.lastApplied.push(await world.head(name));
    // The journal has no entry for what only the shared state recorded.
    if (!stdout.includes('"result":"done"')) return;
    if (isDisturbed) await changeTitle(expected, world, 'team', 0);
    const middle = await world.read();
    const undo = await world.docsctl(name, ['undo']);
    const after = await expected.noteApp(world);
    if (undo.status !== 0 && undo.status !== 6) expected.fail(`undo ended with ${undo.status}: ${undo.stderr}`);
    if (undo.status === 6 && undo.writes > 0) expected.fail(`undo refused after ${undo.writes} changes`);
    if (undo.status === 6 && !isSame(middle.slots, after.slots)) expected.fail('undo refused and changed something');
    if (undo.status === 0 && !isDisturbed && status === 0 && !isSame(before.slots, after.slots))
      expected.fail(`undo ended with 0 without restoring everything: ${difference(before.slots, after.slots)}`);
  });

const isSame = (one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>) => difference(one, other) === '';

const difference = (one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>) =>
  [...new Set([...one.keys(), ...other.keys()])]
    .filter((slot) => one.get(slot) !== other.get(slot))
    .map((slot) => `${slot} is "${other.get(slot)}", not "${one.get(slot)}"`)
    .join(', ');

// --- The app ---

const inApp = (text: string, change: (world: World) => Promise<unknown>) =>
  step(`the app: ${text}`, async (expected, world) => {
    await change(world);
    await expected.noteApp(world);
  });

/** The objects of a kind, oldest first. */
async function present(world: World, kind: Kind): Promise<{ key: string; id: string }[]> {
  const { ids } = await world.read();
  return [...ids]
    .filter(([object]) => object.startsWith(`${kind} `))
    .map(([object, [id = '']]) => ({ key: object.split(' ')[1]!, id }))
    .toSorted((one, other) => Number(one.key.slice(1)) - Number(other.key.slice(1)));
}

const addressOf = (world: World, kind: Kind, id: string) =>
  kind === 'team' || kind === 'site' ? `${world.base}/${kind}s/${id}` : `/v1/${kind}s/${id}`;

async function changeTitle(expected: Expected, world: World, kind: Kind, index: number): Promise<void> {
  const object = pick(await present(world, kind), index);
  if (!object) return;
  const title = titleOf(kind, object.key, world.next('w'));
  await world.service.call('PATCH', addressOf(world, kind, object.id), { title });
  await expected.noteApp(world);
}

const appTitle = (kind: Kind, index: number) =>
  step(`the app: changes the title of ${kind} ${index}`, (expected, world) =>
    changeTitle(expected, world, kind, index),
  );

const appAdd = (kind: Kind) => inApp(`adds a ${kind}`, (world) => world.createInApp(kind));

const appDelete = (kind: Kind, index: number) =>
  inApp(`deletes ${kind} ${index}`, async (world) => {
    const all = await present(world, kind);
    const object = pick(all, index);
    if (object && all.length > 1) await world.service.call('DELETE', addressOf(world, kind, object.id));
  });

const appRole = (index: number, role: string) =>
  inApp(`gives member ${index} the role ${role}`, async (world) => {
    const { members } = await world.read();
    const id = pick([...members].filter(([email]) => email.startsWith('m')).toSorted(), index)?.[1];
    if (id !== undefined) await world.service.call('PATCH', `${world.base}/members/${id}`, { role });
  });

const appMembership = (index: number, member: number) =>
  inApp(`adds member ${member} to team ${index}, or removes them`, async (world) => {
    const { members, slots } = await world.read();
    const team = pick(await present(world, 'team'), index);
    const [email, id] = pick([...members].filter(([each]) => each.startsWith('m')).toSorted(), member) ?? [];
    if (!team || email === undefined || id === undefined) return;
    const isIn = slots.has(`team ${team.key} member ${email}`);
    await world.service.call('PUT', `${world.base}/teams/${team.id}/members`, isIn ? { remove: [id] } : { add: [id] });
  });

const appLevel = (kind: 'space' | 'collection', index: number, level: string) =>
  inApp(`gives ${kind} ${index} the level ${level}`, async (world) => {
    const object = pick(await present(world, kind), index);
    if (object) await world.service.call('PATCH', `/v1/${kind}s/${object.id}`, { defaultLevel: level });
  });

const appMove = (index: number, into: number) =>
  inApp(`moves space ${index} ${into === 0 ? 'to the top' : `into collection ${into - 1}`}`, async (world) => {
    const space = pick(await present(world, 'space'), index);
    const collection = into === 0 ? undefined : pick(await present(world, 'collection'), into - 1);
    if (space) await world.service.tryCall('POST', `/v1/spaces/${space.id}/move`, { parent: collection?.id ?? null });
  });

const appPage = (index: number, slot: string) =>
  inApp(`edits slot ${slot} of the page of space ${index}`, async (world) => {
    const space = pick(await present(world, 'space'), index);
    const page = space && (await world.page(space.id));
    if (!space || !page) return;
    const markdown = page.text.replace(new RegExp(`(Slot ${slot} has the word )\\w+`), `$1${world.next('w')}`);
    await world.changeContent(space.id, { operation: 'update_page', page: page.id, document: { markdown } });
  });

// --- Which are generated ---

const clone = fc.constantFrom(...cloneNames);
const place = fc.nat(2);
const member = fc.nat(3);
const kind = fc.constantFrom<Kind>('team', 'space', 'collection', 'site');
const file = fc.constantFrom<'team' | 'space' | 'site'>('team', 'space', 'site');
const holder = fc.constantFrom<'space' | 'collection'>('space', 'collection');
const level = fc.constantFrom('read', 'comment', 'edit');
const role = fc.constantFrom('read', 'edit', 'admin');
const slot = fc.constantFrom(...pageSlots);
const commits = fc.integer({ min: 0, max: 4 }).map((number) => number > 0);
const inCollection = fc.option(place, { nil: undefined });

const flags: fc.Arbitrary<ApplyFlags> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({}) },
  { weight: 2, arbitrary: fc.constant({ keepsDrift: true }) },
  { weight: 1, arbitrary: fc.constant({ prunes: true }) },
  { weight: 2, arbitrary: fc.record({ cutAt: fc.integer({ min: 5, max: 45 }) }) },
  { weight: 2, arbitrary: fc.record({ otherAt: fc.integer({ min: 3, max: 40 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      isSaved: fc.constantFrom('at once' as const, 'after an apply' as const, 'after a change in the app' as const),
    }),
  },
);

const times = (count: number, steps: fc.Arbitrary<OrgStep>) => Array.from({ length: count }, () => steps);

/** Steps that lead to more are generated more often. */
export const steps: fc.Arbitrary<OrgStep>[] = [
  ...times(
    5,
    fc.tuple(clone, flags).map((args) => apply(...args)),
  ),
  ...times(
    3,
    fc.tuple(fc.constantFrom(0, 0, 0, 1, 2), flags, fc.boolean()).map((args) => job(...args)),
  ),
  ...times(4, clone.map(synchronize)),
  ...times(
    2,
    fc.tuple(clone, kind, place, commits).map((args) => editTitle(...args)),
  ),
  fc.tuple(clone, member, fc.option(role, { nil: undefined, freq: 3 }), commits).map((args) => editRole(...args)),
  fc.tuple(clone, fc.integer({ min: 3, max: 6 })).map((args) => addMember(...args)),
  fc
    .tuple(clone, place, member, fc.constantFrom(undefined, 'member', 'owner'), commits)
    .map((args) => editMembership(...args)),
  ...times(
    2,
    fc.tuple(clone, kind, inCollection, fc.boolean()).map((args) => addObject(...args)),
  ),
  kind.map(bothAdd),
  ...times(
    2,
    fc.tuple(clone, kind, place).map((args) => removeObject(...args)),
  ),
  ...times(
    2,
    fc.tuple(clone, kind, place, fc.boolean()).map((args) => renameObject(...args)),
  ),
  fc.tuple(clone, holder, place, level).map((args) => editLevel(...args)),
  ...times(
    2,
    fc.tuple(clone, place, place).map((args) => moveSpace(...args)),
  ),
  fc.tuple(clone, place, slot, commits).map((args) => editPage(...args)),
  clone.map(turnOrder),
  fc.tuple(clone, place, place).map((args) => toggleInSite(...args)),
  fc.tuple(clone, file, place).map((args) => comment(...args)),
  clone.map(dropColumn),
  fc.tuple(clone, fc.boolean()).map((args) => commitLock(...args)),
  ...times(
    2,
    fc
      .tuple(clone, fc.constantFrom(false, false, true), fc.constantFrom(true, true, false))
      .map((args) => exportAll(...args)),
  ),
  fc.tuple(clone, kind, place).map((args) => uncommittedApply(...args)),
  clone.map(drift),
  fc.tuple(clone, fc.boolean()).map((args) => applyAndUndo(...args)),
  ...times(
    2,
    fc.tuple(kind, place).map((args) => appTitle(...args)),
  ),
  kind.map(appAdd),
  fc.tuple(kind, place).map((args) => appDelete(...args)),
  fc.tuple(member, role).map((args) => appRole(...args)),
  fc.tuple(place, member).map((args) => appMembership(...args)),
  fc.tuple(holder, place, level).map((args) => appLevel(...args)),
  fc.tuple(place, place).map((args) => appMove(...args)),
  fc.tuple(place, slot).map((args) => appPage(...args)),
];
