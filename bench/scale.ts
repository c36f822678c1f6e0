// The curve, not a point: what a call costs at 1 thousand, 100 thousand and 1 million members, and at 50, 500 and 5,000 pages.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { administrator } from '../src/server/founding.ts';
import { type Instance, openInstance } from '../src/server/instance.ts';
import { newId } from '../src/store/ids.ts';

const memberSizes = (process.env.BENCH_MEMBERS ?? '1000,100000,1000000').split(',').map(Number);
const pageSizes = (process.env.BENCH_PAGES ?? '50,500,5000').split(',').map(Number);
const rounds = 31;
const folder = mkdtempSync(join(tmpdir(), 'docsctl-bench-'));

type Call = (method: string, path: string, body?: unknown) => Promise<any>;

async function open(name: string): Promise<{ instance: Instance; call: Call; org: string; admin: string }> {
  const instance = await openInstance({ file: join(folder, `${name}.db`) });
  const { organization, user } = (await instance.store.read(administrator))!;
  const call: Call = async (method, path, body) => {
    const url = new URL(path, 'http://bench');
    const response = await instance.handle({
      method,
      path: url.pathname,
      query: url.searchParams,
      headers: { 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
      as: user,
    });
    if (response.status >= 400) throw new Error(`${method} ${path}: ${String(response.body)}`);
    return response.body === '' ? undefined : JSON.parse(String(response.body));
  };
  return { instance, call, org: organization, admin: user };
}

/** Median milliseconds of a call, after two that do not count. */
async function median(work: (round: number) => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds + 2; round++) {
    const start = performance.now();
    await work(round);
    if (round >= 2) times.push(performance.now() - start);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(rounds / 2)]!;
}

async function fillMembers({ instance, org }: { instance: Instance; org: string }, count: number) {
  await instance.store.write(async (db) => {
    const user = db.raw.sqlite.prepare('insert into user (id, display_name, email, created_at) values (?, ?, ?, ?)');
    const member = db.raw.sqlite.prepare(
      'insert into member (organization, user, role, joined_at, last_seen_at) values (?, ?, ?, ?, ?)',
    );
    for (let i = 0; i < count; i++) {
      const id = `m${String(i).padStart(11, '0')}`;
      const time = new Date(1_700_000_000_000 + i * 1000).toISOString();
      user.run(id, `Person ${i.toString(36)} ${(i * 7919).toString(36)}`, `person${i}@bench.example`, time);
      member.run(org, id, ['read', 'edit', 'create', null][i % 4]!, time, time);
    }
  });
}

async function members(count: number): Promise<Record<string, number>> {
  const made = await open(`members-${count}`);
  const { call, org, instance } = made;
  await fillMembers(made, count);
  const list = `/v1/orgs/${org}/members`;
  // The token of a page deep in the list is made by asking for one there: the key is the time and id of a member.
  const first = await call('GET', `${list}?limit=1000&order=asc`);
  const middle = await deepToken(instance, `${list}`, count);
  const results = {
    'first page of 1,000': await median(() => call('GET', `${list}?limit=1000&order=asc`)),
    'last page of 1,000': await median(() => call('GET', `${list}?limit=1000&order=asc&page=${middle}`)),
    'search of a name': await median(() => call('GET', `${list}?search=${((count - 2) * 7919).toString(36)}&limit=50`)),
    'view of one': await median((round) => call('GET', `${list}/${first.items[round + 5].id}`)),
    'change of one': await median((round) =>
      call('PATCH', `${list}/${first.items[round + 50].id}`, { role: round % 2 ? 'edit' : 'review' }),
    ),
  };
  await instance.close();
  return results;
}

async function deepToken(instance: Instance, path: string, count: number): Promise<string> {
  const { encodeToken } = await import('../src/server/paging.ts');
  const at = Math.max(0, count - 1001);
  const scope = JSON.stringify([path, [['order', 'asc']]]);
  void instance;
  return encodeToken(scope, [
    new Date(1_700_000_000_000 + at * 1000).toISOString(),
    `m${String(at).padStart(11, '0')}`,
  ]);
}

async function pages(count: number): Promise<Record<string, number>> {
  const { call, org, instance } = await open(`pages-${count}`);
  const space = await call('POST', `/v1/orgs/${org}/spaces`, { title: 'Bench' });
  const at = `/v1/spaces/${space.id}`;
  for (let done = 0; done < count; done += 50) {
    await call('POST', `${at}/content`, {
      changes: Array.from({ length: Math.min(50, count - done) }, (_, i) => ({
        operation: 'insert_page',
        title: `Page ${done + i}`,
        document: {
          markdown: `# Page ${done + i}\n\nSome words about pump ${done + i} and its [neighbour](/pages/page-${Math.max(0, done + i - 1)}).\n`,
        },
      })),
    });
  }
  const tree = await call('GET', `${at}/content/pages`);
  const page = (round: number) => tree.pages[(round * 7) % tree.pages.length].id as string;
  const rowsBefore = rowCount(instance);
  const edit = (round: number) =>
    call('POST', `${at}/content`, {
      changes: [
        {
          operation: 'update_page',
          page: page(round),
          document: { markdown: `# Changed ${newId()}\n\nOther words.\n` },
        },
      ],
    });
  await edit(0);
  const rowsWritten = rowCount(instance) - rowsBefore;
  const results = {
    'view of one page': await median((round) => call('GET', `${at}/content/page/${page(round)}?format=markdown`)),
    'edit of one page': await median(edit),
    'rows added by one edit': rowsWritten,
    search: await median(() => call('GET', `${at}/search?query=pump`)),
    'merge of a one-page request': await median(async (round) => {
      const request = await call('POST', `${at}/change-requests`, { subject: 'Bench' });
      await call('POST', `${at}/change-requests/${request.id}/content`, {
        changes: [{ operation: 'update_page', page: page(round), document: { markdown: `# Merged ${newId()}\n` } }],
      });
      await call('PATCH', `${at}/change-requests/${request.id}`, { status: 'open' });
      await call('POST', `${at}/change-requests/${request.id}/merge`);
    }),
    'the whole tree': await median(() => call('GET', `${at}/content/pages`)),
  };
  await instance.close();
  return results;
}

function rowCount(instance: Instance): number {
  const tables = instance.store.raw
    .prepare(
      "select name from sqlite_master where type = 'table' and sql not like 'create virtual%' and name not like '%_search%'",
    )
    .all();
  return tables.reduce(
    (sum, { name }) => sum + Number(instance.store.raw.prepare(`select count(*) as n from "${String(name)}"`).get()!.n),
    0,
  );
}

function table(title: string, sizes: number[], results: Record<string, number>[]): string {
  const rows = Object.keys(results[0]!).map(
    (name) =>
      `| ${name} | ${results.map((result) => (name.startsWith('rows') ? String(result[name]) : `${result[name]!.toFixed(2)} ms`)).join(' | ')} |`,
  );
  const head = sizes.map((size) => size.toLocaleString('en')).join(' | ');
  return [`| ${title} | ${head} |`, `|---|${sizes.map(() => '---:|').join('')}`, ...rows].join('\n');
}

try {
  const byMembers: Record<string, number>[] = [];
  for (const size of memberSizes) byMembers.push(await members(size));
  const byPages: Record<string, number>[] = [];
  for (const size of pageSizes) byPages.push(await pages(size));
  const text = [
    '# Scale',
    '',
    `${new Date().toISOString().slice(0, 10)}, Node.js ${process.versions.node}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB.`,
    `Medians of ${rounds} calls in-process, on a file. What matters is how a row changes from left to right.`,
    '',
    table('members', memberSizes, byMembers),
    '',
    table('pages', pageSizes, byPages),
    '',
  ].join('\n');
  process.stdout.write(text);
  writeFileSync(new URL('scale.md', import.meta.url), text);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
