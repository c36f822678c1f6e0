import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startCluster } from '../scripts/postgres/cluster.ts';
import { sendRequests, startServer } from './load.mjs';
import { compare, cpuOfProcess, measureWork, median, pairs } from './measure.mjs';

const token = 'token-of-the-bench';
const headers = { authorization: `Bearer ${token}` };
const spaceCount = 64;
const connections = 64;

/** What each kind of request does, and how many are one measurement. */
const loads = {
  read: {
    name: 'GET of one member',
    budget: 1.2,
    count: 3000,
    requestOf: ({ url, member }) => ({ url: `${url}${member}` }),
  },
  write: {
    name: 'a change of a page, durable, in 64 spaces by turns',
    budget: 1.3,
    count: 640,
    requestOf: ({ url, pages }, n) => {
      const { space, page } = pages[n % pages.length];
      const change = { operation: 'update_page', page, document: { markdown: `Words of change ${n}.\n` } };
      return { url: `${url}/v1/spaces/${space}/content?compat=false`, method: 'POST', body: { changes: [change] } };
    },
  },
};

/** One process on each kind of database, then several on one PostgreSQL, which runs on the same machine. */
export async function measureDatabases({ docsctl, env, folder, row }) {
  let cluster;
  try {
    cluster = await startCluster({ fsync: 'on' });
  } catch (error) {
    row(20, 'PostgreSQL beside SQLite', undefined, 1.3, { detail: error.message });
    return;
  }
  const serve = (database) =>
    startServer([...docsctl, 'serve', '--port', '0', '--json', '--log', 'off', '--no-journal'], {
      ...env,
      DOCSCTL_SERVE_DB: database,
      DOCSCTL_SERVE_TOKEN: token,
    });
  const servers = [];
  const started = async (database) => {
    const server = await serve(database);
    servers.push(server);
    return { pid: server.pid, ...JSON.parse(server.line) };
  };
  try {
    const file = await fill(await started(join(folder, 'databases.db')));
    const first = await fill(await started(cluster.address));
    const database = Number((await readFile(join(cluster.data, 'postmaster.pid'), 'utf8')).split('\n')[0]);
    for (const load of Object.values(loads)) {
      const result = await compare(
        () => measure([first], load),
        () => measure([file], load),
      );
      row(20, `${load.name}: CPU of docsctl on PostgreSQL, beside SQLite`, result.cpu, load.budget, {
        detail: `${micro(result.a.cpu)} and ${micro(result.b.cpu)} a request; ${rate(result.a.wall)} and ${rate(result.b.wall)} a second`,
      });
    }
    const processes = [first];
    while (processes.length < 4) processes.push({ ...first, ...(await started(cluster.address)) });
    for (const load of Object.values(loads)) {
      for (const count of [2, 4]) {
        const result = await compare(
          () => measure(processes.slice(0, count), load),
          () => measure([first], load),
        );
        const cost = await costs(processes.slice(0, count), load, database);
        row(20, `${load.name}: requests a second of ${count} processes, beside one`, 1 / result.wall, undefined, {
          detail: `${rate(result.a.wall)} and ${rate(result.b.wall)} a second; CPU a request: docsctl ${micro(cost.docsctl)}, PostgreSQL ${micro(cost.database)}, the clients ${micro(cost.clients)}`,
        });
      }
    }
  } finally {
    for (const server of servers) await server.end();
    await cluster.end();
  }
}

const micro = (seconds) => `${Math.round(seconds * 1e6)} µs`;
const rate = (seconds) => Math.round(1 / seconds);

/** Spaces with a page each. @returns what the requests need */
async function fill({ url, organization, user, pid }) {
  const call = async (path, body) => {
    const answer = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return answer.json();
  };
  const pages = [];
  for (let n = 0; n < spaceCount; n++) {
    const { id: space } = await call(`/v1/orgs/${organization}/spaces`, { title: `Space ${n}` });
    const page = { operation: 'insert_page', title: 'Page', document: { markdown: 'Words.\n' } };
    const { changes } = await call(`/v1/spaces/${space}/content?compat=false`, { changes: [page] });
    pages.push({ space, page: changes[0].page.id });
  }
  return { pid, url, member: `/v1/orgs/${organization}/members/${user}`, pages };
}

const send = (processes, { count, requestOf }) =>
  sendRequests((n) => requestOf(processes[n % processes.length], n), headers, count, connections);

/** Seconds a request: on the clock, and of the processors for docsctl. */
async function measure(processes, load) {
  const before = await cpuOf(processes);
  const { wall } = await measureWork(() => send(processes, load));
  return { cpu: ((await cpuOf(processes)) - before) / load.count, wall: wall / load.count };
}

/** Seconds of the processors a request, by who used them. */
async function costs(processes, load, database) {
  const all = [];
  for (let time = 0; time < Math.min(pairs, 5); time++) {
    const before = [await cpuOf(processes), await cpuOfFamily(database)];
    const { cpu } = await measureWork(() => send(processes, load));
    const after = [await cpuOf(processes), await cpuOfFamily(database)];
    all.push([after[0] - before[0], after[1] - before[1], cpu]);
  }
  const [docsctl, postgres, clients] = [0, 1, 2].map((which) => median(all.map((each) => each[which])) / load.count);
  return { docsctl, database: postgres, clients };
}

const cpuOf = async (processes) => sum(await Promise.all(processes.map(({ pid }) => cpuOfProcess(pid))));

/** Of a process and those that it started. Connections stay open meanwhile, so none of them ends. */
async function cpuOfFamily(parent) {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const times = pids.map(async (pid) => {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    const isOfFamily = Number(pid) === parent || Number(stat.split(') ')[1]?.split(' ')[1]) === parent;
    return isOfFamily ? cpuOfProcess(pid).catch(() => 0) : 0;
  });
  return sum(await Promise.all(times));
}

const sum = (values) => values.reduce((total, value) => total + value, 0);
