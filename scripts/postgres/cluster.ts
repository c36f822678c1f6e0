// Starts a PostgreSQL, of the system or of a package of npm, in a temporary folder, runs a command on it, and ends it:
//
//     node scripts/postgres/cluster.ts vitest run test/postgres
//
// The command gets its address as DOCSCTL_TEST_POSTGRES.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serverPrograms } from './programs.ts';

const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const server = createServer().on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });

/** PostgreSQL does not run as root: its packages bring a user, and elsewhere nobody will do. */
function ownerOf(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (user: string, flag: string) =>
    Number(execFileSync('id', [flag, user], { encoding: 'utf8', stdio: 'pipe' }));
  try {
    return { uid: id('postgres', '-u'), gid: id('postgres', '-g') };
  } catch {
    return { uid: id('nobody', '-u'), gid: id('nobody', '-g') };
  }
}

interface Cluster {
  /** Of its database `postgres`. */
  address: string;
  port: number;
  /** The folder of its data. */
  data: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** As a crash of the machine would. */
  kill(): Promise<void>;
  end(): Promise<void>;
}

/**
 * @param settings of postgresql.conf, by name
 */
export async function startCluster(settings: Record<string, string> = {}): Promise<Cluster> {
  const programs = serverPrograms();
  const owner = ownerOf();
  const folder = mkdtempSync(join(tmpdir(), 'docsctl-postgres-'));
  if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid ?? owner.uid);
  const data = join(folder, 'data');
  const run = (program: string, ...words: string[]) =>
    execFileSync(join(programs, program), words, { ...owner, cwd: folder, stdio: 'pipe' });
  let child: ChildProcess | undefined;
  const stop = async (signal: NodeJS.Signals = 'SIGINT') => {
    const running = child;
    child = undefined;
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    const ended = new Promise((resolve) => running.once('exit', resolve));
    running.kill(signal);
    await ended;
  };
  try {
    run('initdb', '-D', data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync');
    const port = await freePort();
    const all = {
      listen_addresses: '127.0.0.1',
      port,
      unix_socket_directories: folder,
      max_connections: 300,
      fsync: 'off',
      ...settings,
    };
    const start = async () => {
      const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
      child = spawn(join(programs, 'postgres'), ['-D', data, ...options], {
        ...owner,
        cwd: folder,
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      let log = '';
      child.stderr?.on('data', (text: Buffer) => (log = `${log}${text}`.slice(-4_000)));
      await answering(port, () => {
        if (!child || child.exitCode !== null) throw new Error(`PostgreSQL did not start: ${log}`);
      });
    };
    await start();
    return {
      address: `postgres://postgres@127.0.0.1:${port}/postgres`,
      port,
      data,
      start,
      stop: () => stop(),
      kill: () => stop('SIGQUIT'),
      async end() {
        await stop();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await stop();
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

const maxStartMs = 30_000;

/** Waits until it takes connections: it answers a request for TLS with one letter. */
async function answering(port: number, assertRunning: () => void): Promise<void> {
  const until = Date.now() + maxStartMs;
  for (;;) {
    assertRunning();
    const isReady = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])));
      socket
        .on('data', () => resolve(true))
        .on('error', () => resolve(false))
        .on('close', () => resolve(false));
      socket.setTimeout(1_000, () => socket.destroy());
    });
    if (isReady) return;
    if (Date.now() > until) throw new Error('PostgreSQL did not take connections.');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

if (process.argv[1] === import.meta.filename) {
  const [command, ...words] = process.argv.slice(2);
  if (command === undefined) throw new Error('Name the command to run.');
  const cluster = await startCluster().catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  });
  const env = { ...process.env, DOCSCTL_TEST_POSTGRES: cluster.address };
  const child = spawn(command, words, { stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  const status = await new Promise<number>((resolve) => {
    child.on('exit', (code) => resolve(code ?? 1)).on('error', () => resolve(127));
  });
  await cluster.end();
  process.exitCode = status;
}
