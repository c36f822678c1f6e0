import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Settings as variables: without them, a commit starts more processes and waits for the disk. */
const settings = { 'gc.auto': '0', 'maintenance.auto': 'false', 'receive.autogc': 'false', 'core.fsync': 'none' };

const environment: Record<string, string> = {
  PATH: process.env.PATH ?? '',
  HOME: '/nonexistent',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Ann',
  GIT_AUTHOR_EMAIL: 'ann@example.org',
  GIT_COMMITTER_NAME: 'Ann',
  GIT_COMMITTER_EMAIL: 'ann@example.org',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_TEMPLATE_DIR: '',
  GIT_CONFIG_COUNT: String(Object.keys(settings).length),
  ...Object.fromEntries(
    Object.entries(settings).flatMap(([key, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, key],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]),
  ),
};

interface Answer {
  code: number;
  output: Buffer;
}

/** What `execFile` passes to its callback. */
type Callback = (error: (Error & { code?: number }) | null, stdout: Buffer, stderr: Buffer) => void;

/**
 * Runs git from a shell that stays open. To start a process from this large one takes twice as long as git itself, and a
 * sequence starts hundreds.
 */
export class GitShell {
  readonly #shell: ChildProcess;
  readonly #waiting: ((code: number, output: Buffer) => void)[] = [];
  #output: Buffer[] = [];
  /** Answers that stay the same until a command runs that changes a repository. */
  readonly #known = new Map<string, Answer>();
  /** Answers about commits and trees, which stay the same. */
  readonly #permanent = new Map<string, Answer>();
  readonly #end = Buffer.from(`\n--end of git ${process.pid} `);

  constructor() {
    this.#shell = spawn('sh', [], { env: environment, stdio: ['pipe', 'pipe', 'ignore'] });
    this.#shell.stdout!.on('data', (chunk: Buffer) => this.#take(chunk));
  }

  /** Runs git, unless it is known what it answers. */
  async run(args: readonly string[], cwd: string, env: Record<string, string> = {}): Promise<Answer> {
    const words = args.filter((arg, index) => arg !== '-c' && args[index - 1] !== '-c');
    if (!isQuestion(words)) {
      this.#known.clear();
      return this.#run(args, cwd, env);
    }
    const head = words[0] === 'rev-parse' ? headFor(words.slice(1).join(' '), cwd) : undefined;
    if (head !== undefined) return { code: 0, output: Buffer.from(head) };
    const isAboutIndex = words[0] === 'ls-files';
    const key = [cwd, isAboutIndex ? versionOfIndex(cwd) : '', ...words].join('\0');
    const answer = this.#permanent.get(key) ?? this.#known.get(key) ?? (await this.#run(args, cwd, env));
    const isKnown = answer.code === 0 || (answer.code === 1 && words[0] === 'merge-base');
    const isPermanent = isAboutIndex || (isKnown && namesCommits(words));
    if (this.#permanent.size > 10_000) this.#permanent.clear();
    (isPermanent ? this.#permanent : this.#known).set(key, answer);
    return answer;
  }

  /** For changes of a repository without git. @param folder of a repository that is replaced by another one */
  forget(folder?: string): void {
    this.#known.clear();
    if (folder === undefined) return;
    for (const key of this.#permanent.keys()) if (key.startsWith(folder)) this.#permanent.delete(key);
  }

  #run(args: readonly string[], cwd: string, env: Record<string, string>): Promise<Answer> {
    const variables = Object.entries(env).map(([name, value]) => `${name}=${quoted(value)}`);
    const command = [...variables, 'git', '-C', quoted(cwd), ...args.map(quoted)].join(' ');
    return new Promise((settle) => {
      this.#waiting.push((code, output) => settle({ code, output }));
      this.#shell.stdin!.write(`${command} </dev/null; printf '%s%d\\n' ${quoted(this.#end.toString())} $?\n`);
    });
  }

  /** The same as `execFile` of Node.js, for git. */
  execFile = (_: string, args: readonly string[], options: { cwd?: string }, callback: Callback): void => {
    const run = async () => {
      const { code, output } = await this.run(args, options.cwd ?? process.cwd());
      callback(code === 0 ? null : Object.assign(new Error('git failed'), { code }), output, Buffer.alloc(0));
    };
    void run();
  };

  close(): void {
    this.#shell.stdin!.end();
  }

  #take(chunk: Buffer): void {
    this.#output.push(chunk);
    for (;;) {
      const all = Buffer.concat(this.#output);
      const at = all.indexOf(this.#end);
      const line = at < 0 ? -1 : all.indexOf('\n', at + this.#end.length);
      if (line < 0) return;
      this.#output = [all.subarray(line + 1)];
      const code = Number(all.subarray(at + this.#end.length, line).toString());
      this.#waiting.shift()?.(code, all.subarray(0, at));
    }
  }
}

/** Commands that only read the repository, not the files. */
const questions = new Set([
  'rev-parse',
  'cat-file',
  'ls-files',
  'ls-tree',
  'merge-base',
  'rev-list',
  'log',
  'show',
  'diff-tree',
  'config',
]);

function isQuestion([command = '', ...rest]: readonly string[]): boolean {
  if (command === 'ls-files') return !rest.includes('--others');
  return questions.has(command) && (command !== 'config' || rest.some((arg) => arg.startsWith('--get')));
}

/** Whether a question names what it is about by IDs, so that its answer does not change. */
function namesCommits([, ...rest]: readonly string[]): boolean {
  const words = rest.filter((word) => !word.startsWith('-'));
  return words.some((word) => id.test(word)) && !words.some((word) => /HEAD|main/.test(word));
}

const id = /^[\da-f]{40}/;

/** What `git rev-parse` prints about HEAD, read from its files; undefined for other questions. */
function headFor(question: string, cwd: string): string | undefined {
  const asksAll = question === '--is-shallow-repository HEAD --abbrev-ref HEAD';
  const folder = join(cwd, '.git');
  if ((question !== 'HEAD' && !asksAll) || !existsSync(folder)) return undefined;
  const head = readFileSync(join(folder, 'HEAD'), 'utf8').trim();
  const ref = /^ref: (.*)/.exec(head)?.[1];
  if (ref !== undefined && !existsSync(join(folder, ref))) return undefined;
  const commit = ref === undefined ? head : readFileSync(join(folder, ref), 'utf8').trim();
  if (!asksAll) return `${commit}\n`;
  return `${existsSync(join(folder, 'shallow'))}\n${commit}\n${ref?.replace('refs/heads/', '') ?? 'HEAD'}\n`;
}

/** Other than before whenever git wrote the index. */
function versionOfIndex(cwd: string): string {
  const index = [cwd, join(cwd, '..')].map((folder) => join(folder, '.git/index')).find((path) => existsSync(path));
  if (index === undefined) return '';
  const { ino, mtimeNs, size } = statSync(index, { bigint: true });
  return `${ino} ${mtimeNs} ${size}`;
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
