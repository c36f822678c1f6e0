import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { layOut } from '../support/demo-files.ts';
import { type Demo, type DemoHome, makeDemo } from '../support/shell.ts';
import { commandsOfTree, wordsOf } from '../support/tree.ts';

let demo: Demo;
let home: DemoHome;
beforeAll(async () => {
  demo = await makeDemo();
  home = await demo.copy();
  await layOut(home.dir);
  await home.run(['whoami']);
});
afterAll(() => demo.remove());

/** Every file below a folder with what is in it, but for what may be lost and what SQLite needs while it is open. */
function filesOf(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\/cache\b|-shm$/.test(join(entry.parentPath, entry.name)))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file): [string, Buffer] => [file, readFileSync(file)])
    .filter(([, bytes]) => bytes.length > 0);
  return Object.fromEntries(files.map(([file, bytes]) => [file, createHash('sha256').update(bytes).digest('hex')]));
}

/** A request has no ids, fields or pages to print. */
const asksForMore = /-o id|--jq|--paginate|--dry-run/;

const writing = (await commandsOfTree()).filter(
  ({ command: { endpoint, run, examples = [] } }) =>
    (endpoint?.method !== 'GET' || run) && examples.some((example) => wordsOf(example.run) !== undefined),
);

test.each(writing)('$path --dry-run changes nothing', async ({ command }) => {
  for (const { run } of command.examples ?? []) {
    const words = wordsOf(run);
    if (words?.[0] !== 'docsctl' || asksForMore.test(run)) continue;
    const before = filesOf(home.dir);

    const { exitCode } = await home.run([...words.slice(1), '--dry-run']);

    expect({ run, exitCode, files: filesOf(home.dir) }).toEqual({ run, exitCode: 0, files: before });
  }
});
