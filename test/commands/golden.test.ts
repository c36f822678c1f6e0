import { join } from 'node:path';
import stringWidth from 'string-width';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { purposes } from '../../src/cli/command/command.ts';
import { topics } from '../../src/commands/help/topics.ts';
import { entries } from '../../src/commands/index.ts';
import { root } from '../support/cli.ts';
import { type Demo, type DemoHome, makeDemo, screenOf } from '../support/shell.ts';
import { commandsOfTree, wordsOf } from '../support/tree.ts';

/** What people read, kept in files that are reviewed like code; `npm run golden` writes them anew. */
const golden = (...names: string[]) => join(root, 'test', 'golden', ...names);

let demo: Demo;
let home: DemoHome;
let ids: string[];
beforeAll(async () => {
  // Times are told from now, in words.
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-01T08:00:00.000Z') });
  demo = await makeDemo({ isNew: true });
  home = await demo.copy();
  ids = [
    (await home.run(['orgs', 'list', '-o', 'id'])).stdout.trim(),
    (await home.run(['whoami', '-o', 'id'])).stdout.trim(),
  ];
});
afterAll(async () => {
  vi.useRealTimers();
  await demo.remove();
});

/** Without what is new each time: two ids, the place of the files, the ids of requests. */
const settled = (text: string) =>
  text
    .replaceAll(ids[0]!, 'Organization')
    .replaceAll(ids[1]!, 'LocalAdminId')
    .replaceAll(home.dir, '/home/you')
    .replace(/"requestId":"\w+"/g, '"requestId":"abcdefgh"');

async function show(demoHome: DemoHome, line: string, width?: number): Promise<string> {
  const { stdout, stderr, exitCode } = await demoHome.run(
    wordsOf(line)!.slice(1),
    width === undefined ? undefined : screenOf(width),
  );
  const status = exitCode === 0 ? '' : `status ${exitCode}\n`;
  return settled(`$ ${line}\n${stdout}${stderr}${status}`);
}

test('the root help fits one screen and names every group by its purpose', async () => {
  const help = (await home.run(['--help'])).stdout;

  await expect(help).toMatchFileSnapshot(golden('help', 'docsctl.txt'));
  for (const purpose of purposes) expect(help).toContain(`${purpose}:`);
  const lines = help.trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(24);
  for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(80);
});

/** What help is made of, in this order. */
const headings = [
  'Arguments:',
  'Options:',
  'Context:',
  'Paging:',
  'Commands:',
  'Examples:',
  'Exit status:',
  'Global options:',
];
const always = ['Options:', 'Examples:', 'Global options:'];

const commands = await commandsOfTree();
for (const { name } of entries.filter(({ hidden }) => !hidden)) {
  test(`the help of ${name} and of all its commands`, async () => {
    const paths = commands.map(({ path }) => path).filter((path) => path === name || path.startsWith(`${name} `));
    const branches = paths.map((path) => path.split(' ').slice(0, -1).join(' ')).filter(Boolean);
    const texts: string[] = [];
    for (const path of new Set([name, ...branches, ...paths].toSorted())) {
      const { stdout } = await home.run([...path.split(' '), '--help']);
      for (const line of stdout.split('\n')) expect(stringWidth(line), line).toBeLessThanOrEqual(80);
      const helpHeadings: string[] = stdout.match(/^[A-Z][a-z ]+:(?=$| docsctl help options)/gm) ?? [];
      expect(helpHeadings.filter((heading) => headings.includes(heading))).toEqual(
        headings.filter((heading) => helpHeadings.includes(heading)),
      );
      if (commands.some((one) => one.path === path)) expect(helpHeadings).toEqual(expect.arrayContaining(always));
      // A long example stands on several lines, as a shell takes it.
      const joined = stdout.replaceAll(/ \\\n +/g, ' ');
      const { examples = {} } = commands.find((one) => one.path === path)?.command ?? {};
      for (const run of Object.values(examples)) expect(joined).toContain(`    $ ${run}\n`);
      texts.push(`$ docsctl ${path} --help\n${stdout}`);
    }
    // docs/commands has the texts of all others; one group shows how they are set.
    if (name === 'members') await expect(texts.join('\n')).toMatchFileSnapshot(golden('help', 'members.txt'));
  });
}

test('topics', async () => {
  const texts: string[] = [];
  for (const topic of Object.keys(topics)) {
    const { stdout } = await home.run(['help', topic]);
    for (const line of stdout.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80);
    texts.push(`$ docsctl help ${topic}\n${stdout}`);
  }
  await expect(texts.join('\n')).toMatchFileSnapshot(golden('help', 'topics.txt'));
});

test('help can be read on a screen of 40 columns', async () => {
  const texts: string[] = [];
  for (const words of ['--help', 'orgs edit --help', 'sites --help', 'help environment', 'help profiles']) {
    const { stdout } = await home.run(words.split(' '), screenOf(40));
    const wide = stdout.split('\n').filter((line) => line.length > 40 && !/^(Usage:| +[$\-{])/.test(line));
    expect(wide, words).toEqual([]);
    texts.push(`$ docsctl ${words}\n${stdout}`);
  }
  await expect(texts.join('\n')).toMatchFileSnapshot(golden('help', '40.txt'));
});

const space = '--space handbook0001';
const site = '--site lumensite001';
const tableCommands = [
  'docsctl orgs list',
  'docsctl orgs view',
  'docsctl members list --limit 8',
  'docsctl members view member000020',
  'docsctl members spaces member000001',
  'docsctl members teams member000001',
  'docsctl teams list',
  'docsctl teams members list writers00001 --limit 4',
  'docsctl spaces list',
  'docsctl spaces view handbook0001',
  'docsctl spaces links handbook0001',
  `docsctl spaces search valve ${space}`,
  'docsctl search pump',
  'docsctl collections list',
  'docsctl collections view products0001',
  `docsctl content view ${space}`,
  `docsctl content pages list ${space}`,
  `docsctl content pages view install00001 ${space} --format markdown`,
  `docsctl content files list ${space}`,
  `docsctl content files backlinks pumpphoto001 ${space}`,
  `docsctl cr list ${space}`,
  `docsctl cr view 1 ${space}`,
  `docsctl comments list ${space}`,
  `docsctl comments view comment00001 ${space}`,
  `docsctl comments replies list comment00001 ${space}`,
  'docsctl fields list',
  `docsctl fields values view ${space}`,
  'docsctl sites list',
  'docsctl sites view lumensite001',
  `docsctl sites sections list ${site}`,
  `docsctl sites section-groups list ${site}`,
  `docsctl sites spaces list ${site}`,
  'docsctl sites share-links list --site intranet0001',
  'docsctl openapi list',
  'docsctl openapi view pumps',
  'docsctl openapi versions list pumps',
  'docsctl translations list',
];

for (const width of [120, 80, 40]) {
  test(`tables and cards in a terminal of ${width} columns`, async () => {
    const texts: string[] = [];
    for (const line of tableCommands) texts.push(await show(home, line, width));

    await expect(texts.join('\n')).toMatchFileSnapshot(golden('tables', `${width}.txt`));
    for (const line of texts.join('').split('\n')) {
      // Ids and addresses are of no use when cut.
      const isWhole = line.startsWith('$ ') || /^\s*(https?:\S+|[A-Za-z]\w{11})$|https?:\S{20}/.test(line);
      if (!isWhole) expect(stringWidth(line), line).toBeLessThanOrEqual(width);
    }
  });
}

/** Each says what failed and what to do next. */
const failing = [
  'docsctl membrs list',
  'docsctl members lst',
  'docsctl members list --limt 3',
  'docsctl members list --role boss',
  'docsctl members list --limit few',
  'docsctl members list --page-size 5000',
  'docsctl members list --columns user.emial',
  'docsctl members list --jq .[',
  'docsctl members list -o xml',
  'docsctl members view',
  'docsctl members view nobody',
  'docsctl members view nobody -o json',
  'docsctl members edit member000002 --as member000003 --role admin',
  'docsctl members remove member000002',
  'docsctl members remove member000002 nobody nowhere --yes',
  'docsctl members list --page nonsense',
  'docsctl teams create',
  'docsctl teams create --title ""',
  'docsctl teams members update writers00001 --role boss',
  'docsctl spaces create --data @missing.json',
  `docsctl spaces create --data '{"titel":"Pumps"}'`,
  'docsctl spaces edit handbook0001 --clear title',
  'docsctl spaces restore handbook0001',
  'docsctl spaces move handbook0001 --before page:welcome00001',
  'docsctl spaces move handbook0001 --root --parent products0001',
  'docsctl spaces move quickstart01 --after handbook0001',
  'docsctl spaces transfer handbook0001 --to nowhere00001 --yes',
  'docsctl cr list',
  `docsctl cr merge 2 ${space}`,
  `docsctl cr merge 4 ${space}`,
  `docsctl cr edit 3 --status open ${space}`,
  `docsctl cr pdf 1 --only ${space}`,
  `docsctl comments create --body Yes --body-file yes.md ${space}`,
  `docsctl comments edit comment00001 --body Other ${space}`,
  'docsctl collections move products0001 --parent archive00001',
  'docsctl fields create --name Stage --type select:single',
  `docsctl fields values set audiance=operators ${space}`,
  `docsctl fields values set reviewed=maybe ${space}`,
  'docsctl sites create --title P --type best',
  'docsctl sites publish nowhere00001',
  `docsctl sites customization set ${site}`,
  `docsctl sites customization set --set styling.theme=pink ${site}`,
  `docsctl sites spaces remove sitespace001 ${site} --yes`,
  'docsctl openapi create pumps openapi.json',
  'docsctl openapi view nothing',
  `docsctl spaces links handbook0001 --status broken --fail-on broken`,
  'docsctl api nothing',
  'docsctl api orgs --paginate --method',
  'docsctl api POST orgs/{org}/spaces -f title',
  'docsctl api user --paginate',
  'docsctl open spce handbook0001 --print',
  'docsctl open space oldmanual001 --published --print',
  'docsctl whoami --profile nowhere',
  'docsctl whoami --url ftp://docs.example',
  'docsctl whoami --token secret',
  'docsctl whoami --as nobody',
  'docsctl help nothing',
];

test('errors say what failed and what to do next', async () => {
  const texts: string[] = [];
  for (const line of failing) {
    const copy = await demo.copy();
    const text = (await show(copy, line)).replaceAll(copy.dir, '/home/you');
    expect(text, line).toMatch(/^(error: |\{"error")/m);
    expect(text, line).toMatch(/status [1-9]\d*\n$/);
    texts.push(text);
    await copy.remove();
  }
  await expect(texts.join('\n')).toMatchFileSnapshot(golden('errors.txt'));
});
