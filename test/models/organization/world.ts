import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fixIds } from '../world/fixed-ids.ts';
import { GitShell } from '../world/git-shell.ts';
import { makeFolder, type Run, type RunOptions, Service } from '../world/service.ts';
import { Folder } from './folder.ts';
import { pageText, pageWords, readTitle, type Slots, titleOf } from './slots.ts';

export const cloneNames = ['ann', 'ben'] as const;
export type CloneName = (typeof cloneNames)[number];

/** What each world begins as: a database, and a repository with clones that share its objects. */
interface Template {
  root: string;
  org: string;
  time: Times;
  counts: ReadonlyMap<string, number>;
  state: State;
}

interface Times {
  /** Of the service, in milliseconds. */
  service: number;
  /** Of the last commit, in seconds. */
  commit: number;
}

let template: Promise<Template> | undefined;
let gitShell: GitShell | undefined;

function shell(): GitShell {
  gitShell ??= new GitShell();
  Object.assign(globalThis, { gitOfModel: gitShell.execFile });
  return gitShell;
}

export async function endTemplate(): Promise<void> {
  gitShell?.close();
  if (template) rmSync((await template).root, { recursive: true, force: true });
}

/** An object of the organization in the service. */
export interface Present {
  id: string;
  key: string;
}

export interface State {
  slots: Slots;
  /** The IDs of all objects of a key, such as `team k1`. There should be one. */
  ids: Map<string, string[]>;
  /** IDs of members by address, whether or not the model knows them. */
  members: Map<string, string>;
  /** Titles of objects that are not the model's, which nothing may change. */
  others: string[];
}

export const lockFile = 'docsctl.lock.json';
const database = 'service.db';
const originMain = 'origin/refs/heads/main';

/** An organization, a repository with its files, clones and checkouts, and people who change things in the app. */
export class World {
  readonly service: Service;
  readonly org: string;
  readonly root: string;
  /** What the service has at the beginning. */
  readonly begin: State;
  #time: number;
  readonly #counts: Map<string, number>;
  /** Revisions never change. */
  #pages = new Map<string, [slot: string, word: string][]>();

  private constructor(
    opened: Service,
    root: string,
    { org, time, counts, state }: Pick<Template, 'org' | 'time' | 'counts' | 'state'>,
  ) {
    this.service = opened;
    this.org = org;
    this.root = root;
    this.begin = state;
    this.#time = time.commit;
    this.#counts = new Map(counts);
  }

  static async open(): Promise<World> {
    const made = await (template ??= World.#makeTemplate());
    const root = await makeFolder('organization');
    cpSync(made.root, root, { recursive: true, verbatimSymlinks: true });
    const opened = await Service.open(join(root, database), made.time.service);
    fixIds(1);
    return new World(opened, root, made);
  }

  static async #makeTemplate(): Promise<Template> {
    const root = await makeFolder('organization-template');
    const opened = await Service.open(join(root, database));
    const org = await opened.newOrganization('World');
    const world = new World(opened, root, {
      org,
      time: { service: 0, commit: Date.UTC(2027, 0, 4) / 1000 },
      counts: new Map(),
      state: { slots: new Map(), ids: new Map(), members: new Map(), others: [] },
    });
    await world.#fill();
    await world.git('.', 'init', '--quiet', '--bare', '--initial-branch=main', 'origin');
    await world.git('.', 'init', '--quiet', '--initial-branch=main', 'ann');
    await world.git('ann', 'remote', 'add', 'origin', '../origin');
    const exported = await world.docsctl('ann', ['export', '.']);
    const applied = await world.docsctl('ann', ['apply', '.']);
    if (exported.status !== 0 || applied.status !== 0) throw new Error(exported.stderr + applied.stderr);
    // Nothing may change this space, which is not in the files.
    await opened.call('POST', `${world.base}/spaces`, { title: 'Unmanaged' });
    world.folder('ann').write('.gitignore', '.docsctl/\n');
    await world.commit('ann', 'Export', true);
    await world.git('ann', 'push', '--quiet', 'origin', 'HEAD:main');
    await world.git('.', 'clone', '--quiet', 'origin', 'ben');
    await world.git('ben', 'remote', 'set-url', 'origin', '../origin');
    for (const clone of cloneNames) {
      const objects = join(root, clone, '.git/objects');
      rmSync(objects, { recursive: true });
      symlinkSync('../../origin/objects', objects);
    }
    const state = await world.read();
    await opened.close();
    return { root, org, time: { service: opened.clock.now, commit: world.#time }, counts: world.#counts, state };
  }

  async close(): Promise<void> {
    await this.service.close();
    rmSync(this.root, { recursive: true, force: true });
  }

  /** Two teams, a collection with a space, a space at the top, a site, and five members. */
  async #fill(): Promise<void> {
    const member = (number: number) => ({ name: `Member ${number}`, email: this.email(number), role: 'read' });
    for (const number of [0, 1, 2, 3]) await this.service.newMember(this.org, member(number));
    for (const _ of [0, 1]) await this.createInApp('team');
    const collection = await this.createInApp('collection');
    const space = await this.createInApp('space', collection);
    await this.createInApp('space');
    const site = await this.createInApp('site');
    await this.service.call('POST', `${this.base}/sites/${site}/site-spaces`, { spaceId: space });
  }

  get base(): string {
    return `/v1/orgs/${this.org}`;
  }

  email = (number: number): string => `m${number}@example.org`;

  next(what: 'k' | 'w' | 'c'): string {
    const count = (this.#counts.get(what) ?? 0) + 1;
    this.#counts.set(what, count);
    return `${what}${count}`;
  }

  /** @returns the ID */
  async createInApp(kind: 'team' | 'collection' | 'space' | 'site', parent?: string): Promise<string> {
    const word = this.next('w');
    const body = { title: titleOf(kind, this.next('k'), word), ...(parent !== undefined && { parent }) };
    const { id } = await this.service.call(kind === 'team' ? 'PUT' : 'POST', `${this.base}/${kind}s`, body);
    if (kind === 'space') {
      const markdown = pageText([`${word}a`, `${word}b`]);
      await this.changeContent(id, { operation: 'insert_page', title: 'Page', slug: 'page', document: { markdown } });
    }
    return id;
  }

  async changeContent(space: string, ...changes: object[]): Promise<void> {
    const base = `/v1/spaces/${space}/change-requests`;
    const { id } = await this.service.call('POST', base, { subject: 'In the app' });
    await this.service.call('POST', `${base}/${id}/content`, { changes });
    await this.service.call('PATCH', `${base}/${id}`, { status: 'open' });
    await this.service.call('POST', `${base}/${id}/merge`);
  }

  async items(path: string): Promise<any[]> {
    return (await this.service.call('GET', `${path}${path.includes('?') ? '&' : '?'}limit=100`)).items;
  }

  /** Everything that the model looks at. */
  async read(): Promise<State> {
    const slots: Slots = new Map();
    const ids = new Map<string, string[]>();
    const others: string[] = [];
    const keys = new Map<string, string>();
    const see = (kind: string, { id, title }: { id: string; title: string }): string | undefined => {
      const { key, word } = readTitle(title) ?? {};
      if (key === undefined || word === undefined) {
        if (!title.startsWith('docsctl state')) others.push(`${kind} ${title}`);
        return undefined;
      }
      keys.set(id, key);
      const object = `${kind} ${key}`;
      ids.set(object, [...(ids.get(object) ?? []), id]);
      slots.set(`${object} title`, word);
      return object;
    };
    const [members, teams, collections, spaces, sites] = await Promise.all([
      this.items(`${this.base}/members`),
      this.items(`${this.base}/teams`),
      this.items(`${this.base}/collections`),
      this.items(`${this.base}/spaces`),
      this.items(`${this.base}/sites`),
    ]);
    for (const { role, user } of members) slots.set(`member ${user.email} role`, role ?? 'guest');
    for (const team of teams) {
      const object = see('team', team);
      if (object === undefined) continue;
      for (const { organization, team: membership } of await this.items(`${this.base}/teams/${team.id}/members`))
        slots.set(`${object} member ${organization.user.email}`, membership.role);
    }
    for (const collection of collections) {
      const object = see('collection', collection);
      if (object !== undefined) slots.set(`${object} level`, String(collection.defaultLevel));
    }
    for (const space of spaces) {
      const object = see('space', space);
      if (object === undefined) continue;
      slots.set(`${object} level`, String(space.defaultLevel));
      slots.set(`${object} in`, space.parent == null ? 'top' : (keys.get(space.parent) ?? '?'));
      for (const [slot, word] of await this.#words(space)) slots.set(`${object} page ${slot}`, word);
    }
    for (const site of sites) {
      const object = see('site', site);
      if (object === undefined) continue;
      const entries = await this.items(`${this.base}/sites/${site.id}/site-spaces`);
      slots.set(
        `${object} spaces`,
        entries
          .map(({ space }) => keys.get(space.id) ?? '?')
          .toSorted()
          .join('+'),
      );
    }
    return { slots, ids, others, members: new Map(members.map(({ id, user }) => [user.email, id])) };
  }

  async page(space: string): Promise<{ id: string; text: string } | undefined> {
    const { pages } = await this.service.call('GET', `/v1/spaces/${space}/content?metadata=false`);
    const [first] = pages;
    if (!first) return undefined;
    const { markdown } = await this.service.call('GET', `/v1/spaces/${space}/content/page/${first.id}?format=markdown`);
    return { id: first.id, text: markdown };
  }

  async #words({ id, revision }: { id: string; revision: string }): Promise<[slot: string, word: string][]> {
    const known = this.#pages.get(revision);
    if (known) return known;
    const words = pageWords((await this.page(id))?.text ?? '');
    this.#pages.set(revision, words);
    return words;
  }

  folder(clone: string): Folder {
    return new Folder(join(this.root, clone));
  }

  /** @returns what git printed; undefined if it failed */
  async git(clone: string, ...args: string[]): Promise<string | undefined> {
    const date = `${this.#time} +0000`;
    const env = { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
    const { code, output } = await shell().run(args, join(this.root, clone), env);
    return code === 0 ? output.toString().trim() : undefined;
  }

  /** Commits all files, but the lock file only if asked. @returns the commit */
  async commit(clone: string, message: string, withLock = false): Promise<string> {
    this.#time += 60;
    await this.git(clone, 'add', '--all', '.', ...(withLock ? [] : [`:!${lockFile}`]));
    await this.git(clone, 'commit', '--quiet', '--message', message);
    return this.head(clone);
  }

  async head(clone: string): Promise<string> {
    return (await this.git(clone, 'rev-parse', 'HEAD')) ?? '';
  }

  async isAncestor(clone: string, commit: string, of: string): Promise<boolean> {
    return (await this.git(clone, 'merge-base', '--is-ancestor', commit, of)) !== undefined;
  }

  async checkOut(name: string, commit: string): Promise<void> {
    rmSync(join(this.root, name), { recursive: true, force: true });
    await this.git('.', 'clone', '--quiet', '--shared', '--no-checkout', 'origin', name);
    await this.git(name, 'checkout', '--quiet', '--detach', commit);
  }

  /** The same as `git fetch`, which takes ten times as long: clones have the objects of origin. @returns the commit */
  fetch(clone: string): string {
    const commit = readFileSync(join(this.root, originMain), 'utf8').trim();
    this.#writeRef(clone, commit);
    return commit;
  }

  /** The same as `git push` of commits that follow those of origin. */
  async publish(clone: string): Promise<void> {
    const head = await this.head(clone);
    writeFileSync(join(this.root, originMain), `${head}\n`);
    this.#writeRef(clone, head);
  }

  #writeRef(clone: string, commit: string): void {
    const folder = join(this.root, clone, '.git/refs/remotes/origin');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'main'), `${commit}\n`);
    shell().forget();
  }

  /** All files that people look at, by path. */
  files(clone: string): Map<string, string> {
    const top = join(this.root, clone);
    const files = new Map<string, string>();
    const visit = (path: string) => {
      for (const entry of readdirSync(join(top, path), { withFileTypes: true })) {
        if (entry.name.startsWith('.') || entry.name === lockFile) continue;
        const file = path === '' ? entry.name : `${path}/${entry.name}`;
        if (entry.isDirectory()) visit(file);
        else files.set(file, readFileSync(join(top, file), 'utf8'));
      }
    };
    if (existsSync(top)) visit('');
    return files;
  }

  async docsctl(
    clone: string,
    words: string[],
    options: Omit<RunOptions, 'dir'> = {},
    org = this.org,
  ): Promise<Pick<Run, 'status' | 'stdout' | 'stderr'> & { writes: number }> {
    // A journal entry has its organization.
    const place = words[0] === 'undo' ? [] : ['--org', org];
    const line = [...words, ...place, '-o', 'json', '--yes'];
    const isVerbose = Boolean(process.env.MODELS_VERBOSE);
    if (isVerbose) console.log(`$ docsctl ${line.join(' ')}   # in ${clone}`);
    let writes = 0;
    const before: RunOptions['before'] = async (request, index, output) => {
      if (request.method !== 'GET') writes += 1;
      if (isVerbose && request.method !== 'GET')
        console.log(`  ${index} ${request.method} ${request.path} ${JSON.stringify(request.body ?? '').slice(0, 300)}`);
      await options.before?.(request, index, output);
    };
    const { status, stdout, stderr } = await this.service.run(line, {
      ...options,
      before,
      dir: join(this.root, clone),
    });
    if (isVerbose) console.log(`  status ${status} ${stderr}${stdout}`);
    return { status, stdout, stderr, writes };
  }
}
