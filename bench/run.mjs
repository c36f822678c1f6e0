import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { collections, createClient, members, orgs, spaces } from '../dist/index.mjs';
import { measureDatabases } from './databases.mjs';
import { measureCheck, measureLargeCheck, measureLargePush } from './content.mjs';
import { makeContent, makeDocs, makeMembers, makeOrganization } from './data.mjs';
import { measureDescriptions, measurePdf } from './documents.mjs';
import { measureLinks } from './links.mjs';
import { firstAnswer, measureServer, startServer } from './load.mjs';
import { compareCommands, compare, median, pairs, peakMemory, timeCommand, measureWork } from './measure.mjs';
import { scaleTable } from './scale.mjs';

const run = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));
const docsctl = [process.execPath, join(root, 'bin', 'docsctl.js')];
const empty = [process.execPath, '-e', '0'];
const selected = process.argv.slice(2).filter((word) => /^(\d+|scale)$/.test(word));
const isSelected = (number) => selected.length === 0 || selected.includes(String(number));
/** A million members; less is for trying the bench itself. */
const many = Number(process.env.BENCH_MEMBERS ?? 1_000_000);

const folder = await mkdtemp(join(tmpdir(), 'docsctl-bench-'));
const env = {
  DOCSCTL_CONFIG_DIR: join(folder, 'config'),
  DOCSCTL_DATA_DIR: join(folder, 'data'),
  DOCSCTL_CACHE_DIR: join(folder, 'cache'),
  DOCSCTL_KEYRING: 'off',
};
const rows = [];

/** One line of the table: a figure against its budget, if there is one. */
function row(number, what, figure, budget, { unit = '', detail = '' } = {}) {
  const verdict =
    figure === undefined
      ? 'not measured'
      : budget === undefined
        ? 'for comparison'
        : figure <= budget
          ? 'met'
          : 'missed';
  const figureText = figure === undefined ? '' : `${Number(figure.toPrecision(3))}${unit}`;
  const budgetText = budget === undefined ? 'none' : `${budget}${unit}`;
  rows.push({ number, what, figure: figureText, budget: budgetText, verdict, detail });
  console.log(
    `${String(number).padEnd(4)}${what}: ${figureText} (budget ${budgetText}) ${verdict}${detail && `; ${detail}`}`,
  );
}

const ms = (seconds) => `${Number((seconds * 1000).toPrecision(3))} ms`;
const timesOf = ({ a, b, wall }) => `CPU ${ms(a.cpu)} and ${ms(b.cpu)}; on the clock ${Number(wall.toPrecision(3))}`;

async function commands(number, what, words, budgets, options = {}) {
  for (const [other, budget, name] of budgets) {
    if (other === undefined) {
      row(number, `${what}, beside ${name}`, undefined, budget, { detail: `${name} is not installed` });
      continue;
    }
    const result = await compareCommands([...docsctl, ...words], other, { env: { ...env, ...options.env } });
    row(number, `${what}, beside ${name}`, result.cpu, budget, { detail: timesOf(result) });
  }
}

const steps = {
  async start() {
    const { gh } = await peers();
    await run(docsctl[0], [docsctl[1], 'init', '--demo'], { env: { ...process.env, ...env } });
    // The first run fills the cache of compiled code, as it does for users.
    await timeCommand([...docsctl, 'members', 'list', '--limit', '50'], env);
    if (isSelected(1))
      await commands(
        1,
        '`docsctl --version`',
        ['--version'],
        [
          [empty, 1, '`node -e 0`'],
          [gh && [gh, '--version'], 0.55, '`gh --version`'],
        ],
      );
    if (isSelected(2)) await commands(2, '`docsctl --help`', ['--help'], [[empty, 1.05, '`node -e 0`']]);
    if (isSelected(3)) await commands(3, '`members --help`', ['members', '--help'], [[empty, 1.35, '`node -e 0`']]);
    const list = ['members', 'list', '--limit', '50'];
    if (isSelected(4)) await commands(4, '`members list`, in-process, 50 rows', list, [[empty, 1.8, '`node -e 0`']]);
    if (isSelected(5)) {
      const token = 'bench-token-of-nobody';
      const server = await startServer(
        [...docsctl, 'serve', '--port', '0', '--json', '--log', 'off', '--db', join(folder, 'data', 'local.db')],
        { ...env, DOCSCTL_SERVE_TOKEN: token },
      );
      const { url, organization } = JSON.parse(server.line);
      // As a profile does, which in-process has it too.
      const over = { env: { DOCSCTL_URL: url, DOCSCTL_TOKEN: token, DOCSCTL_ORG: organization } };
      const page = `${url}/v1/orgs/${organization}/members?limit=50`;
      const curl = ['curl', '-s', '-H', `Authorization: Bearer ${token}`, page];
      const others = [
        [empty, 2, '`node -e 0`'],
        [curl, undefined, '`curl`'],
      ];
      await commands(5, '`members list`, over TCP, 50 rows', list, others, over);
      await server.end();
    }
  },

  async pages() {
    if (!isSelected(6)) return;
    const { gh } = await peers();
    const file = join(folder, 'pages.db');
    const orgId = await makeMembers(file, 100_000);
    const client = createClient({ url: `embedded:${file}` });
    const bodies = [];
    for await (const page of client.pages(members.list, { params: { orgId } }, { raw: true }))
      bodies.push(Buffer.from(page.raw).toString());
    await client.close();
    await writeFile(join(folder, 'pages.json'), JSON.stringify(bodies));
    const socket = join(folder, 'gh.sock');
    const server = await startServer([
      process.execPath,
      fileURLToPath(new URL('pages.mjs', import.meta.url)),
      'serve',
      join(folder, 'pages.json'),
      socket,
    ]);
    const over = { ...env, DOCSCTL_URL: server.line, DOCSCTL_TOKEN: 'bench' };
    const list = (org) => [...docsctl, 'members', 'list', '-o', 'jsonl', '--org', org];
    if (gh) {
      await mkdir(join(folder, 'gh'));
      await writeFile(join(folder, 'gh', 'config.yml'), `http_unix_socket: ${socket}\n`);
      const theirs = {
        GH_CONFIG_DIR: join(folder, 'gh'),
        GH_HOST: 'github.localhost',
        GH_TOKEN: 'bench',
        GH_ENTERPRISE_TOKEN: 'bench',
      };
      const result = await compare(
        () => timeCommand(list('few'), over),
        () => timeCommand([gh, 'api', '--paginate', 'v1/orgs/few/members?limit=1000'], theirs),
      );
      row(6, '100,000 members as jsonl over TCP, beside `gh api --paginate`', result.cpu, 0.5, {
        detail: timesOf(result),
      });
    } else row(6, '100,000 members as jsonl over TCP, beside `gh api --paginate`', undefined, 0.5);
    const peaks = async (org) => median(await repeat(3, () => peakMemory(list(org), over, folder)));
    row(6, 'peak memory with 100,000 members', await peaks('few'), 100, { unit: ' MB' });
    row(6, 'peak memory with 1,000,000 members', await peaks('many'), 100, { unit: ' MB' });
    await server.end();
  },

  async requests() {
    if (!isSelected(7)) return;
    const { jsonServer } = await peers();
    const token = 'bench-token-of-nobody';
    const ours = await startServer(
      [...docsctl, 'serve', '--port', '0', '--json', '--log', 'off', '--db', join(folder, 'one.db')],
      { ...env, DOCSCTL_SERVE_TOKEN: token },
    );
    const { url, organization, user } = JSON.parse(ours.line);
    const path = `${url}/v1/orgs/${organization}/members/${user}`;
    const headers = { authorization: `Bearer ${token}` };
    const object = await (await fetch(path, { headers })).text();
    await writeFile(join(folder, 'object.json'), object);
    const constant = await startServer([
      process.execPath,
      fileURLToPath(new URL('constant.mjs', import.meta.url)),
      join(folder, 'object.json'),
    ]);
    const count = 3000;
    const oneOfOurs = () => measureServer(ours.pid, path, headers, count);
    const result = await compare(oneOfOurs, () => measureServer(constant.pid, constant.line, headers, count));
    const micro = ({ a, b }) => `${Math.round(a.cpu * 1e6)} and ${Math.round(b.cpu * 1e6)} µs a request`;
    row(7, 'GET of one object, CPU beside a constant node:http server', result.cpu, 2, { detail: micro(result) });
    await constant.end();
    if (jsonServer) {
      const port = 41_000 + (process.pid % 1000);
      await writeFile(join(folder, 'db.json'), JSON.stringify({ members: [JSON.parse(object)] }));
      const theirs = startSilently([process.execPath, jsonServer, '--port', String(port), join(folder, 'db.json')]);
      const address = `http://127.0.0.1:${port}/members/${user}`;
      await waitForAnswer(address);
      const other = await compare(oneOfOurs, () => measureServer(theirs.pid, address, {}, count));
      row(7, 'GET of one object, CPU beside json-server', other.cpu, 0.35, { detail: micro(other) });
      theirs.kill();
    } else row(7, 'GET of one object, CPU beside json-server', undefined, 0.35);
    await ours.end();
  },

  async large() {
    if (![8, 9].some(isSelected)) return;
    const file = join(folder, 'many.db');
    const orgId = await makeMembers(file, many);
    const client = createClient({ url: `embedded:${file}` });
    if (isSelected(8)) {
      // The last full page: the one after it is shorter.
      let [last, following] = [];
      for await (const { next } of client.pages(members.list, { params: { orgId } }, { raw: true }))
        if (next !== undefined) [last, following] = [following, next];
      const page = (token) =>
        measureWork(() => client.call(members.list, { params: { orgId }, query: { limit: 1000, page: token } }));
      const result = await compare(
        () => page(last),
        () => page(undefined),
      );
      row(8, `the last page of 1,000 of ${many.toLocaleString('en')} members, beside the first`, result.cpu, 1.05, {
        detail: timesOf(result),
      });
    }
    if (isSelected(9)) {
      const word = `Nakamura ${many - 5}`;
      const scan = new DatabaseSync(file);
      const like = scan.prepare(
        'select u.* from user u join member m on m.user = u.id where m.organization = ? and (display_name like ? or email like ?)',
      );
      const result = await compare(
        () => measureWork(() => client.call(members.list, { params: { orgId }, query: { search: word } })),
        () => measureWork(() => like.all(orgId, `%${word}%`, `%${word}%`)),
      );
      scan.close();
      row(9, `search of ${many.toLocaleString('en')} names, beside a scan with LIKE`, result.cpu, 0.005, {
        detail: timesOf(result),
      });
    }
    await client.close();
  },

  async content() {
    if (!isSelected(13)) return;
    const sizes = [many / 10, 1000];
    const sides = [];
    for (const size of sizes) {
      const file = join(folder, `content-${size}.db`);
      sides.push({ file, ...(await makeContent(file, size)) });
    }
    for (const as of ['administrator', 'guest']) {
      const clients = sides.map(({ file, guest }) =>
        createClient({ url: `embedded:${file}`, ...(as === 'guest' && { as: guest }) }),
      );
      for (const [name, { list }] of Object.entries({ spaces, collections })) {
        // The first page and one in the middle, ten times.
        const readPages = await Promise.all(
          clients.map(async (client, index) => {
            const params = { orgId: sides[index].organization };
            const { count } = await client.call(list, { params, query: { limit: 0 } });
            let middle;
            for (let read = 0; read < count / 2; read += 1000) {
              const limit = Math.min(1000, Math.ceil(count / 2) - read);
              middle = (await client.call(list, { params, query: { limit, page: middle } })).next?.page;
            }
            return async () => {
              for (let time = 0; time < 10; time++)
                for (const page of [undefined, middle]) await client.call(list, { params, query: { limit: 50, page } });
            };
          }),
        );
        const result = await compare(...readPages.map((read) => () => measureWork(read)));
        const what = `pages of 50 of ${sizes[0].toLocaleString('en')} ${name}, ${as === 'guest' ? 'a guest with 10 grants' : as}, beside 1,000`;
        row(13, what, result.cpu, 1.5, { detail: timesOf(result) });
      }
      for (const client of clients) await client.close();
    }
  },

  async writes() {
    if (!isSelected(10)) return;
    const client = createClient({ url: `embedded:${join(folder, 'writes.db')}` });
    const orgId = (await client.call(orgs.list, {})).items[0].id;
    const { id: spaceId } = await client.call(spaces.create, { params: { orgId }, body: { title: 'Writes' } });
    const write = (n) => client.call(spaces.edit, { params: { spaceId }, body: { title: `Writes ${n}` } });
    const count = 320;
    const writeAll = (clients) =>
      measureWork(() =>
        Promise.all(
          Array.from({ length: clients }, async (_, first) => {
            for (let n = first; n < count; n += clients) await write(n);
          }),
        ),
      );
    const result = await compare(
      () => writeAll(1),
      () => writeAll(32),
    );
    await client.close();
    // More is better here: the budget is a least.
    const detail = `${Math.round(count / result.b.wall)} and ${Math.round(count / result.a.wall)} writes a second`;
    row(10, 'a durable write of 32 clients at once, beside one commit a request (time)', 1 / result.wall, 0.25, {
      detail,
    });
  },

  async serving() {
    if (!isSelected(11)) return;
    const { jsonServer } = await peers();
    if (!jsonServer) return row(11, '`serve`: start to first answer, beside json-server', undefined, 0.25);
    const port = 42_000 + (process.pid % 1000);
    await writeFile(join(folder, 'first.json'), JSON.stringify({ members: [{ id: '1' }] }));
    const serveArgs = ['serve', '--json', '--port', String(port), '--db', join(folder, 'first.db'), '--log', 'off'];
    // As a service does that has been started before.
    await (await startServer([...docsctl, ...serveArgs], env)).end();
    const result = await compare(
      () => firstAnswer([...docsctl, ...serveArgs], `http://127.0.0.1:${port}/healthz`, { env }),
      () =>
        firstAnswer(
          [process.execPath, jsonServer, '--port', String(port + 1), join(folder, 'first.json')],
          `http://127.0.0.1:${port + 1}/members`,
        ),
    );
    row(11, '`serve`: start to first answer, beside json-server', result.cpu, 0.25, { detail: timesOf(result) });
  },

  async levels() {
    if (!isSelected(24)) return;
    const database = join(folder, 'levels.db');
    await run(docsctl[0], [...docsctl.slice(1), 'init', '--demo', '--db', database, '--profile', 'levels'], { env });
    const server = await startServer(
      [...docsctl, 'serve', '--json', '--port', '0', '--db', database, '--log', 'off'],
      env,
    );
    const { url } = JSON.parse(server.line);
    const tokenWords = ['serve', 'token', 'create', '--db', database, '--jq', '.token'];
    const { stdout } = await run(docsctl[0], [...docsctl.slice(1), ...tokenWords], { env });
    const over = { ...env, DOCSCTL_URL: url, DOCSCTL_TOKEN: stdout.trim() };
    const har = join(folder, 'levels.har');
    try {
      for (const words of [
        ['twin', 'create'],
        ['rehearse', '--', 'spaces', 'create', '--title', 'New'],
        ['access', 'list', '--space', 'handbook0001'],
        ['access', 'matrix'],
      ]) {
        await rm(har, { force: true });
        const options = { env: over, maxBuffer: 1e9 };
        await run(docsctl[0], [...docsctl.slice(1), '--har', har, ...words], options);
        const { entries } = JSON.parse(await readFile(har, 'utf8')).log;
        const sent = entries.filter(({ request }) => request.url.startsWith(url)).length;
        row(24, `requests of \`${words.slice(0, 2).join(' ')}\` with 2,500 members`, sent, 150);
      }
    } finally {
      await server.end();
    }
  },

  async pushing() {
    if (!isSelected(14)) return;
    const docs = join(folder, 'docs');
    await mkdir(docs);
    const line = 'Words of a page as writers write them, with a [link](p0.md) and **emphasis**.\n\n';
    for (let n = 0; n < 200; n++) await writeFile(join(docs, `p${n}.md`), `# Page ${n}\n\n${line.repeat(30)}`);
    const port = 43_000 + (process.pid % 1000);
    const serveArgs = ['serve', '--json', '--port', String(port), '--db', join(folder, 'push.db'), '--log', 'off'];
    const server = await startServer([...docsctl, ...serveArgs], env);
    const { url, token } = JSON.parse(server.line);
    const over = { ...env, DOCSCTL_URL: url, DOCSCTL_TOKEN: token };
    try {
      const { stdout } = await run(
        docsctl[0],
        [...docsctl.slice(1), 'spaces', 'create', '--title', 'Docs', '-o', 'id'],
        {
          env: over,
        },
      );
      const push = [...docsctl, 'content', 'push', docs, '--new', 'All', '--space', stdout.trim(), '--quiet'];
      const first = await timeCommand(push, over);
      const again = await timeCommand(push, over);
      const detail = (times) => `CPU of the command ${ms(times.cpu)}`;
      row(14, '`content push` of 200 pages over HTTP, on the clock', first.wall, 1, {
        unit: ' s',
        detail: detail(first),
      });
      row(14, 'the same, unchanged', again.wall, 0.3, { unit: ' s', detail: detail(again) });
    } finally {
      await server.end();
    }
  },

  async folders() {
    if (!isSelected(15) && !isSelected(16)) return;
    const docs = join(folder, 'site');
    await makeDocs(docs, 2000);
    if (isSelected(15)) {
      const start = performance.now();
      const preview = await startServer([...docsctl, 'preview', docs, '--json', '--port', '0'], env);
      await (await fetch(JSON.parse(preview.line).url)).text();
      row(15, '`preview`: first page of 2,000', (performance.now() - start) / 1000, 0.5, { unit: ' s' });
      await preview.end();
    }
    if (!isSelected(16)) return;
    const command = [...docsctl, 'sites', 'export', docs, '--quiet', '--out'];
    const first = await timeCommand([...command, join(folder, 'exported')], env);
    const again = await timeCommand([...command, join(folder, 'exported')], env);
    row(16, '`sites export` of 2,000 pages, on the clock', first.wall, 8, {
      unit: ' s',
      detail: `CPU ${ms(first.cpu)}`,
    });
    row(16, 'the same, unchanged', again.wall, 0.5, { unit: ' s', detail: `CPU ${ms(again.cpu)}` });
    const peak = await peakMemory([...command, join(folder, 'exported-again')], env, folder);
    row(16, 'its peak memory', peak, 260, { unit: ' MB' });
  },

  async documents() {
    const bench = { docsctl, env, folder, row };
    if (isSelected(17)) await measureDescriptions(bench);
    if (isSelected(18)) await measurePdf(bench);
    if (isSelected(21)) await measureCheck(bench);
    if (isSelected(22)) await measureLargeCheck(bench);
    if (isSelected(23)) await measureLargePush(bench);
    if (isSelected(25)) await measureLinks(bench);
  },

  async organization() {
    if (!isSelected(19)) return;
    const db = join(folder, 'organization.db');
    const orgId = await makeOrganization(db);
    const port = 44_000 + (process.pid % 1000);
    const serveArgs = ['serve', '--json', '--port', String(port), '--db', db, '--log', 'off'];
    const token = 'token-of-the-bench';
    const server = await startServer([...docsctl, ...serveArgs], { ...env, DOCSCTL_SERVE_TOKEN: token });
    const { url } = JSON.parse(server.line);
    const over = { ...env, DOCSCTL_URL: url, DOCSCTL_TOKEN: token, DOCSCTL_ORG: orgId };
    const files = join(folder, 'organization');
    const exporting = [...docsctl, 'export', '--quiet'];
    const plan = [...docsctl, 'plan', files, '--quiet', '--exit-code'];
    const detail = ({ cpu }) => `CPU of the command ${ms(cpu)}`;
    try {
      const first = await timeCommand([...exporting, files], over);
      const what = '10,000 members, 200 teams, 300 spaces, 5 sites';
      row(19, `\`export\` of ${what} over TCP, on the clock`, first.wall, 5, { unit: ' s', detail: detail(first) });
      const planned = await timeCommand(plan, over);
      row(19, '`plan` of it, unchanged, on the clock', planned.wall, 2, { unit: ' s', detail: detail(planned) });
      const peak = await peakMemory([...exporting, `${files}-again`], over, folder);
      row(19, 'peak memory of `export`', peak, 200, { unit: ' MB' });
      row(19, 'peak memory of `plan`', await peakMemory(plan, over, folder), 200, { unit: ' MB' });
    } finally {
      await server.end();
    }
  },

  async databases() {
    if (isSelected(20)) await measureDatabases({ docsctl, env, folder, row });
  },

  async package() {
    if (!isSelected(12)) return;
    const into = join(folder, 'pack');
    await mkdir(into);
    const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', into], {
      cwd: root,
    });
    const packed = Object.values(JSON.parse(stdout))[0];
    row(12, 'size of the package as installed', packed.unpackedSize / 1e6, 8, {
      unit: ' MB',
      detail: `one package, no install script, ${(packed.size / 1e6).toFixed(1)} MB to download`,
    });
    const install = async (name, what) => {
      const where = join(folder, name);
      await rm(where, { recursive: true, force: true });
      await mkdir(where);
      await writeFile(join(where, 'package.json'), '{"private":true}');
      return timeCommand(['npm', 'install', '--prefix', where, '--no-audit', '--no-fund', '--prefer-offline', what]);
    };
    const tarball = join(into, packed.filename);
    try {
      const result = await compare(
        () => install('install-a', tarball),
        () => install('install-b', 'bump-cli@2.11.0'),
        5,
      );
      row(12, 'time to install, beside bump-cli (28 MB in 109 packages)', result.cpu, 0.1, { detail: timesOf(result) });
    } catch {
      row(12, 'time to install, beside bump-cli', undefined, 0.1, { detail: 'npm could not install one of them' });
    }
  },
};

async function repeat(count, measure) {
  const all = [];
  for (let n = 0; n < count; n++) all.push(await measure());
  return all;
}

function startSilently(command) {
  const child = spawn(command[0], command.slice(1), { stdio: 'ignore' });
  return { pid: child.pid, kill: () => child.kill('SIGKILL') };
}

async function waitForAnswer(url) {
  for (let n = 0; n < 1000; n++) {
    if (
      await fetch(url)
        .then(({ ok }) => ok)
        .catch(() => false)
    )
      return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`${url} does not answer`);
}

let cachedPeers;
/** The programs that docsctl is compared with; those the machine lacks are installed for this run only. */
function peers() {
  return (cachedPeers ??= findPeers());
}

async function findPeers() {
  return { gh: await findGh(), jsonServer: await findJsonServer() };
}

async function findGh() {
  const onPath = await run('sh', ['-c', 'command -v gh']).then(
    ({ stdout }) => stdout.trim(),
    () => undefined,
  );
  if (onPath) return onPath;
  const into = join(folder, 'debian');
  await mkdir(into);
  return run('sh', ['-c', 'apt-get download -qq gh && dpkg-deb -x gh_*.deb .'], { cwd: into }).then(
    () => join(into, 'usr', 'bin', 'gh'),
    () => undefined,
  );
}

async function findJsonServer() {
  const into = join(folder, 'json-server');
  await mkdir(into);
  await writeFile(join(into, 'package.json'), '{"private":true}');
  return run('npm', ['install', '--no-audit', '--no-fund', 'json-server@0.17.4'], { cwd: into }).then(
    () => join(into, 'node_modules', 'json-server', 'lib', 'cli', 'bin.js'),
    () => undefined,
  );
}

async function report(scale) {
  const table = [
    '| # | what | figure | budget | verdict | seen |',
    '|---|---|---|---|---|---|',
    ...rows.map(
      ({ number, what, figure, budget, verdict, detail }) =>
        `| ${number} | ${what} | ${figure} | ${budget} | ${verdict} | ${detail} |`,
    ),
  ].join('\n');
  const machine = `${cpus().length} processors, ${Math.round(totalmem() / 2 ** 30)} GiB of memory`;
  return `# Results

${new Date().toISOString().slice(0, 10)}, Node.js ${process.versions.node}, ${machine}. Ratios are medians of ${pairs} pairs of runs in turn, of the
time on the processors: time on the clock stands beside it. \`README.md\` says how each is measured.

${table}
${scale ? `\n## Scale\n\n${scale}\n` : ''}`;
}

try {
  for (const step of Object.values(steps)) await step();
  const scale = isSelected('scale') ? await scaleTable(folder, many) : undefined;
  const text = await report(scale);
  if (selected.length === 0) await writeFile(fileURLToPath(new URL('results.md', import.meta.url)), text);
  else console.log(`\n${text}`);
} finally {
  await rm(folder, { recursive: true, force: true });
}
