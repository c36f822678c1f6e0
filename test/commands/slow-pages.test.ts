import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { bin, type Home, test } from '../support/cli.ts';
import { cpuMs } from '../support/cpu-time.ts';
import { hostileMarkdown } from '../support/hostile.ts';
import { isLong } from '../support/long-form.ts';

/** A folder with an ordinary page and one that takes a parser much longer than the limit of 20 s. */
async function slowFolder(home: Home): Promise<void> {
  await mkdir(join(home.dir, 'docs', 'guides'), { recursive: true });
  await writeFile(join(home.dir, 'docs', 'README.md'), '# Docs\n');
  // A backslash: the addresses of such a text cannot be found without parsing it.
  await writeFile(join(home.dir, 'docs', 'guides', 'slow.md'), `${hostileMarkdown['nested lists']!(3_000_000)}\\\n`);
}

const push = ['content', 'push', 'docs', '--space', 'handbook0001', '--new', 'Docs', '--adopt'];

test('Ctrl-C ends a push that reads a slow page', async ({ demo }) => {
  await slowFolder(demo);
  const child = spawn(process.execPath, [bin, ...push], { cwd: demo.dir, env: demo.env, stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  // It reads the page when it has computed much longer than it takes to start.
  await expect.poll(() => cpuMs(child.pid!), { interval: 50 }).toBeGreaterThan(2_000);

  child.kill('SIGINT');
  const start = performance.now();
  const [status] = await once(child, 'exit');

  expect(status).toBe(130);
  // The page takes much longer.
  expect(performance.now() - start).toBeLessThan(15_000);
});

test('Ctrl-C ends a check of a small folder with a slow page', async ({ demo }) => {
  await slowFolder(demo);
  const check = [bin, 'content', 'check', 'docs'];
  const child = spawn(process.execPath, check, { cwd: demo.dir, env: demo.env, stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  await expect.poll(() => cpuMs(child.pid!), { interval: 50 }).toBeGreaterThan(2_000);

  child.kill('SIGINT');
  const [status] = await once(child, 'exit');

  expect(status).toBe(130);
});

test('a preview names the page that takes too long, and shows the others', async ({ demo }) => {
  await slowFolder(demo);
  const words = [bin, 'preview', 'docs', '--port', '0', '--json'];
  const child = spawn(process.execPath, words, { cwd: demo.dir, env: demo.env });
  onTestFinished(() => void child.kill('SIGKILL'));
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => void (errors += chunk.toString()));
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const { url } = JSON.parse(line.toString()) as { url: string };
  const statusOf = async (path: string) => (await fetch(`${url}/${path}`)).status;

  const slow = await statusOf('guides/slow');
  const others = [await statusOf(''), await statusOf('guides/slow'), await statusOf('')];

  expect([slow, ...others]).toEqual([500, 200, 500, 200]);
  expect(errors).toContain('guides/slow.md could not be read within 5 s: make it simpler, or split it.');
});

test('Ctrl-C ends an export of a folder with a slow page, and the export leaves nothing behind', async ({ demo }) => {
  await slowFolder(demo);
  const words = [bin, 'sites', 'export', 'docs', '--out', 'public'];
  const child = spawn(process.execPath, words, { cwd: demo.dir, env: demo.env, stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  await expect.poll(() => cpuMs(child.pid!), { interval: 50 }).toBeGreaterThan(3_000);

  child.kill('SIGINT');
  const [status] = await once(child, 'exit');

  expect(status).toBe(130);
  expect(await readdir(join(demo.dir, 'public'))).toEqual([]);
});

test('Ctrl-C ends a check whose SUMMARY.md is slow', async ({ demo }) => {
  await mkdir(join(demo.dir, 'docs'));
  await writeFile(join(demo.dir, 'docs', 'README.md'), '# Docs\n');
  await writeFile(join(demo.dir, 'docs', 'SUMMARY.md'), hostileMarkdown['nested lists']!(3_000_000));
  const child = spawn(process.execPath, [bin, 'content', 'check', 'docs'], {
    cwd: demo.dir,
    env: demo.env,
    stdio: 'ignore',
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await expect.poll(() => cpuMs(child.pid!), { interval: 50 }).toBeGreaterThan(3_000);

  child.kill('SIGINT');
  const [status] = await once(child, 'exit');

  expect(status).toBe(130);
});

// The limit is 20 s.
if (isLong)
  test('a check names the page of a small folder that takes too long', async ({ demo }) => {
    await slowFolder(demo);

    const { exitCode, stderr } = await demo.docsctl('content', 'check', 'docs');

    expect([exitCode, stderr]).toEqual([
      6,
      expect.stringContaining('guides/slow.md could not be read within 20 s: make it simpler, or split it.'),
    ]);
  });

// The limit is 20 s.
if (isLong)
  test('a page that takes too long is named, and nothing is sent', async ({ demo }) => {
    await slowFolder(demo);

    for (const more of [[], ['--dry-run']]) {
      const { exitCode, stdout, stderr } = await demo.docsctl(...push, ...more);
      expect([exitCode, stdout]).toEqual([6, '']);
      expect(stderr).toContain(
        'error: docs/guides/slow.md could not be read within 20 s: make it simpler, or split it.',
      );
    }
    const requests = await demo.docsctl('cr', 'list', '--space', 'handbook0001', '--json');
    expect(requests.json.length).toBeGreaterThan(0);
    expect(requests.stdout).not.toContain('Docs');
  });

test('a folder that is read in another thread comes back as it was', async ({ demo }) => {
  const folder = join(demo.dir, 'docs');
  await mkdir(join(folder, 'assets'), { recursive: true });
  await writeFile(join(folder, 'assets', 'pump.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  await writeFile(join(demo.dir, 'outside.txt'), 'secret');
  await symlink(join(demo.dir, 'outside.txt'), join(folder, 'assets', 'link.txt'));
  // Many marks, so that it may be slow to read, but it is not.
  const code = `\`\`\`\n${'{ [ ( ; ) ] }\n'.repeat(120)}\`\`\``;
  for (let index = 0; index < 30; index += 1) {
    const links = `![pump](assets/pump.svg) [next](page-${(index + 1) % 30}.md) [file](assets/none.pdf)`;
    await writeFile(join(folder, `page-${index}.md`), `# Page ${index}\n\n${code}\n\n${links}\n`);
  }
  await writeFile(join(folder, 'page-7.md'), '# Page 7\n\n[out](assets/link.txt)\n');
  const { id } = (await demo.docsctl('spaces', 'create', '--title', 'Long', '--json')).json;

  const pushed = await demo.docsctl('content', 'push', 'docs', '--space', id, '--merge', '--json');
  const again = await demo.docsctl('content', 'push', 'docs', '--space', id, '--merge', '--json');
  const pulled = await demo.docsctl('content', 'pull', 'copy', '--space', id, '--json');

  expect(pushed.json).toMatchObject({ added: 30, uploaded: 1, warnings: 30 });
  expect(pushed.stderr).toContain('docs/page-0.md:126: assets/none.pdf is not in the folder.');
  expect(pushed.stderr).toContain(
    'docs/page-7.md:3: assets/link.txt is a symbolic link that leads out of the project and is skipped.',
  );
  expect(again.json).toMatchObject({ status: 'unchanged', unchanged: 30 });
  expect(pulled.json).toMatchObject({ written: 31, leftOut: 0 });
  const files = (await readdir(join(demo.dir, 'copy'), { recursive: true })).filter(
    (file) => file.includes('.') && !file.startsWith('.docsctl'),
  );
  expect(files.length).toBe(31);
  for (const file of files)
    expect(await readFile(join(demo.dir, 'copy', file)), file).toEqual(await readFile(join(folder, file)));
});
