import { type ChildProcess, spawn } from 'node:child_process';

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
  readonly #known = new Map<string, { code: number; output: Buffer }>();
  readonly #end = Buffer.from(`\n--end of git ${process.pid} `);

  constructor() {
    this.#shell = spawn('sh', [], { env: environment, stdio: ['pipe', 'pipe', 'ignore'] });
    this.#shell.stdout!.on('data', (chunk: Buffer) => this.#take(chunk));
  }

  /** Runs git, unless it is known what it answers. */
  async run(
    args: readonly string[],
    cwd: string,
    env: Record<string, string> = {},
  ): Promise<{ code: number; output: Buffer }> {
    if (!isQuestion(args)) {
      this.#known.clear();
      return this.#run(args, cwd, env);
    }
    const key = [cwd, ...args].join('\0');
    const answer = this.#known.get(key) ?? (await this.#run(args, cwd, env));
    this.#known.set(key, answer);
    return answer;
  }

  /** For changes of a repository without git. */
  forget(): void {
    this.#known.clear();
  }

  #run(args: readonly string[], cwd: string, env: Record<string, string>): Promise<{ code: number; output: Buffer }> {
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

/** Commands that only read the repository, not the files or the index. */
const questions = new Set(['rev-parse', 'cat-file', 'ls-tree', 'merge-base', 'rev-list', 'diff-tree', 'config']);

function isQuestion(args: readonly string[]): boolean {
  const [command = '', ...rest] = args.filter((arg, index) => arg !== '-c' && args[index - 1] !== '-c');
  return questions.has(command) && (command !== 'config' || rest.some((arg) => arg.startsWith('--get')));
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
