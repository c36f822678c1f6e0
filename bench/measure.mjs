import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** How often each of two things is measured, in turn. */
export const pairs = Number(process.env.BENCH_PAIRS ?? 15);

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * What a command took: seconds on the clock, and of processors (its own and the system's for it). Its output goes into a
 * pipe and is thrown away.
 *
 * @param {string[]} command
 * @param {Record<string, string>} env
 * @returns {Promise<{ wall: number, cpu: number, bytes: number }>}
 */
export function timeCommand(command, env = {}) {
  const script = 'TIMEFORMAT="%3R %3U %3S"; time "$@" 2>/dev/null </dev/null';
  return new Promise((resolve, reject) => {
    const child = spawn('bash', ['-c', script, 'bash', ...command], {
      env: { ...process.env, NODE_EXTRA_CA_CERTS: '', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    let bytes = 0;
    child.stdout.on('data', (chunk) => (bytes += chunk.length));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('error', reject);
    child.on('close', (code) => {
      const [wall, user, system] = output.trim().split(' ').map(Number);
      if (code !== 0 || system === undefined)
        reject(new Error(`${command.join(' ')} ended with ${code}: ${output.trim()}`));
      else resolve({ wall, cpu: user + system, bytes });
    });
  });
}

/**
 * Two measurements in turn, so that other work of the machine affects both.
 *
 * @returns {Promise<{ cpu: number, wall: number, a: object, b: object }>} medians of the pairs' ratios and of each side
 */
export async function compare(measureA, measureB, count = pairs) {
  await measureA();
  await measureB();
  const all = [];
  for (let pair = 0; pair < count; pair++) all.push([await measureA(), await measureB()]);
  const of = (side, key) => median(all.map((pair) => pair[side][key]));
  const ratio = (key) => median(all.map(([a, b]) => a[key] / b[key]));
  return {
    cpu: ratio('cpu'),
    wall: ratio('wall'),
    a: { cpu: of(0, 'cpu'), wall: of(0, 'wall') },
    b: { cpu: of(1, 'cpu'), wall: of(1, 'wall') },
  };
}

export const compareCommands = (a, b, { env = {}, count } = {}) =>
  compare(
    () => timeCommand(a, env),
    () => timeCommand(b, env),
    count,
  );

/** What some work in this process took, on its one thread. */
export async function measureWork(work) {
  const cpu = process.cpuUsage();
  const start = performance.now();
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { wall: (performance.now() - start) / 1000, cpu: (user + system) / 1e6 };
}

/** Peak memory of a Node.js program in MB. */
export async function peakMemory(command, env, folder) {
  const file = `${folder}/peak`;
  const preload = fileURLToPath(new URL('peak.cjs', import.meta.url));
  await timeCommand([command[0], '--require', preload, ...command.slice(1)], { ...env, BENCH_PEAK: file });
  return Number(await readFile(file, 'utf8')) / 1024;
}

/** Seconds that the threads of a process have run; only Linux reports them. */
export async function cpuOfProcess(pid) {
  const { readdir } = await import('node:fs/promises');
  const tasks = await readdir(`/proc/${pid}/task`);
  const times = await Promise.all(tasks.map((task) => readFile(`/proc/${pid}/task/${task}/schedstat`, 'utf8')));
  return times.reduce((sum, text) => sum + Number(text.split(' ')[0]) / 1e9, 0);
}
