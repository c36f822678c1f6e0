import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type CommandLine, commandLine } from '../support/command-line.ts';
import { runs } from '../support/long-form.ts';
import fc from '../support/property.ts';

interface Change {
  kind: 'edit' | 'add' | 'move' | 'remove';
  side: 'app' | 'folder';
  page: number;
  place: number;
}

type Step = Change | { kind: 'push' | 'pull'; flags: string[] } | { kind: 'clone'; flags?: undefined };

const sides = fc.constantFrom('app' as const, 'folder' as const);
const place = { page: fc.nat(9), place: fc.nat(5) };
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('edit' as const), side: sides, ...place }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('add' as const, 'move' as const, 'remove' as const),
      side: sides,
      ...place,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom('push' as const, 'pull' as const),
      flags: fc.constantFrom<string[]>([], [], ['--prefer', 'app'], ['--prefer', 'folder']),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'clone' as const }) },
);

/** Each line of text is written once, so that what is lost can be told. */
const wordsIn = (texts: Iterable<string>) => new Set([...texts].flatMap((text) => text.match(/\b[af]\d+\b/g) ?? []));

const minus = (one: ReadonlySet<string>, other: ReadonlySet<string>) =>
  new Set([...one].filter((word) => !other.has(word)));

class World {
  readonly #docsctl: CommandLine;
  readonly #dir: string;
  readonly space: string;
  #count = 0;
  /** By the names of documents, which never change. */
  readonly #texts = new Map<string, string>();
  /** Words that the folder has or had, and those at its last push. */
  folderHad = new Set<string>();
  #pushedHad = new Set<string>();
  /** Words that the space has or had. */
  appHad = new Set<string>();

  constructor(docsctl: CommandLine, dir: string, space: string) {
    this.#docsctl = docsctl;
    this.#dir = dir;
    this.space = space;
  }

  get docs() {
    return join(this.#dir, this.space);
  }

  run = (...words: string[]) => this.#docsctl(...words, '--space', this.space);

  async files(): Promise<Map<string, string>> {
    const entries = await readdir(this.docs, { recursive: true, withFileTypes: true });
    const files = new Map<string, string>();
    for (const entry of entries) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isFile() && path.endsWith('.md'))
        files.set(path.slice(this.docs.length + 1), await readFile(path, 'utf8'));
    }
    return new Map([...files].toSorted());
  }

  async pages(): Promise<{ id: string; path: string; text: string }[]> {
    const { json } = await this.run('content', 'view');
    const flat = (pages: any[]): any[] => pages.flatMap((page) => [page, ...flat(page.pages ?? [])]);
    return Promise.all(
      flat(json.pages).map(async ({ id, path, documentId }: { id: string; path: string; documentId?: string }) => {
        const text = (documentId === undefined ? '' : this.#texts.get(documentId)) ?? (await this.#textOf(id));
        if (documentId !== undefined) this.#texts.set(documentId, text);
        return { id, path, text };
      }),
    );
  }

  async #textOf(page: string): Promise<string> {
    const { json } = await this.run('content', 'pages', 'view', page, '--format', 'markdown');
    return json.markdown ?? '';
  }

  async words() {
    const files = await this.files();
    const summary = files.get('SUMMARY.md');
    // With a SUMMARY.md, only the files that it lists are pages.
    const isPage = (path: string) => path !== 'SUMMARY.md' && (summary === undefined || summary.includes(`](${path})`));
    const [pages, others] = [isPage, (path: string) => !isPage(path)].map((is) =>
      [...files].filter(([path]) => is(path)),
    );
    return {
      folder: wordsIn(files.values()),
      /** Those that a push sends. */
      pages: wordsIn(pages?.map(([, text]) => text) ?? []),
      unlisted: others?.flatMap(([path]) => (path === 'SUMMARY.md' ? [] : [path])) ?? [],
      app: wordsIn((await this.pages()).map(({ text }) => text)),
    };
  }

  async note(): Promise<void> {
    const { folder, app } = await this.words();
    this.folderHad = new Set([...this.folderHad, ...folder]);
    this.appHad = new Set([...this.appHad, ...app]);
  }

  #word(side: 'app' | 'folder'): string {
    return `${side === 'app' ? 'a' : 'f'}${(this.#count += 1)}`;
  }

  /** A page text in which one line is another. */
  #edited(text: string, at: number, side: 'app' | 'folder'): string {
    const lines = text.split('\n');
    lines[at % lines.length] = this.#word(side);
    return lines.join('\n');
  }

  #newText(side: 'app' | 'folder'): string {
    return `${[1, 2, 3, 4].map(() => this.#word(side)).join('\n\n')}\n`;
  }

  /** With --prefer, a side gives up what it has: as if it had agreed. */
  #decide(before: { folder: Set<string>; app: Set<string> }, after: { folder: Set<string>; app: Set<string> }): void {
    this.folderHad = new Set([...this.folderHad, ...minus(before.app, after.app), ...minus(before.app, after.folder)]);
    this.appHad = new Set([...this.appHad, ...minus(before.folder, after.folder), ...minus(before.folder, after.app)]);
  }

  async change(step: Change): Promise<void> {
    if (step.side === 'app') await this.#changeApp(step);
    else await this.#changeFolder(step);
    await this.note();
  }

  async #changeFolder({ kind, page, place: at }: Change): Promise<void> {
    const files = [...(await this.files())];
    const [path, text] = files[page % Math.max(1, files.length)] ?? ['', ''];
    const write = async (name: string, content: string) => {
      await mkdir(dirname(join(this.docs, name)), { recursive: true });
      await writeFile(join(this.docs, name), content);
    };
    if (kind === 'add' || files.length === 0) {
      const name = `${at > 3 ? 'sub/' : ''}p${page}-${this.#count}.md`;
      await write(name, this.#newText('folder'));
      const summary = new Map(files).get('SUMMARY.md');
      if (summary !== undefined && at !== 0) await write('SUMMARY.md', `${summary.trimEnd()}\n* [Page](${name})\n`);
    } else if (kind === 'edit') await write(path, this.#edited(text, at * 2, 'folder'));
    else if (kind === 'remove' && files.length > 1) await rm(join(this.docs, path));
    else if (kind === 'move') {
      await mkdir(join(this.docs, 'moved'), { recursive: true });
      await rename(join(this.docs, path), join(this.docs, 'moved', `m${(this.#count += 1)}.md`));
    }
  }

  async #changeApp({ kind, page, place: at }: Change): Promise<void> {
    const pages = await this.pages();
    const chosen = pages[page % Math.max(1, pages.length)];
    const other = pages[at % Math.max(1, pages.length)];
    const change =
      kind === 'add' || !chosen
        ? { operation: 'insert_page', title: `New ${this.#count}`, document: { markdown: this.#newText('app') } }
        : kind === 'edit'
          ? {
              operation: 'update_page',
              page: chosen.id,
              document: { markdown: this.#edited(chosen.text, at * 2, 'app') },
            }
          : kind === 'remove'
            ? { operation: 'delete_page', page: chosen.id }
            : {
                operation: 'update_page',
                page: chosen.id,
                into: other?.path.startsWith(chosen.path) ? null : other?.id,
                at: 0,
              };
    const body = join(this.#dir, 'body.json');
    await writeFile(body, JSON.stringify({ changes: [change] }));
    const { json } = await this.run('cr', 'create', '--subject', 'App');
    await this.run('api', 'POST', `/v1/spaces/${this.space}/change-requests/${json.id}/content`, '--input', body);
    await this.run('cr', 'merge', String(json.number), '--open');
  }

  async push(flags: string[]): Promise<void> {
    const before = await this.words();
    const state = JSON.stringify(await this.pages());
    const run = await this.run('content', 'push', this.docs, '--merge', ...flags);
    const after = await this.words();
    // With status 8, SUMMARY.md does not say where a file belongs: it is left out, and the rest is pushed.
    const isPartial = run.status === 8 && /of the folder (?:was|were) not pushed/.test(run.stderr);
    if (run.status !== 0 && !isPartial) {
      expect([run.status, run.stderr]).toEqual([this.pushFailure(run.stderr), run.stderr]);
      expect(JSON.stringify(await this.pages())).toBe(state);
      expect(flags, run.stderr).toEqual([]);
      return;
    }
    const removedHere = minus(this.folderHad, before.pages);
    const removedInApp = minus(this.appHad, before.app);
    for (const path of before.unlisted) expect(run.stderr).toContain(`${path}:1: The page is not in SUMMARY.md`);
    if (flags[1] !== 'folder') expect([...minus(minus(before.app, after.app), removedHere)]).toEqual([]);
    if (flags[1] !== 'app') expect([...minus(minus(before.pages, after.app), removedInApp)]).toEqual([]);
    if (isPartial) return;
    if (flags.length > 0) this.#decide(before, after);
    await rm(`${this.docs}.pushed`, { recursive: true, force: true });
    await cp(this.docs, `${this.docs}.pushed`, { recursive: true });
    this.#pushedHad = this.folderHad;
    await this.note();
    expect((await this.run('content', 'push', this.docs, '--merge', '--dry-run')).json).toEqual([]);
    const again = await this.run('content', 'push', this.docs, '--merge');
    expect(again.json, again.stderr).toMatchObject({ status: 'unchanged' });
    if (run.json.kept + run.json.merged > 0) return;
    const pulled = await this.run('content', 'pull', this.docs, '--dry-run');
    expect(pulled.json, pulled.stderr).toEqual([]);
  }

  /** A folder without pages is refused, and one that was never pushed to a space that has some. */
  pushFailure = (stderr: string) => (stderr.includes('contains no pages') || stderr.includes('never pushed') ? 2 : 6);

  async pull(flags: string[]): Promise<void> {
    const before = await this.words();
    const state = JSON.stringify([...(await this.files())]);
    const run = await this.run('content', 'pull', this.docs, ...flags);
    if (run.status !== 0) {
      expect([run.status, flags, run.stderr]).toEqual([6, [], run.stderr]);
      expect(JSON.stringify([...(await this.files())])).toBe(state);
      return;
    }
    const after = await this.words();
    const removedHere = minus(this.folderHad, before.folder);
    const removedInApp = minus(this.appHad, before.app);
    if (flags[1] !== 'app') expect([...minus(minus(before.folder, after.folder), removedInApp)]).toEqual([]);
    if (flags[1] !== 'folder') expect([...minus(minus(before.app, after.folder), removedHere)]).toEqual([]);
    if (flags.length > 0) this.#decide(before, { ...after, app: before.app });
    await this.note();
  }

  /** The folder as it was pushed last, as a new clone of its repository has it. */
  async clone(): Promise<void> {
    await rm(this.docs, { recursive: true, force: true });
    await cp(`${this.docs}.pushed`, this.docs, { recursive: true });
    this.folderHad = this.#pushedHad;
  }
}

test('of two writers, nobody loses a line without a conflict or a flag', { timeout: 300_000 }, async () => {
  const dir = await mkdtemp(join(tmpdir(), 'docsctl-writers-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const docsctl = await commandLine(dir);

  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      const space = (await docsctl('spaces', 'create', '--title', 'Docs')).json.id as string;
      const world = new World(docsctl, dir, space);
      await mkdir(world.docs);
      for (const name of ['a', 'b', 'sub/c']) {
        await mkdir(dirname(join(world.docs, `${name}.md`)), { recursive: true });
        await writeFile(
          join(world.docs, `${name}.md`),
          `f${name.at(-1)}1\n\nf00${name.charCodeAt(0)}1\n\nf00${name.charCodeAt(0)}2\n\nf00${name.charCodeAt(0)}3\n`,
        );
      }
      await world.note();
      await world.push([]);
      for (const each of steps) {
        if ('side' in each) await world.change(each);
        else if (each.kind === 'push') await world.push(each.flags);
        else if (each.kind === 'pull') await world.pull(each.flags);
        else await world.clone();
      }
      await world.push([]);
    }),
    { numRuns: runs(3, 40) },
  );
});
