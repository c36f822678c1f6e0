import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Docsctl, partsOf } from './cli.ts';
import { type InProcessHome, test as base } from './in-process.ts';
import { initialize } from './prepared.ts';

export interface Docs {
  dir: string;
  docsctl: Docsctl;
  /** Each call in a process of its own. */
  spawn: Docsctl;
  space: string;
  /** Writes files below the home. */
  write(files: Record<string, string | Uint8Array>): Promise<void>;
  /** Changes main content as somebody in the app does: in a change request that is merged at once. */
  inApp(changes: unknown[]): Promise<void>;
  /** The pages of main content, with those below others. */
  pages(): Promise<{ id: string; title: string; path: string }[]>;
  pageId(title: string): Promise<string>;
  /** The Markdown of all pages of main content, by their titles. */
  texts(): Promise<Record<string, string>>;
}

/** A space without pages, and a home to keep folders in. */
export const test = base.extend<{ docs: Docs }>({
  docs: async ({ home }, use) => use(await docsIn(home)),
});

async function docsIn(home: InProcessHome): Promise<Docs> {
  await initialize(home);
  const space = (await home.docsctl('spaces', 'create', '--title', 'Docs', '-o', 'id')).stdout.trim();
  const inSpace =
    (docsctl: Docsctl): Docsctl =>
    (...call) => {
      const { words, options } = partsOf(call);
      return docsctl(...words, { ...options, env: { DOCSCTL_SPACE: space, ...options.env } });
    };
  const docsctl = inSpace(home.docsctl);
  const api = async (method: string, path: string, body: unknown) => {
    await writeFile(join(home.dir, 'body.json'), JSON.stringify(body));
    const run = await docsctl('api', method, `/v1/spaces/${space}/${path}`, '--input', 'body.json');
    if (run.exitCode !== 0) throw new Error(run.stderr);
    return run.json;
  };
  const pages: Docs['pages'] = async () => {
    const { json } = await docsctl('content', 'view', '--json');
    const flat = (list: any[]): any[] => list.flatMap((page) => [page, ...flat(page.pages ?? [])]);
    return flat(json.pages);
  };
  const markdownOf = async (id: string) =>
    (await docsctl('content', 'pages', 'view', id, '--format', 'markdown', '--json')).json.markdown ?? '';
  return {
    dir: home.dir,
    space,
    docsctl,
    spawn: inSpace(home.spawn),
    write: (files) => writeIn(home.dir, files),
    async inApp(changes) {
      const { id } = await api('POST', 'change-requests', { subject: 'In the app' });
      await api('POST', `change-requests/${id}/content`, { changes });
      await api('PATCH', `change-requests/${id}`, { status: 'open' });
      const { result } = await api('POST', `change-requests/${id}/merge`, {});
      if (result !== 'merge') throw new Error(`The change in the app was not merged: ${result}`);
    },
    pages,
    pageId: async (title) => (await pages()).find((page) => page.title === title)!.id,
    async texts() {
      const texts: Record<string, string> = {};
      for (const { id, title } of await pages()) texts[title] = await markdownOf(id);
      return texts;
    },
  };
}

export async function writeIn(dir: string, files: Record<string, string | Uint8Array>): Promise<void> {
  for (const [path, bytes] of Object.entries(files)) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), bytes);
  }
}
