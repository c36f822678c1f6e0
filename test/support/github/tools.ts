import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bin, root } from '../cli.ts';

/** Programs that a build server has, with the built docsctl as what npm installs. */
export interface Tools {
  folder: string;
  /** Each call of npm: its arguments, and the folder in which it ran. */
  npmCalls(): Promise<{ words: string[]; cwd: string }[]>;
  /** The comments of the pull request that gh knows. */
  comments(): Promise<Comment[]>;
  /** Adds one that is older than all others. */
  addComment(comment: Omit<Comment, 'url'>): Promise<void>;
}

interface Comment {
  url: string;
  body: string;
  viewerDidAuthor: boolean;
}

/** Instead of a download, a script that runs the build is put where npm would install it. */
const npm = `
import { appendFileSync, chmodSync, mkdirSync, writeFileSync } from 'node:fs';
const words = process.argv.slice(4);
appendFileSync(process.argv[2], JSON.stringify({ words, cwd: process.cwd() }) + '\\n');
if (words[0] !== 'install' || !/^docsctl@|^https:|^\\//.test(words.at(-1))) throw new Error('Not understood: ' + words.join(' '));
if (!words.includes('--global')) {
  const folder = words[words.indexOf('--prefix') + 1] + '/node_modules/.bin';
  mkdirSync(folder, { recursive: true });
  writeFileSync(folder + '/docsctl', process.argv[3]);
  chmodSync(folder + '/docsctl', 0o755);
}
`;

/** As much of gh as comments need: \`pr view --json comments --jq\`, and \`api\` to write one. */
const gh = `
import { readFileSync, writeFileSync } from 'node:fs';
const [file, jqPath, ...words] = process.argv.slice(2);
const value = (name) => words[words.indexOf(name) + 1];
if (process.env.GH_TOKEN !== 'token-of-the-job') {
  console.error('gh: Resource not accessible by integration (HTTP 403)');
  process.exit(1);
}
const comments = JSON.parse(readFileSync(file, 'utf8'));
if (words[0] === 'pr' && words[1] === 'view' && words[2] === '12' && value('--repo') === 'me/docs') {
  const { raw } = await import(jqPath);
  const { stdout } = await raw(JSON.stringify({ comments }), value('--jq'), ['-r']);
  process.stdout.write(stdout);
} else if (words[0] === 'api') {
  const body = readFileSync(value('--field').replace('body=@', ''), 'utf8');
  const path = words.find((word) => word.startsWith('repos/'));
  const [, id] = /^repos\\/me\\/docs\\/issues\\/comments\\/(\\d+)$/.exec(path) ?? [];
  if (value('--method') === 'PATCH') comments.find(({ url }) => url.endsWith('issuecomment-' + id)).body = body;
  else if (path !== 'repos/me/docs/issues/12/comments') throw new Error(path);
  else comments.push({ url: 'https://github.example/me/docs/pull/12#issuecomment-' + (900 + comments.length), body, viewerDidAuthor: true });
  writeFileSync(file, JSON.stringify(comments));
} else throw new Error('Not understood: ' + words.join(' '));
`;

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

export async function makeTools(parent: string): Promise<Tools> {
  const folder = join(parent, 'tools');
  const state = join(parent, 'tools-state');
  const [calls, comments] = [join(state, 'npm.jsonl'), join(state, 'comments.json')];
  const docsctl = `#!/bin/sh\nexec ${quoted(process.execPath)} ${quoted(bin)} "$@"\n`;
  await mkdir(folder);
  await mkdir(state);
  await writeFile(calls, '');
  await writeFile(comments, '[]');
  const jq = join(root, 'node_modules', 'jq-wasm', 'dist', 'index.mjs');
  const programs: Record<string, { source: string; words: string[] }> = {
    npm: { source: npm, words: [calls, docsctl] },
    gh: { source: gh, words: [comments, jq] },
  };
  for (const [name, { source, words }] of Object.entries(programs)) {
    const script = join(state, `${name}.mjs`);
    await writeFile(script, source);
    const command = [process.execPath, script, ...words].map(quoted).join(' ');
    await writeFile(join(folder, name), `#!/bin/sh\nexec ${command} "$@"\n`);
  }
  await writeFile(join(folder, 'docsctl'), docsctl);
  for (const name of ['docsctl', ...Object.keys(programs)]) await chmod(join(folder, name), 0o755);
  const read = async () => JSON.parse(await readFile(comments, 'utf8')) as Comment[];
  return {
    folder,
    npmCalls: async () =>
      (await readFile(calls, 'utf8'))
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    comments: read,
    async addComment(comment) {
      const all = await read();
      const url = `https://github.example/me/docs/pull/12#issuecomment-${900 + all.length}`;
      await writeFile(comments, JSON.stringify([{ ...comment, url }, ...all]));
    },
  };
}
