import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encode } from 'fast-png';
import { imageSize } from 'image-size';
import jpeg from 'jpeg-js';
import { expect } from 'vitest';
import { fitImage } from '../../src/content/images/fit-image.ts';
import { type Repository, test } from '../support/git.ts';

/** The same bytes each time, which cannot be compressed. */
function noise(length: number): Uint8Array {
  const parts: Buffer[] = [];
  for (let part = 0; part * 64 < length; part += 1) parts.push(createHash('sha512').update(String(part)).digest());
  return Buffer.concat(parts).subarray(0, length);
}

const side = 600;
const pngFile = encode({ width: side, height: side, channels: 3, data: noise(side * side * 3) });
const jpegFile = jpeg.encode({ width: side, height: side, data: noise(side * side * 4) }, 98).data;

async function filesOf(repository: Repository): Promise<{ name: string; size: number }[]> {
  const run = await repository.docs.docsctl('content', 'files', 'list', '--space', repository.space, '--json');
  return run.json as { name: string; size: number }[];
}

test('--fit-images sends large images smaller and keeps the files', async ({ repository }) => {
  const ann = repository.clone('ann');
  await ann.commit({ 'a.md': '# A\n\n![P](p.png)\n\n![J](j.jpg)\n', 'p.png': pngFile, 'j.jpg': jpegFile });

  const left = await ann.push();
  const push = await ann.push('--fit-images');
  const again = await ann.push('--fit-images');
  const pull = await ann.pull();

  expect(left.exitCode).toBe(8);
  expect(push.exitCode, push.stderr).toBe(0);
  expect(push.stderr).toMatch(/^p\.png is sent as \d+ x \d+ pixels, \d+ kB instead of \d+ kB\.$/m);
  expect(push.json).toMatchObject({ uploaded: 2, leftOut: 0 });
  expect([again.exitCode, pull.exitCode], again.stderr + pull.stderr).toEqual([0, 0]);
  expect(again.json).toMatchObject({ status: 'unchanged' });
  expect(pull.json, pull.stderr).toMatchObject({ written: 0, removed: 0 });
  expect(Buffer.compare(await readFile(join(ann.dir, 'docs/p.png')), pngFile)).toBe(0);
  const files = await filesOf(repository);
  expect(files.map(({ name }) => name)).toEqual(['j.jpg', 'p.png']);
  for (const { size } of files) expect(size).toBeLessThanOrEqual(1_000_000);
});

test('a pull after a push without --fit-images writes no second copy of a large image', async ({ repository }) => {
  const ann = repository.clone('ann');
  await ann.commit({ 'a.md': '# A\n\n![P](p.png)\n', 'p.png': pngFile });

  await ann.push('--fit-images');
  const left = await ann.push();
  const pull = await ann.pull();

  expect(left.exitCode).toBe(8);
  expect(left.stderr).toContain('--fit-images');
  expect(pull.json, pull.stderr).toMatchObject({ written: 0, removed: 0 });
});

test('an image that cannot be made smaller is left out, with status 8', async ({ repository }) => {
  const ann = repository.clone('ann');
  const text = '# A\n\n![W](w.webp)\n\n![B](b.png)\n';
  await ann.commit({ 'a.md': text, 'w.webp': noise(1_200_000), 'b.png': pngFile.subarray(0, 1_050_000) });

  const push = await ann.push('--fit-images');

  expect(push.exitCode).toBe(8);
  expect(push.stderr).toContain('w.webp is not made smaller: --fit-images only changes PNG and JPEG images.');
  expect(push.stderr).toContain('w.webp is 1.2 MB, over the limit of 1 MB, and is skipped.');
  expect(push.stderr).toContain('b.png is 1.1 MB, over the limit of 1 MB, and is skipped.');
});

test.each([
  ['gray', 1, 8],
  ['gray with transparency', 2, 8],
  ['transparent', 4, 8],
  ['16 bits', 3, 16],
] as const)('a PNG is made smaller: %s', (_, channels, depth) => {
  const width = Math.ceil(Math.sqrt(1_100_000 / (channels * (depth / 8))));
  const samples = noise(width * width * channels);
  const data = depth === 16 ? Uint16Array.from(samples, (sample) => sample * 257) : samples;

  const fitted = fitImage(encode({ width, height: width, channels, depth, data }), 1_000_000);

  expect(fitted?.bytes.length).toBeLessThanOrEqual(1_000_000);
  expect(imageSize(fitted!.bytes)).toMatchObject({ type: 'png', width: fitted!.width, height: fitted!.height });
  expect(fitted!.width).toBeGreaterThan(300);
});
