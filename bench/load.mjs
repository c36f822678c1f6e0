import { spawn } from 'node:child_process';
import { Agent, get, request } from 'node:http';
import { cpuOfProcess, measureWork } from './measure.mjs';

/** Starts a program that prints where it serves. @returns its address, what it printed, and how to end it */
export async function startServer(command, env = {}) {
  const child = spawn(command[0], command.slice(1), {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const line = await new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
      if (text.includes('\n')) resolve(text.split('\n')[0]);
    });
    child.on('exit', (code) => reject(new Error(`${command.join(' ')} ended with ${code}`)));
  });
  return {
    line,
    pid: child.pid,
    end: () =>
      new Promise((resolve) => {
        child.removeAllListeners('exit');
        child.on('exit', resolve);
        child.kill();
      }),
  };
}

/**
 * So many requests over a few connections.
 *
 * @param {(n: number) => { url: string, method?: string, body?: object }} requestOf of the n-th one
 */
export async function sendRequests(requestOf, headers, count, connections = 8) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  let next = 0;
  const send = ({ url, method = 'GET', body }) =>
    new Promise((resolve, reject) => {
      const text = body && JSON.stringify(body);
      const sent = request(
        url,
        { agent, method, headers: { ...headers, ...(text && jsonHeaders(text)) } },
        (response) => {
          if (response.statusCode >= 300) reject(new Error(`${method} ${url} answered ${response.statusCode}`));
          response.resume().on('end', resolve);
        },
      );
      // A server may close a connection in the moment in which it is used again.
      sent.on('error', (error) =>
        sent.reusedSocket && method === 'GET' ? send({ url }).then(resolve, reject) : reject(error),
      );
      sent.end(text);
    });
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (next < count) await send(requestOf(next++));
    }),
  );
  agent.destroy();
}

const jsonHeaders = (text) => ({ 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });

/** What a server's processors did for so many GETs. */
export async function measureServer(pid, url, headers, count) {
  const before = await cpuOfProcess(pid);
  const { wall } = await measureWork(() => sendRequests(() => ({ url }), headers, count));
  return { cpu: ((await cpuOfProcess(pid)) - before) / count, wall: wall / count };
}

/** From the start of a program to its first answer. */
export async function firstAnswer(command, url, { env = {}, headers = {} } = {}) {
  const start = performance.now();
  const child = spawn(command[0], command.slice(1), { env: { ...process.env, ...env }, stdio: 'ignore' });
  try {
    for (;;) {
      const ok = await new Promise((resolve) => {
        get(url, { headers, agent: false }, (response) => {
          response.resume();
          resolve(response.statusCode === 200);
        }).on('error', () => resolve(false));
      });
      if (ok) break;
      if (performance.now() - start > 60_000) throw new Error(`${command.join(' ')} does not answer`);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    return { wall: (performance.now() - start) / 1000, cpu: await cpuOfProcess(child.pid) };
  } finally {
    await new Promise((resolve) => child.on('exit', resolve).kill('SIGKILL'));
  }
}
