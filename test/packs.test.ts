import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, globSync, openSync, writeSync } from 'node:fs';
import {
  chmod,
  chown,
  cp,
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, onTestFinished } from 'vitest';
import { bin, type Home, root, test, useOwnCache } from './support/cli.ts';
import { isLong } from './support/long-form.ts';

interface Pack {
  commands: string[];
  code: Map<string, { modified: number; read(): Buffer | undefined }>;
  close(): void;
}
const require = createRequire(import.meta.url);
const { readPack } = require('../bin/load.js') as { readPack(file: string, build: string): Pack };
const { encodePack } = require('../bin/write-pack.js') as {
  encodePack(build: string, commands: string[], code: Map<string, { modified: number; data: Buffer }>): Buffer;
};

const other = 12_345;
const help = ['members', '--help'];
const listed = { stdout: expect.stringContaining('Usage: docsctl members'), stderr: '', exitCode: 0 };

/** Makes a pack in a cache of the home's own. */
async function makePack(home: Home) {
  const cache = useOwnCache(home);
  await home.docsctl(...help);
  const compiled = join(cache, 'compiled');
  const [build = ''] = await readdir(compiled);
  return { cache, compiled, build, folder: join(compiled, build), file: join(compiled, build, 'members.pack') };
}

/** What is in a pack: its commands, and the code that is not damaged. */
function contentsOf(file: string, build: string) {
  const { commands, code, close } = readPack(file, build);
  const whole = [...code].flatMap(([name, { modified, read }]) => {
    const data = read();
    return data ? [[name, { modified, data }] as const] : [];
  });
  close();
  return { commands, code: new Map(whole), damaged: code.size - whole.length };
}

const isWhole = (file: string, build: string) => {
  const { code, damaged } = contentsOf(file, build);
  return code.size > 0 && damaged === 0;
};

/** Tells a file that was replaced from one that was left alone. */
async function stateOf(file: string) {
  const { ino, mtimeMs, size } = await lstat(file);
  return { ino, mtimeMs, size };
}

describe('packs of compiled code', () => {
  test('are in the cache folder, where only their owner can write', async ({ home }) => {
    const { cache, folder, file } = await makePack(home);
    expect(await readdir(cache)).toEqual(['compiled']);
    expect(await readdir(folder)).toEqual(['members.pack']);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    for (const made of [cache, dirname(folder), folder]) expect((await stat(made)).mode & 0o777).toBe(0o700);
  });

  test('are used by the next command, and grow with the commands of a group', async ({ home }) => {
    const { file } = await makePack(home);
    const first = await stateOf(file);
    await home.docsctl(...help);
    expect(await stateOf(file)).toEqual(first);
    await home.docsctl('members', 'list', '--help');
    const second = await stateOf(file);
    expect(second.size).toBeGreaterThan(first.size);
    await home.docsctl('members', 'list', '--help', '--json');
    expect(await stateOf(file)).toEqual(second);
  });

  test('are used by threads, and grow with what a thread is asked for', async ({ home }) => {
    const compiled = join(useOwnCache(home), 'compiled');
    await writeFile(join(home.dir, 'README.md'), '# Home\n');
    const options = { cwd: home.dir, env: home.env, extendEnv: false, reject: false, buffer: false } as const;
    const preview = execa(process.execPath, [bin, 'preview', '.', '--json', '--port', '0'], options);
    onTestFinished(async () => {
      preview.kill('SIGKILL');
      await preview;
    });
    const line = await new Promise<string>((resolve) => preview.stdout!.once('data', (data) => resolve(String(data))));
    const { url } = JSON.parse(line);
    const chunksOf = () => {
      const files = globSync(`${compiled}/*/site-thread.pack`);
      return files.flatMap((file) => [...contentsOf(file, basename(dirname(file))).code.keys()]).join();
    };
    await expect.poll(chunksOf).toContain('folder-site');

    expect(await (await fetch(url)).text()).toContain('<h1');
    await expect.poll(chunksOf).toContain('render-page');
  });

  test('are not looked for in the folder of the platform, which belongs to other programs', async ({ home }) => {
    const platforms = join(home.dir, 'platform');
    useOwnCache(home);
    await home.docsctl(...help, { env: { NODE_COMPILE_CACHE: platforms } });
    expect(existsSync(join(platforms, 'docsctl'))).toBe(false);
    expect(await readdir(home.env.DOCSCTL_CACHE_DIR!)).toEqual(['compiled']);
  });

  test('are not used where they cannot be stored', async ({ home }) => {
    await writeFile(useOwnCache(home), 'in the way');
    expect(await home.docsctl(...help)).toMatchObject(listed);
  });

  test('are done without in a folder that refuses and never says so', { tags: 'linux' }, async ({ home }) => {
    expect(await home.docsctl(...help, { env: { DOCSCTL_CACHE_DIR: '/proc/none/cache' } })).toMatchObject(listed);
  });

  test('are not stored where that is switched off', async ({ home }) => {
    useOwnCache(home);
    expect(await home.docsctl(...help, { env: { NODE_DISABLE_COMPILE_CACHE: '1' } })).toMatchObject(listed);
    expect(await readdir(home.dir)).not.toContain('cache');
  });

  test('of versions that nobody uses any more are removed', async ({ home }) => {
    const compiled = join(useOwnCache(home), 'compiled');
    const old = join(compiled, 'old-v24.0.0-x64');
    await mkdir(old, { recursive: true });
    const [longAgo, now] = [new Date('2020-01-01'), new Date()];
    await utimes(old, longAgo, longAgo);
    const used = join(compiled, 'used-v24.0.0-x64');
    await mkdir(used);
    await utimes(used, now, now);
    await home.docsctl(...help);
    expect(await readdir(compiled)).toHaveLength(2);
    expect(await readdir(compiled)).toContain('used-v24.0.0-x64');
  });

  test('are written although another process left a partial one', async ({ home }) => {
    const { folder, file } = await makePack(home);
    await rename(file, `${file}.1`);
    expect(await home.docsctl(...help)).toMatchObject(listed);
    expect((await readdir(folder)).toSorted()).toEqual(['members.pack', 'members.pack.1']);
  });
});

describe('a damaged pack', () => {
  test('is noticed whichever bit is wrong', async ({ home }) => {
    const { file, build } = await makePack(home);
    const whole = await readFile(file);
    expect(isWhole(file, build)).toBe(true);
    // Spread over the whole file, the description among them.
    const count = isLong ? 20_000 : 2000;
    const handle = openSync(file, 'r+');
    const noticed = Array.from({ length: count }, (_, index) => {
      const bit = index < 200 ? index : Math.floor((index / count) * whole.length * 8);
      const byte = bit >> 3;
      writeSync(handle, Buffer.of(whole[byte]! ^ (1 << (bit & 7))), 0, 1, byte);
      const isNoticed = !isWhole(file, build);
      writeSync(handle, whole, byte, 1, byte);
      return isNoticed;
    });
    closeSync(handle);
    expect(noticed).not.toContain(false);
    expect(isWhole(file, build)).toBe(true);
  });

  test('changes nothing of what a command does, and is written anew', { timeout: 300_000 }, async ({ home }) => {
    const { file, build } = await makePack(home);
    const whole = await readFile(file);
    const expected = await home.docsctl(...help);
    const count = isLong ? 200 : 15;
    for (let index = 0; index < count; index++) {
      const bytes = Buffer.from(whole);
      const bit = Math.floor(((index + 0.5) / count) * bytes.length * 8);
      bytes[bit >> 3]! ^= 1 << (bit & 7);
      await writeFile(file, bytes);
      const { exitCode, stdout, stderr } = await home.docsctl(...help, { timeout: 60_000 });
      expect({ exitCode, stdout, stderr }, `bit ${bit}`).toEqual({ exitCode: 0, stdout: expected.stdout, stderr: '' });
      expect(isWhole(file, build), `bit ${bit}`).toBe(true);
    }
  });

  test.for([
    ['cut off', (pack: Buffer) => pack.subarray(0, pack.length / 2)],
    ['cut off by one byte', (pack: Buffer) => pack.subarray(0, -1)],
    [
      'without its second copy',
      (pack: Buffer) => Buffer.concat([pack.subarray(0, pack.length / 2), Buffer.alloc(pack.length / 2)]),
    ],
    ['longer by zeros', (pack: Buffer) => Buffer.concat([pack, Buffer.alloc(8)])],
    ['empty', () => Buffer.alloc(0)],
    ['full of zeros', (pack: Buffer) => Buffer.alloc(pack.length)],
    ['full of noise', (pack: Buffer) => randomBytes(pack.length)],
    ['another file', () => Buffer.from('not a pack, but some text that is long enough to be read as one')],
  ] as const)('that is %s does no harm, and is written anew', async ([, damage], { home }) => {
    const { file, build } = await makePack(home);
    await writeFile(file, damage(await readFile(file)));
    expect(isWhole(file, build)).toBe(false);
    expect(await home.docsctl(...help)).toMatchObject(listed);
    expect(isWhole(file, build)).toBe(true);
    expect(contentsOf(file, build).commands).toEqual(['members']);
  });

  test('that is far too large is not read', async ({ home }) => {
    const { file } = await makePack(home);
    // A file with a hole: it takes no room.
    await truncate(file, 100 * 1024 ** 3);
    expect(await home.docsctl(...help)).toMatchObject(listed);
    expect((await stat(file)).size).toBeLessThan(10_000_000);
  });
});

/** Makes a pack of a program that is this one but for a word, in the cache of the home. */
async function makeForeignPack(home: Home) {
  const copy = join(home.dir, 'copy');
  await cp(dirname(bin), join(copy, 'bin'), { recursive: true });
  await mkdir(join(copy, 'dist'));
  await symlink(join(root, 'dist', 'chunks'), join(copy, 'dist', 'chunks'));
  const entry = await readFile(join(root, 'dist', 'main.cjs'), 'utf8');
  await writeFile(join(copy, 'dist', 'main.cjs'), entry.replaceAll('Usage:', 'Abuse:'));
  const cache = useOwnCache(home);
  const run = await execa(process.execPath, [join(copy, 'bin', basename(bin)), ...help], {
    env: home.env,
    extendEnv: false,
  });
  expect(run.stdout).toContain('Abuse: docsctl members');
  const compiled = join(cache, 'compiled');
  const [build = ''] = await readdir(compiled);
  return { cache, compiled, build, folder: join(compiled, build), file: join(compiled, build, 'members.pack') };
}

describe('a pack of other code', () => {
  test('is not used for a text of the same length that was written at another time', async ({ home }) => {
    await makeForeignPack(home);
    expect(await home.docsctl(...help)).toMatchObject(listed);
  });

  test('is not used when it is of another build', async ({ home }) => {
    const { file, build } = await makePack(home);
    const { commands, code } = contentsOf(file, build);
    await writeFile(file, encodePack('another', commands, code));
    expect(contentsOf(file, build)).toEqual({ commands: [], code: new Map(), damaged: 0 });
    expect(contentsOf(file, 'another').commands).toEqual(['members']);
    expect(await home.docsctl(...help)).toMatchObject(listed);
    expect(contentsOf(file, build).commands).toEqual(['members']);
  });
});

/** A pack whose code prints "Abuse:" and which claims to be of the true text, as an attacker would make it. */
async function makeForgedPack(home: Home) {
  const places = await makeForeignPack(home);
  const { commands, code } = contentsOf(places.file, places.build);
  const { mtimeMs: modified } = await stat(join(root, 'dist', 'main.cjs'));
  code.set('main.cjs', { modified, data: code.get('main.cjs')!.data });
  await writeFile(places.file, encodePack(places.build, commands, code));
  return { ...places, aside: join(home.dir, 'aside') };
}

/** What is done to a pack so that it is not the user's alone, and whether it can be written anew then. */
const manipulations: {
  what: string;
  needsRoot?: boolean;
  isReplaced: boolean;
  apply(places: { cache: string; compiled: string; folder: string; file: string; aside: string }): Promise<void>;
}[] = [
  {
    what: 'belongs to another user',
    needsRoot: true,
    isReplaced: true,
    apply: ({ file }) => chown(file, other, other),
  },
  ...(['cache', 'compiled', 'folder'] as const).map((place) => ({
    what: `lies in a folder of another user (${place})`,
    needsRoot: true,
    isReplaced: false,
    apply: (places: Record<typeof place, string>) => chown(places[place], other, other),
  })),
  {
    what: 'lies in a folder below one of another user',
    needsRoot: true,
    isReplaced: false,
    apply: ({ cache }) => chown(dirname(cache), other, other),
  },
  { what: 'may be written to by its group', isReplaced: true, apply: ({ file }) => chmod(file, 0o660) },
  { what: 'may be read by others', isReplaced: true, apply: ({ file }) => chmod(file, 0o644) },
  ...(['cache', 'compiled', 'folder'] as const).flatMap((place) =>
    [0o770, 0o702].map((mode) => ({
      what: `lies in a folder of mode ${mode.toString(8)} (${place})`,
      isReplaced: false,
      apply: (places: Record<typeof place, string>) => chmod(places[place], mode),
    })),
  ),
  {
    what: 'lies below a folder that everybody may write to',
    isReplaced: false,
    apply: ({ cache }) => chmod(dirname(cache), 0o777),
  },
  {
    what: 'is a symbolic link',
    isReplaced: true,
    async apply({ file, aside }) {
      await rename(file, aside);
      await symlink(aside, file);
    },
  },
  ...(['cache', 'compiled', 'folder'] as const).map((place) => ({
    what: `lies behind a symbolic link (${place})`,
    isReplaced: false,
    async apply(places: Record<typeof place | 'aside', string>) {
      await rename(places[place], places.aside);
      await symlink(places.aside, places[place]);
    },
  })),
  {
    what: 'is a named pipe',
    isReplaced: true,
    async apply({ file, aside }) {
      await rename(file, aside);
      await execa('mkfifo', ['-m', '600', file]);
    },
  },
];

describe('a pack that is not the user’s alone', { tags: 'posix' }, () => {
  test('would run if it were the user’s own', async ({ home }) => {
    await makeForgedPack(home);
    expect((await home.docsctl(...help)).stdout).toContain('Abuse: docsctl members');
  });

  for (const { what, needsRoot = false, isReplaced, apply } of manipulations) {
    test(`is not run when it ${what}`, { tags: needsRoot ? 'root' : [] }, async ({ home }) => {
      const places = await makeForgedPack(home);
      const { file, aside } = places;
      await apply(places);
      const stateBefore = await stateOf(file);
      const outside = existsSync(aside) ? await stateOf(aside) : undefined;

      expect(await home.docsctl(...help)).toMatchObject(listed);

      const now = await lstat(file);
      if (isReplaced) expect([now.isFile(), now.uid, now.mode & 0o777]).toEqual([true, process.geteuid!(), 0o600]);
      else expect(await stateOf(file)).toEqual(stateBefore);
      if (outside) expect((await stateOf(aside)).mtimeMs).toBe(outside.mtimeMs);
    });
  }

  test('is not made in the home of another user', { tags: 'root' }, async ({ home }) => {
    await chown(home.dir, other, other);
    const { DOCSCTL_CACHE_DIR: _, ...env } = home.env;
    const run = await execa(process.execPath, [bin, ...help], {
      env,
      extendEnv: false,
      stripFinalNewline: false,
      reject: false,
    });
    expect(run).toMatchObject(listed);
    expect(await readdir(home.dir)).toEqual([]);
  });
});
