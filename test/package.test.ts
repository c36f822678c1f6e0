import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { groups, loadGroup, type GroupName } from '../src/contract/groups.ts';
import { stagePackage } from '../scripts/release/npm-package.ts';
import { root } from './support/cli.ts';

const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
let folder: string;
/** Where the package is installed, and nothing else. */
let consumer: string;
let installMessages: string;
let packed: { files: { path: string; mode: number }[]; unpackedSize: number; filename: string };

// It packs what is in dist/; packing and installing take their time on a busy machine.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docsctl-package-'));
  const staging = join(folder, 'staging');
  const man = join(folder, 'man');
  await execa(process.execPath, ['scripts/generate/main.ts', '--man', man], { cwd: root });
  stagePackage(staging, man);
  const { stdout } = await execa('npm', ['pack', '--ignore-scripts', '--json'], { cwd: staging });
  const report = JSON.parse(stdout);
  packed = Array.isArray(report) ? report[0] : Object.values(report)[0];
  consumer = join(folder, 'consumer');
  await mkdir(consumer);
  await writeFile(join(consumer, 'package.json'), '{"private":true,"type":"module"}');
  const tarball = join(staging, packed.filename);
  const words = ['install', '--offline', '--omit=optional', '--no-package-lock', tarball];
  ({ stderr: installMessages } = await execa('npm', words, { cwd: consumer }));
}, 180_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

const env = () => ({
  HOME: folder,
  DOCSCTL_CONFIG_DIR: join(folder, 'config'),
  DOCSCTL_DATA_DIR: join(folder, 'data'),
  DOCSCTL_CACHE_DIR: join(folder, 'cache'),
  DOCSCTL_KEYRING: 'off',
  PATH: process.env.PATH!,
});

const installed = (...words: string[]) =>
  execa(process.execPath, [join(consumer, 'node_modules', '.bin', 'docsctl'), ...words], {
    cwd: consumer,
    env: env(),
    extendEnv: false,
    stdin: 'ignore',
  });

describe('a release archive', () => {
  const env = () => ({
    HOME: folder,
    PATH: process.env.PATH!,
    npm_config_offline: 'true',
    npm_config_omit: 'optional',
  });

  test('is what the action installs', async () => {
    const action = parse(await readFile(join(root, 'action.yml'), 'utf8'));
    const { run } = action.runs.steps.find((step: { run?: string }) => step.run?.includes('npm install'));
    const temp = join(folder, 'runner');
    await mkdir(temp);
    const settings = { DOCSCTL_ACTION_PACKAGE: packed.filename, DOCSCTL_ACTION_VERSION: '0.0.0' };
    const github = { GITHUB_WORKSPACE: join(folder, 'staging'), GITHUB_PATH: join(temp, 'path'), RUNNER_TEMP: temp };

    await execa('bash', ['-eo', 'pipefail', '-c', run], { cwd: temp, env: { ...env(), ...settings, ...github } });
    const path = (await readFile(join(temp, 'path'), 'utf8')).trim();
    const { stdout } = await execa(join(path, 'docsctl'), ['--version'], { env: env() });

    expect(stdout).toContain(manifest.version);
  });

  test('is what the job for GitLab installs', async () => {
    const prefix = join(folder, 'global');
    const words = ['install', '--global', '--prefix', prefix, `./${packed.filename}`];
    await execa('npm', words, { cwd: join(folder, 'staging'), env: env() });

    const { stdout } = await execa(join(prefix, 'bin', 'docsctl'), ['--version'], { env: env() });

    expect(stdout).toContain(manifest.version);
  });
});

describe('the lock file', () => {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const { '': rootPackage, ...packages } = lock.packages as Record<string, any>;

  test('is committed', async () => {
    const { exitCode, stderr } = await execa('git', ['ls-files', '--error-unmatch', 'package-lock.json'], {
      cwd: root,
      reject: false,
    });
    // Outside of a checkout there is nobody to ask.
    if (!stderr.includes('not a git repository')) expect(exitCode).toBe(0);
  });

  test('agrees with package.json, and has a checksum of each package', () => {
    expect(rootPackage.devDependencies).toEqual(manifest.devDependencies);
    expect(rootPackage.optionalDependencies).toEqual(manifest.optionalDependencies);
    expect(rootPackage.dependencies).toBeUndefined();
    const loose = Object.entries(packages).filter(
      ([, { integrity, link }]) => !link && !integrity?.startsWith('sha512-'),
    );
    expect(loose.map(([name]) => name)).toEqual([]);
    const unlocked = Object.values({ ...manifest.devDependencies, ...manifest.optionalDependencies }).filter(
      (range) => !/^\d/.test(String(range)),
    );
    expect(unlocked).toEqual([]);
  });

  test('runs no script of a package but those that package.json allows', () => {
    const scripted = Object.entries(packages).filter(([, entry]) => entry.hasInstallScript && !entry.optional);
    const allowed = Object.keys(manifest.allowScripts);
    expect(
      scripted.map(([path]) => path.replace(/.*node_modules\//, '')).filter((name) => !allowed.includes(name)),
    ).toEqual([]);
  });
});

describe('the package', () => {
  test('has nothing that npm warns about, and no scripts or tools of the checkout', async () => {
    const own = JSON.parse(await readFile(join(consumer, 'node_modules', 'docsctl', 'package.json'), 'utf8'));

    expect(installMessages).toBe('');
    expect(own).toMatchObject({ name: 'docsctl', version: manifest.version, bin: manifest.bin });
    expect(Object.keys(own)).toEqual(expect.not.arrayContaining(['scripts', 'devDependencies', 'allowScripts']));
  });

  test('is one package, without an installation script, under 8 MB', async () => {
    const there = (await readdir(join(consumer, 'node_modules'))).filter((name) => !name.startsWith('.'));
    expect(there).toEqual(['docsctl']);
    expect(manifest.dependencies).toBeUndefined();
    // npm would also build by itself what has a binding.gyp.
    const scripts = ['preinstall', 'install', 'postinstall'].filter((name) => name in manifest.scripts);
    expect([...scripts, ...packed.files.filter(({ path }) => path.endsWith('.gyp'))]).toEqual([]);
    expect(packed.unpackedSize).toBeLessThan(8_000_000);
  });

  test('contains only the listed files', () => {
    const listed = new Set(['package.json', ...manifest.files]);
    expect(packed.files.map(({ path }) => path).filter((path) => !listed.has(path.split('/')[0]!))).toEqual([]);
    expect(packed.files.map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        'bin/docsctl.js',
        'dist/main.cjs',
        'dist/text-thread.cjs',
        'dist/index.mjs',
        'dist/types/index.d.ts',
      ]),
    );
    const rest = packed.files.map(({ path }) => path).filter((path) => !path.startsWith('dist/'));
    const folders = ['bin', 'completions'].flatMap((name) =>
      readdirSync(join(root, name)).map((file) => `${name}/${file}`),
    );
    const texts = ['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json'];
    expect(rest.toSorted()).toEqual([...texts, ...folders, ...manifest.man].toSorted());
    const kinds = packed.files.filter(({ path }) => path.startsWith('dist/')).map(({ path }) => path.split('.').at(-1));
    expect([...new Set(kinds)].toSorted()).toEqual(['br', 'cjs', 'css', 'js', 'mjs', 'ts', 'txt', 'woff2']);
  });

  test('contains no path of the machine that built it', async () => {
    const dist = join(consumer, 'node_modules', 'docsctl', 'dist');
    const files = (await readdir(dist, { recursive: true })).filter((name) => /\.(cjs|mjs|ts|txt)$/.test(name));
    const filesWithPath = [];
    for (const file of files) if ((await readFile(join(dist, file), 'utf8')).includes(root)) filesWithPath.push(file);
    expect(filesWithPath).toEqual([]);
  });

  test('runs: version, a local instance with the demo, a list, jq, a long text, the same over HTTP', async () => {
    expect((await installed('--version')).stdout).toBe(manifest.version);
    await installed('init', '--demo');
    const list = await installed('members', 'list', '--limit', '3', '-o', 'id');
    expect(list.stdout.split('\n')).toHaveLength(3);
    expect((await installed('members', 'list', '--limit', '3', '--jq', 'length')).stdout).toBe('3');
    const space = await installed('spaces', 'create', '--title', 'Texts', '-o', 'id');
    const change = {
      operation: 'insert_page',
      document: { markdown: `# Long\n\n${'One of *many* words.\n'.repeat(2_000)}` },
    };
    await writeFile(join(consumer, 'change.json'), JSON.stringify({ changes: [change] }));
    await installed('api', 'POST', `/v1/spaces/${space.stdout}/content`, '--input', 'change.json');
    const pages = await installed('content', 'pages', 'list', '--space', space.stdout, '--jq', '.[].title');
    expect(pages.stdout).toBe('Long');

    const child = execa(
      process.execPath,
      [join(consumer, 'node_modules', '.bin', 'docsctl'), 'serve', '--port', '0', '--json'],
      { cwd: consumer, env: { ...env(), DOCSCTL_SERVE_TOKEN: 'token-of-the-test' }, extendEnv: false, reject: false },
    );
    const line = await new Promise<string>((resolve) => child.stdout!.once('data', (data) => resolve(String(data))));
    const { url } = JSON.parse(line);
    const over = await execa(
      process.execPath,
      [join(consumer, 'node_modules', '.bin', 'docsctl'), 'members', 'list', '--limit', '3', '-o', 'id'],
      { env: { ...env(), DOCSCTL_URL: url, DOCSCTL_TOKEN: 'token-of-the-test' }, extendEnv: false },
    );
    expect(over.stdout).toBe(list.stdout);
    child.kill('SIGTERM');
    expect((await child).exitCode).toBe(0);
  }, 60_000);
});

describe('compressed modules', () => {
  const description =
    'openapi: 3.1.0\ninfo: { title: Pets, version: "1" }\npaths: {}\nservers: [{ url: https://pets.test }]\n';

  test.for(['first', 'again, from code that the first run kept'])('run %s', async (_, { expect }) => {
    await writeFile(join(consumer, 'pets.yaml'), description);
    await mkdir(join(consumer, 'docs'), { recursive: true });
    await writeFile(join(consumer, 'docs', 'README.md'), '# Formula\n\n$$x^2$$\n\n```js\nconst a = 1;\n```\n');

    const validated = await installed('openapi', 'validate', 'pets.yaml', '--fail-on', 'none');
    const exported = await installed('sites', 'export', 'docs', '--out', 'site');

    expect(validated.stderr).toContain('It is valid');
    expect(exported.exitCode).toBe(0);
  });

  test('run in threads', async () => {
    const schema = `\ncomponents: { schemas: { A: { type: string, pattern: "${'a'.repeat(400_000)}" } } }\n`;
    await writeFile(join(consumer, 'large.yaml'), description + schema);

    const validated = await installed('openapi', 'validate', 'large.yaml', '--fail-on', 'none');

    expect(validated.stderr).toContain('It is valid');
  });
});

describe('the library', () => {
  test('has every group of the contract', async () => {
    const script = `const library = await import('docsctl');
      console.log(JSON.stringify(Object.fromEntries(Object.entries(library).map(([name, value]) =>
        [name, typeof value === 'object' ? Object.keys(value).sort() : typeof value]))));`;
    const { stdout, stderr } = await execa(process.execPath, ['--input-type=module', '-e', script, 'unknown'], {
      cwd: consumer,
    });
    // The program is not run by importing the library.
    expect(stderr).toBe('');
    const exported = JSON.parse(stdout);
    for (const name of Object.keys(groups) as GroupName[])
      expect([name, exported[name]]).toEqual([name, Object.keys(await loadGroup(name)).toSorted()]);
    expect(exported.createClient).toBe('function');
    expect(exported.HttpError).toBe('function');
  });

  test('calls an instance in the same process, which it makes, as the administrator or another user', async () => {
    const script = `import { HttpError, createClient, members, orgs, users } from 'docsctl';
      const client = createClient({ url: 'embedded:./test.db' });
      const { items: [org] } = await client.call(orgs.list, {});
      const me = await client.call(users.current, {});
      const emails = [];
      for await (const member of client.items(members.list, { params: { orgId: org.id } })) emails.push(member.user.email);
      await client.close();
      const other = createClient({ url: 'embedded:./test.db', as: 'nobody@example.test' });
      const refused = await other.call(users.current, {}).catch((error) => error.message);
      await other.close();
      console.log(JSON.stringify({ emails, me: me.email, refused }));`;
    const { stdout } = await execa(process.execPath, ['--input-type=module', '-e', script], { cwd: consumer });
    expect(JSON.parse(stdout)).toEqual({
      emails: ['admin@localhost'],
      me: 'admin@localhost',
      refused: 'There is no user "nobody@example.test" in this instance.',
    });
    expect(await readdir(consumer)).toContain('test.db');
  });

  test('has types that a strict program compiles against with nothing else installed', async () => {
    await compile(
      consumer,
      `import { HttpError, createClient, changeRequests, members, spaces, type Client, type Member } from 'docsctl';

      const client: Client = createClient({ url: 'embedded:./test.db', as: 'somebody@example.test' });
      export async function guests(orgId: string): Promise<Member[]> {
        const people: Member[] = [];
        for await (const member of client.items(members.list, { params: { orgId }, query: { role: 'guest' } }))
          people.push(member);
        return people;
      }
      export async function make(orgId: string): Promise<string> {
        const { id, title } = await client.call(spaces.create, { params: { orgId }, body: { title: 'Pumps' } });
        const { items, next } = await client.call(changeRequests.list, { params: { spaceId: id }, query: { limit: 5 } });
        const subjects: (string | undefined)[] = items.map(({ subject }) => subject);
        return [title, next?.page, ...subjects].join();
      }
      export const reason = (error: unknown) => (error instanceof HttpError ? error.reason : undefined);

      // @ts-expect-error an organization is missing
      void client.call(members.view, { params: { userId: 'x' } });
      // @ts-expect-error there is no such role
      void client.items(members.list, { params: { orgId: 'x' }, query: { role: 'king' } });
      // @ts-expect-error it takes no body
      void client.call(members.view, { params: { orgId: 'x', userId: 'y' }, body: {} });
      // @ts-expect-error a list is no member
      client.call(members.list, { params: { orgId: 'x' } }).then((answer): Member => answer);
      `,
    );
  }, 60_000);

  test('has the declarations of every endpoint of the contract', async () => {
    const lines: string[] = [];
    for (const name of Object.keys(groups) as GroupName[]) {
      for (const key of Object.keys(await loadGroup(name))) {
        const [source, published] = [`typeof contract.${name}.${key}`, `typeof library.${name}.${key}`];
        // The contract itself knows these less exactly: what is declared must fit into it.
        const isRough = name === 'siteSchema';
        lines.push(`fits<Source.ParamsOf<${source}>, Published.ParamsOf<${published}>>();`);
        for (const part of ['QueryInput', 'BodyInput', 'ItemOf', 'AnswerOf'])
          lines.push(`${isRough ? 'fits' : 'same'}<Source.${part}<${source}>, Published.${part}<${published}>>();`);
      }
    }
    await compile(
      root,
      `import type * as contract from '${root}/src/contract/all.ts';
      import type * as Source from '${root}/src/contract/endpoint.ts';
      import type * as library from '${join(consumer, 'node_modules/docsctl/dist/types/contract/all.js')}';
      import type * as Published from '${join(consumer, 'node_modules/docsctl/dist/types/contract/endpoint.js')}';
      declare function fits<Expected, Declared extends Expected>(): [Expected, Declared];
      declare function same<Expected extends Declared, Declared extends Again, Again = Expected>(): [Expected, Declared];
      ${lines.join('\n')}`,
    );
  }, 60_000);
});

/** Throws what the compiler says. */
async function compile(where: string, program: string): Promise<void> {
  const programFolder = await mkdtemp(join(where === root ? folder : where, 'program-'));
  await writeFile(join(programFolder, 'program.ts'), program);
  const isOurs = where === root;
  const options = {
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: !isOurs,
    target: isOurs ? 'es2024' : 'es2022',
    module: 'nodenext',
    noEmit: true,
    types: [],
    skipLibCheck: isOurs,
    allowImportingTsExtensions: isOurs,
  };
  await writeFile(
    join(programFolder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: options, files: ['program.ts'] }),
  );
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const { stdout, exitCode } = await execa(process.execPath, [compiler, '-p', programFolder], { reject: false });
  expect(`${exitCode} ${stdout}`).toBe('0 ');
}
