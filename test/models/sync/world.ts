import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { GitShell } from '../world/git-shell.ts';
import { makeFolder, type Run, type RunOptions, Service } from '../world/service.ts';
import { download } from '../../../src/server/http/downloads.ts';
import { type PageWords, picture, pictureOf, slots, textOf, wordOfPicture, Words, wordsIn } from './words.ts';

/** Clones of the repository, and a folder outside of Git. */
export const cloneNames = ['ann', 'ben'] as const;
export const folderNames = [...cloneNames, 'dan'] as const;

export interface SpacePage extends PageWords {
  id: string;
  title: string;
  slug: string;
  /** The ID of the parent. */
  parent: string | null;
  text: string;
}

/** The texts of the pages of a folder, by the path of their files. */
export class Files extends Map<string, string> {
  /** The words in its pictures, by path. */
  pictures = new Map<string, string>();
}

let service: Promise<Service> | undefined;
let gitShell: GitShell | undefined;
/** A repository and its clones, which share its objects. Each world copies them. */
let template: Promise<string> | undefined;

const git = (cwd: string, args: readonly string[], env: Record<string, string> = {}) => {
  gitShell ??= new GitShell();
  Object.assign(globalThis, { gitOfModel: gitShell.execFile });
  return gitShell.run(args, cwd, env);
};

async function makeTemplate(files: ReadonlyMap<string, string>): Promise<string> {
  const root = await makeFolder('sync-template');
  const date = new Date(start * 1000).toISOString();
  const env = { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
  const run = (folder: string, ...args: string[]) => git(join(root, folder), args, env);
  await run('.', 'init', '--quiet', '--bare', '--initial-branch=main', 'origin');
  await run('.', 'init', '--quiet', '--initial-branch=main', 'ann');
  await run('ann', 'remote', 'add', 'origin', '../origin');
  mkdirSync(join(root, 'ann/docs'));
  mkdirSync(join(root, 'dan/docs'), { recursive: true });
  for (const [file, text] of files) writeFileSync(join(root, 'ann/docs', file), text);
  mkdirSync(join(root, 'ann/docs', dirname(picture)));
  writeFileSync(join(root, 'ann/docs', picture), pictureOf(firstPicture));
  await run('ann', 'add', '--all');
  await run('ann', 'commit', '--quiet', '--message', 'First');
  await run('ann', 'push', '--quiet', 'origin', 'HEAD:main');
  await run('.', 'clone', '--quiet', 'origin', 'ben');
  await run('ben', 'remote', 'set-url', 'origin', '../origin');
  // A build server clones without a folder of objects of its own.
  await run('.', 'clone', '--quiet', '--shared', '--no-checkout', 'origin', 'ci');
  await run('ci', 'remote', 'set-url', 'origin', '../origin');
  writeFileSync(join(root, 'ci/.git/objects/info/alternates'), '../../../origin/objects\n');
  for (const clone of cloneNames) {
    const objects = join(root, clone, '.git/objects');
    rmSync(objects, { recursive: true });
    symlinkSync('../../origin/objects', objects);
  }
  return root;
}

/** The word in the picture of the first commit. */
const firstPicture = 'w0';

const start = Date.UTC(2027, 0, 4) / 1000;

export async function endService(): Promise<void> {
  gitShell?.close();
  if (template) rmSync(await template, { recursive: true, force: true });
  await (await service)?.close();
}

/** The text of a page with new words. */
export function newPage(words: Words, key: string, link?: PageWords['link'], image = picture): string {
  const first = new Map(slots.map((slot) => [slot, words.next(`${key}${slot}`)]));
  return textOf(`Page ${key}`, key, first, { link, image });
}

/** A space, a repository with its clones, and people who edit in the app. */
export class World {
  readonly service: Service;
  readonly space: string;
  readonly root: string;
  readonly words = new Words();
  /** Words that people discarded with Git, so that they knew them: by clone, page and slot. */
  readonly discarded = new Map<string, string[]>();
  /** Keys of pages whose files were left behind when a pull was discarded: they have no base, so that a flag decides all of them. */
  readonly unbased = new Set<string>();
  #time = start;

  private constructor(opened: Service, space: string, root: string) {
    this.service = opened;
    this.space = space;
    this.root = root;
  }

  /** @param files of the first commit, which are the same for each world */
  static async open(files: (words: Words) => ReadonlyMap<string, string>): Promise<World> {
    const opened = await (service ??= Service.open());
    const { id } = await opened.call('POST', `/v1/orgs/${opened.organization}/spaces`, { title: 'Docs' });
    const world = new World(opened, id, await makeFolder('sync'));
    cpSync(await (template ??= makeTemplate(files(new Words()))), world.root, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => basename(path) !== 'ci',
    });
    files(world.words);
    return world;
  }

  async close(): Promise<void> {
    rmSync(this.root, { recursive: true, force: true });
    await this.service.call('DELETE', `/v1/spaces/${this.space}`);
  }

  /** @returns what git printed; undefined if it failed */
  async git(clone: string, ...args: string[]): Promise<string | undefined> {
    const date = `${this.#time} +0000`;
    const env = { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
    const { code, output } = await git(join(this.root, clone), args, env);
    return code === 0 ? output.toString() : undefined;
  }

  /** The same as `git fetch`, which takes ten times as long: clones have the objects of origin. */
  fetch(clone: string): void {
    this.#writeRef(clone, this.originHead());
  }

  /** The same as `git push` of commits that follow those of origin. */
  async publish(clone: string): Promise<void> {
    const head = (await this.git(clone, 'rev-parse', 'HEAD')) ?? '';
    writeFileSync(join(this.root, 'origin/refs/heads/main'), head);
    this.#writeRef(clone, head);
  }

  originHead = (): string => readFileSync(join(this.root, 'origin/refs/heads/main'), 'utf8').trim();

  #writeRef(clone: string, commit: string): void {
    const folder = join(this.root, clone, '.git/refs/remotes/origin');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'main'), commit);
    gitShell?.forget();
  }

  /** Whether a clone has changes that are not committed. */
  async isDirty(clone: string): Promise<boolean> {
    const changes = this.isClone(clone) ? await this.git(clone, 'status', '--porcelain', '--', 'docs') : undefined;
    return changes !== undefined && changes !== '';
  }

  isClone = (clone: string): boolean => existsSync(join(this.root, clone, '.git'));

  docs = (clone: string): string => join(this.root, clone, 'docs');

  /** The pages of a clone, by the path of their files. */
  files(clone: string): Files {
    const docs = this.docs(clone);
    if (!existsSync(docs)) return new Files();
    const names = readdirSync(docs, { recursive: true }).map(String);
    const files = new Files(
      names
        .filter((name) => name.endsWith('.md') && !name.startsWith('.') && name !== 'SUMMARY.md')
        .toSorted()
        .map((name) => [name, readFileSync(join(docs, name), 'utf8')] as const)
        .filter(([, text]) => wordsIn(text)),
    );
    for (const name of names.filter((each) => each.endsWith('.png')))
      files.pictures.set(name, wordOfPicture(readFileSync(join(docs, name), 'utf8')));
    return files;
  }

  write(clone: string, file: string, text: string | Buffer): void {
    const path = join(this.docs(clone), file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  rename(clone: string, from: string, to: string): void {
    renameSync(join(this.docs(clone), from), join(this.docs(clone), to));
  }

  remove(clone: string, file: string): void {
    rmSync(join(this.docs(clone), file), { force: true });
  }

  /** Changes SUMMARY.md, if there is one, as the person would who changes the files. */
  editSummary(clone: string, change: (text: string) => string): void {
    const file = join(this.docs(clone), 'SUMMARY.md');
    if (existsSync(file)) writeFileSync(file, change(readFileSync(file, 'utf8')));
  }

  /** Whether a push takes a file as a page. */
  isListed(clone: string, file: string): boolean {
    const summary = join(this.docs(clone), 'SUMMARY.md');
    return !existsSync(summary) || readFileSync(summary, 'utf8').includes(`(${file})`);
  }

  /** Writes SUMMARY.md, if there is none, with the pages where they are. */
  makeSummary(clone: string): void {
    const file = join(this.docs(clone), 'SUMMARY.md');
    if (existsSync(file)) return;
    const lines = [...this.files(clone)].map(([path, text]) => {
      const depth = path.split('/').length - (path.endsWith('/README.md') ? 2 : 1);
      return {
        place: path.replace(/(?:\/README)?\.md$/, ''),
        line: `${'  '.repeat(depth)}* [Page ${wordsIn(text)!.key}](${path})`,
      };
    });
    const inOrder = lines.toSorted((one, other) => (one.place < other.place ? -1 : 1));
    writeFileSync(file, inOrder.map(({ line }) => `${line}\n`).join(''));
  }

  discard(slot: string, word: string): void {
    this.discarded.set(slot, [...(this.discarded.get(slot) ?? []), word]);
  }

  /** Whether somebody discarded a pulled word. For docsctl, what they and others write afterwards is a change beside it. */
  wasDiscarded = (word: string): boolean => [...this.discarded.values()].some((words) => words.includes(word));

  newPage(key: string, link?: PageWords['link'], image?: string): string {
    return newPage(this.words, key, link, image);
  }

  async commit(clone: string, message: string): Promise<void> {
    if (!this.isClone(clone)) return;
    this.#time += 60;
    await this.git(clone, 'add', '--all', 'docs');
    await this.git(clone, 'commit', '--quiet', '--message', message);
  }

  /** Copies a commit of origin. @param depth of a shallow clone */
  async checkOut(name: string, commit: string, depth?: number): Promise<void> {
    rmSync(join(this.root, name), { recursive: true, force: true });
    gitShell?.forget(join(this.root, name));
    if (depth === undefined) {
      cpSync(join(await template!, 'ci'), join(this.root, name), { recursive: true });
      this.fetch(name);
      writeFileSync(join(this.root, name, '.git/refs/heads/main'), this.originHead());
    } else {
      await this.git('.', 'init', '--quiet', '--initial-branch=main', name);
      await this.git(name, 'remote', 'add', 'origin', `file://${join(this.root, 'origin')}`);
      await this.git(name, 'fetch', '--quiet', `--depth=${depth}`, 'origin', commit);
    }
    await this.git(name, 'checkout', '--quiet', '--detach', commit);
  }

  /** Runs docsctl in a clone. With MODELS_VERBOSE, prints all requests. */
  async docsctl(clone: string, words: readonly string[], options: Omit<RunOptions, 'dir'> = {}): Promise<Run> {
    const line = ['content', ...words, 'docs', '--space', this.space, '--json'];
    const dir = join(this.root, clone);
    if (!process.env.MODELS_VERBOSE) return this.service.run(line, { ...options, dir });
    console.log(`$ docsctl ${line.join(' ')}`);
    const before: RunOptions['before'] = async (request, index, output) => {
      console.log(`  ${index} ${request.method} ${request.path} ${JSON.stringify(request.body ?? '').slice(0, 1500)}`);
      await options.before?.(request, index, output);
    };
    const run = await this.service.run(line, { ...options, dir, before });
    console.log(`  status ${run.status} ${run.stderr}${run.stdout}`);
    return run;
  }

  async pages(): Promise<SpacePage[]> {
    const revision = await this.service.call('GET', `/v1/spaces/${this.space}/content?metadata=false`);
    const flat = (pages: any[], parent: string | null): any[] =>
      pages.flatMap((page) => [{ ...page, parent }, ...flat(page.pages ?? [], page.id)]);
    const pictures = await this.#pictures(revision.files);
    const pages: SpacePage[] = [];
    for (const { id, title, slug, parent } of flat(revision.pages, null)) {
      const page = await this.#page(id, '?format=markdown&metadata=false');
      const words = wordsIn(page.markdown ?? '');
      if (!words) continue;
      const shown = pictures.get(words.image);
      if (shown !== undefined) words.words.set('picture', shown);
      pages.push({ ...words, id, title, slug, parent, text: page.markdown });
    }
    return pages;
  }

  /** The words in the pictures of the space, by address. */
  async #pictures(files: readonly { id: string; name: string }[]): Promise<Map<string, string>> {
    const pictures = new Map<string, string>();
    for (const { id, name } of files.filter((each) => each.name.endsWith('.png'))) {
      const { body } = (await download(this.service.instance, id))!;
      pictures.set(`/${name}`, wordOfPicture(Buffer.from(body as Uint8Array).toString()));
    }
    return pictures;
  }

  /** The ID of the page that the link of a page leads to; undefined if it is broken. */
  async target(page: string): Promise<string | undefined> {
    const { items } = await this.#page(page, '/links');
    const link = items.find((item: any) => item.targetReference?.kind !== 'file');
    return link?.status === 'ok' ? link.targetReference.page?.id : undefined;
  }

  #page(id: string, rest: string): Promise<any> {
    return this.service.call('GET', `/v1/spaces/${this.space}/content/page/${id}${rest}`);
  }

  /** Somebody changes the space in the app. */
  async edit(...changes: object[]): Promise<void> {
    const base = `/v1/spaces/${this.space}/change-requests`;
    const { id } = await this.service.call('POST', base, { subject: 'In the app' });
    await this.service.call('POST', `${base}/${id}/content`, { changes });
    await this.service.call('PATCH', `${base}/${id}`, { status: 'open' });
    await this.service.call('POST', `${base}/${id}/merge`);
  }
}
