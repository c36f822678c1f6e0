// Follows the recipes of CONTRIBUTING.md in a copy of the repository, and runs the checks that they name:
//
//     npm run recipes
//     npm run recipes -- --without 1.4     leaves out the edits of step 4 of the first recipe
//     npm run recipes -- --keep            keeps the copy
//
// The sample object is `glossaries`, a copy of `translations`; the sample endpoint duplicates translation settings. Each
// step may edit only the files that its text names, and has to use all of them, so neither can change alone.
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { installedPrograms } from './postgres/programs.ts';

const execute = promisify(execFile);

const { values: options } = parseArgs({ options: { without: { type: 'string' }, keep: { type: 'boolean' } } });
const root = join(import.meta.dirname, '..');
const copy = mkdtempSync(join(tmpdir(), 'docsctl-recipes-'));
process.on('exit', () => options.keep || rmSync(copy, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

/** The files, folders and npm scripts that the current step used. */
let used = new Set();
/** Whether the edits of the current step are skipped; its tests run all the same. */
let isLeftOut = false;
const tests = [];
const scripts = [];

const asSample = (text) =>
  text
    .replaceAll('translationSettingsId', 'glossaryId')
    .replaceAll('translations', 'glossaries')
    .replaceAll('Translations', 'Glossaries')
    .replaceAll('translation', 'glossary')
    .replaceAll('Translation', 'Glossary')
    .replaceAll('translate001', 'glossary0001');

const read = (path) => readFileSync(join(copy, path), 'utf8');

function write(path, text) {
  if (isLeftOut) return;
  mkdirSync(dirname(join(copy, path)), { recursive: true });
  writeFileSync(join(copy, path), text);
}

/** Writes the sample's copy of a file. */
function copyFile(path) {
  used.add(path);
  write(asSample(path), asSample(read(path)));
}

/** Creates a file. */
function create(path, text) {
  used.add(path);
  write(path, text);
}

/** Inserts `text` before the only occurrence of `anchor`, or replaces the anchor. */
function insert(path, text, anchor, { replace = false } = {}) {
  used.add(path);
  const parts = read(path).split(anchor);
  if (parts.length !== 2) throw new Error(`${path} has ${parts.length - 1} places with ${JSON.stringify(anchor)}.`);
  write(path, parts.join(replace ? text : text + anchor));
}

/** Repeats for the sample the lines that start with these texts, each to the end of its brackets. */
function repeat(path, ...starts) {
  used.add(path);
  const lines = read(path).split('\n');
  for (const start of starts) {
    const first = lines.findIndex((line) => line.startsWith(start));
    if (first < 0) throw new Error(`${path} has no line that starts with ${JSON.stringify(start)}.`);
    let [end, depth] = [first, 0];
    for (; ; end++) {
      depth += (lines[end].match(/[([{]/g) ?? []).length - (lines[end].match(/[)\]}]/g) ?? []).length;
      // The body of an arrow function may be on the next line.
      if (depth <= 0 && !lines[end].endsWith('=>')) break;
    }
    const block = lines.slice(first, end + 1);
    lines.splice(first, 0, ...asSample(block.join('\n')).split('\n'));
  }
  write(path, lines.join('\n'));
}

/** A test that the step names. It runs when all steps are done. @param names those of its tests that concern the sample */
function test(path, names = '') {
  used.add(path);
  tests.push([path, names]);
}

/** A script of npm that the step names. It runs when all edits are done. */
function npm(name) {
  used.add(`npm run ${name}`);
  scripts.push(name);
}

const tableOf = (text) => /create table translation \([^]*?\n\) strict;\n/.exec(text)[0];
const index = 'create index glossary_in_order on glossary (organization, created_at, id);\n';

const asCodeTest = `import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sharedDemo } from '../../support/shell.ts';
import { smallHome } from '../twin/small-organization.ts';

const { demo } = await sharedDemo();

test('glossaries are exported, applied and copied into a twin', async () => {
  const home = await smallHome(demo);
  async function done(...words: string[]) {
    const run = await home.run(words);
    expect(run.exitCode, \`\${words.join(' ')}: \${run.stderr}\`).toBe(0);
    return run.stdout || run.stderr;
  }
  const file = join(home.dir, 'o', 'glossaries.yaml');
  await done('glossaries', 'create', '--title', 'Pumps', '--languages', 'en,de');
  await done('export', 'o');
  expect(await done('plan', 'o')).toContain('No changes');

  const text = (await readFile(file, 'utf8')).replace('Pumps', 'Valves');
  await writeFile(file, text);
  await done('apply', 'o', '--prune', '--yes');
  expect(await done('glossaries', 'list', '--columns', 'title,languages')).toBe('Valves\\ten,de\\n');

  await done('twin', 'create', '--profile', 'local');
  await done('export', 'p', '--profile', 'twin');
  expect(await readFile(join(home.dir, 'p', 'glossaries.yaml'), 'utf8')).toBe(text);
});
`;

const recipes = {
  'Add an endpoint': [
    () => {
      copyFile('src/contract/translations.ts');
      insert(
        'src/contract/translations.ts',
        `  duplicate: {
    route: 'POST /v1/orgs/{orgId}/translations/{translationSettingsId}/duplicate',
    summary: 'Duplicate translation settings.',
    access: 'organization.createContent',
    response: TranslationSettings,
    status: 201,
  },
`,
        '  delete: {\n',
      );
    },
    () => {
      copyFile('src/store/translations.ts');
      insert(
        'src/store/translations.ts',
        `export const duplicateTranslation = (db: Db, { id: _, ...row }: TranslationRow) => createTranslation(db, row);\n\n`,
        'export const {\n  insert: createTranslation,',
      );
      insert('src/store/translations.ts', "import type { Db } from './store.ts';\n", 'import type { Row }');
    },
    () => {
      copyFile('src/server/organizations/translations.ts');
      insert(
        'src/server/organizations/translations.ts',
        `  async duplicate({ db, objects: { org, translation }, base }) {
    return present(base, org, await store.duplicateTranslation(db, translation));
  },

`,
        '  delete: (',
      );
    },
    () => {
      repeat(
        'src/journal/inverse/inverses.ts',
        'import { translations }',
        "  'translations.create'",
        "  'translations.edit'",
        "  'translations.delete'",
      );
      insert(
        'src/journal/inverse/inverses.ts',
        "  'translations.duplicate': create({ remove: translations.delete, param: 'translationSettingsId' }),\n",
        "  'translations.edit'",
      );
      test('test/journal/inverses.test.ts');
    },
    () => {
      repeat('test/server/roles.test.ts', '  translations: {');
      insert(
        'test/server/roles.test.ts',
        "  translations: {\n    duplicate: { needs: 'a role to see it, to create' },\n",
        '  translations: {\n',
        { replace: true },
      );
      test('test/server/roles.test.ts', 'has its row|glossaries|translations');
    },
    () => {
      copyFile('test/server/translations.test.ts');
      insert(
        'test/server/translations.test.ts',
        `test('a duplicate has the title and languages of the original', async () => {
  const { create, call, path } = await service();
  const { id } = (await create({ title: 'Handbook', languages: ['en', 'ja'] })).body;

  const made = await call('POST', \`\${path}/\${id}/duplicate\`);

  expect(made).toMatchObject({ status: 201, body: { title: 'Handbook', languages: ['en', 'ja'] } });
  expect(made.body.id).not.toBe(id);
});

`,
        "test('new settings are complete",
      );
      tests.push(['test/server/translations.test.ts', ''], ['test/server/glossaries.test.ts', '']);
    },
  ],
  'Add an object': [
    () => repeat('src/contract/objects.ts', '  translationSettingsId: {'),
    () => {
      repeat('src/contract/groups.ts', '  translations: {');
      repeat('src/server/handlers.ts', '  translations:');
    },
    () => {
      const folder = 'src/store/migrations/';
      const table = asSample(tableOf(read(`${folder}0001-foundation.ts`)));
      used.add(folder);
      write(
        `${folder}9999-glossaries.ts`,
        `import type { Migration } from './dialects.ts';\n\nexport const glossaries: Migration = () => /* sql */ \`\n${table}${index}\`;\n`,
      );
      insert(`${folder}index.ts`, "import { glossaries } from './9999-glossaries.ts';\n", 'import type { Migration }');
      insert(`${folder}index.ts`, ', glossaries];', '];', { replace: true });
      repeat('src/store/tables.ts', 'import type { translations }', '  translation: {');
      repeat('src/store/assert-empty.ts', "  'translation',");
      // It runs last, and only for the tests of tables.
      used.add('npm run test:postgres');
    },
    () => repeat('src/server/engine/load-objects.ts', '  translation:'),
    () => repeat('test/support/world.ts', '  translationSettingsId: string', '    translationSettingsId: await'),
    () => test('test/cli/lists.test.ts'),
  ],
  'Add a command': [
    () => {
      copyFile('src/commands/translations/translations.ts');
      insert(
        'src/commands/translations/translations.ts',
        `  command({
    use: 'duplicate <translation>',
    endpoint: translations.duplicate,
    description: 'Creates settings with the same title and languages.',
    examples: {
      'Duplicate settings': 'docsctl translations duplicate translate001',
      'Print the ID of the duplicate': 'docsctl translations duplicate translate001 -o id',
    },
    seeAlso: ['translations create'],
    output,
  }),
`,
        "  command({\n    use: 'delete",
      );
    },
    () => {
      const path = 'src/commands/index.ts';
      insert(
        path,
        "    { name: 'glossaries', summary: 'terms for translators', load: () => import('./glossaries/glossaries.ts') },\n",
        "    { name: 'translations',",
      );
    },
    () => {
      insert(
        'test/support/tree-rows.ts',
        `  { run: 'translations duplicate translate001', says: /^title\\tHandbook languages$/m, changes: true },
  { run: 'glossaries list', says: /^$/ },
  { run: 'glossaries create --title API', says: /^title\\tAPI$/m, changes: true },
  { run: 'glossaries view nothing', says: /nothing/, exits: 5 },
  { run: 'glossaries edit nothing --title API', says: /nothing/, exits: 5 },
  { run: 'glossaries delete nothing --yes', says: /nothing/, exits: 5 },
`,
        "  { run: 'translations view translate001'",
      );
      test('test/commands/tree.test.ts', 'has a row|glossaries|duplicate translate');
      test('test/commands/output-schemas.test.ts', 'glossaries|duplicate translate');
    },
    () => {
      npm('generate');
      npm('build');
      npm('golden');
      tests.push(['test/generate/generated.test.ts', 'is equal to what']);
    },
  ],
  'Manage an object as code': [
    () => {
      const files = 'src/organization/files';
      repeat(
        'src/organization/parts.ts',
        '  TranslationsFile,',
        '  translations?:',
        "  translations: { file: 'translations.yaml'",
        '  translation: kind(',
      );
      repeat(
        `${files}/schemas.ts`,
        'import { translations }',
        'export const TranslationEntry',
        '/** translations.yaml */',
        'export const TranslationsFile',
        'export type TranslationsFile',
      );
      repeat(`${files}/references.ts`, '    ...(translations?.translations');
      insert(`${files}/references.ts`, 'organization, translations, glossaries }', 'organization, translations }', {
        replace: true,
      });
    },
    () => {
      const service = 'src/organization/service';
      repeat(
        `${service}/read-service.ts`,
        'import { translations }',
        'export type Translation ',
        '    translations: await list(',
      );
      repeat(
        `${service}/to-files.ts`,
        '  type TranslationsFile,',
        '  type Translation,',
        'export function translationsFile',
      );
      repeat(`${service}/read-organization.ts`, '  translationsFile,', "  if (has('translations'))");
    },
    () => {
      const plan = 'src/organization/plan';
      repeat(`${plan}/change.ts`, "  'translations',", "  'deleteTranslations',");
      repeat(`${plan}/publishing.ts`, 'import { translations }', 'export function planTranslations');
      insert(`${plan}/make-plan.ts`, 'planGlossaries, planInviteLinks, ', 'planInviteLinks, ', { replace: true });
      repeat(`${plan}/make-plan.ts`, '  planTranslations(draft);');
    },
    () =>
      insert('src/organization/apply/apply.ts', '|glossaries\\.create|translations', '|translations', {
        replace: true,
      }),
    () => {
      repeat('src/rehearsal/twin/rows.ts', '  Translation,', 'export const writeTranslations');
      repeat('src/rehearsal/make-twin.ts', '  writeTranslations,', '    await writeTranslations');
    },
    () => {
      create('test/commands/organization/glossaries.test.ts', asCodeTest);
      used = new Set(['test/commands/organization/']);
      tests.push(['test/commands/organization/glossaries.test.ts', '']);
    },
  ],
};

/** The numbered steps of the recipes, by heading. */
function stepsInContributing() {
  const sections = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8').split(/^## /m);
  return Object.fromEntries(
    sections.flatMap((section) => {
      const [heading, ...lines] = section.split('\n');
      const steps = lines
        .join('\n')
        .split(/^(?=\d+\. )/m)
        .slice(1);
      // What follows the last step is not indented.
      return steps.length > 0 ? [[heading, steps.map((step) => step.split(/\n(?=\S)/)[0])]] : [];
    }),
  );
}

const named = (step) =>
  [...step.matchAll(/`((?:src|test)\/[\w./-]+|npm run [\w:]+)`/g)].map(([, name]) => name).toSorted();

function follow() {
  const documented = stepsInContributing();
  const problems = [];
  const compare = (what, one, other) => {
    for (const name of one.filter((each) => !other.includes(each))) problems.push(`${what}: ${name}`);
  };
  compare('CONTRIBUTING.md has a recipe that is not tried', Object.keys(documented), Object.keys(recipes));
  for (const [number, [heading, steps]] of Object.entries(recipes).entries()) {
    const texts = documented[heading] ?? [];
    if (texts.length !== steps.length)
      problems.push(`"${heading}" has ${texts.length} steps in CONTRIBUTING.md and ${steps.length} in this script.`);
    for (const [index, step] of steps.entries()) {
      isLeftOut = options.without === `${number + 1}.${index + 1}`;
      used = new Set();
      step();
      const names = named(texts[index] ?? '');
      compare(`"${heading}", step ${index + 1}, does not name`, [...used], names);
      compare(`"${heading}", step ${index + 1}, names what is not used`, names, [...used]);
    }
  }
  if (problems.length > 0) fail(problems.join('\n'));
}

function fail(message) {
  console.error(message);
  process.exit(1);
}

const bin = join(root, 'node_modules', '.bin');
// Nothing of a test run that this script may be part of.
const outer = Object.entries(process.env).filter(([name]) => !/^(VITEST|DOCSCTL_|NODE_ENV$|TEST$)/.test(name));
const env = { ...Object.fromEntries(outer), PATH: `${bin}:${process.env.PATH}`, NO_COLOR: '1' };
let failed = false;
/** Runs a command in the copy, and prints its output if it fails. */
async function run(what, program, ...args) {
  const start = performance.now();
  const error = await execute(program, args, { cwd: copy, env, maxBuffer: 2 ** 28 }).then(
    () => undefined,
    (reason) => reason,
  );
  const seconds = ((performance.now() - start) / 1000).toFixed(0);
  console.log(`${error ? 'FAILED' : 'ok    '} ${what} (${seconds} s)`);
  if (!error) return;
  failed = true;
  console.log(`${error.stdout ?? ''}${error.stderr ?? error.message}`);
}

const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean);
for (const file of files) if (existsSync(join(root, file))) cpSync(join(root, file), join(copy, file));
symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
follow();
await run('npm exec -- oxfmt', 'oxfmt', 'src', 'test');
let checks;
for (const name of scripts) {
  await run(`npm run ${name}`, 'npm', 'run', '--silent', name);
  // Types are checked meanwhile, once everything is generated.
  checks ??= run('npm run check', 'tsc', '--noEmit');
}
await run('imports', 'node', 'scripts/check-imports.mjs');
await checks;
// One run for the tests that run as a whole, one for those of which some concern the samples.
const whole = tests.filter(([, names]) => names === '').map(([path]) => path);
const partly = tests.filter(([, names]) => names !== '').map(([path]) => path);
const names = tests.flatMap(([, some]) => some || []).join('|');
const vitest = ['vitest', 'run', '--reporter=dot'];
await run(whole.join(' '), ...vitest, ...whole);
await run(partly.join(' '), ...vitest, ...partly, '-t', names);
if (installedPrograms()) {
  const onPostgres = ['test/postgres/store.test.ts', 'test/server/glossaries.test.ts'];
  const cluster = ['node', 'scripts/postgres/cluster.ts', ...vitest, '--config', 'vitest.postgres.config.ts'];
  await run(`npm run test:postgres -- ${onPostgres.join(' ')}`, ...cluster, ...onPostgres);
} else console.log('skipped npm run test:postgres: PostgreSQL is not installed');
process.exitCode = failed ? 1 : 0;
