import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encode } from 'fast-png';
import { expect, onTestFinished, test } from 'vitest';
import { writePdf } from '../../src/content/pdf/pdf.ts';

const gif = Buffer.from('R0lGODlhAQABAIAAAP8AAP///yH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64');
const webp = Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64');
const svg = (content: string) =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="40" height="20">${content}</svg>`,
  );

/** A page with one picture. */
async function draw(picture: Uint8Array) {
  const parts: Uint8Array[] = [];
  const findings = await writePdf(
    [{ id: 'a', title: 'Pump', depth: 0 }],
    {
      title: 'Handbook',
      date: new Date(0),
      fonts: { installed: () => [] },
      text: () => '![A pump](pump)\n',
      imageName: (url) => url,
      image: () => picture,
    },
    (bytes) => parts.push(bytes),
  );
  const pdf = Buffer.concat(parts).toString('latin1');
  return { what: findings.map(({ kind, what }) => `${kind} ${what}`), images: pdf.match(/\/Subtype \/Image/g)?.length };
}

test.each([
  ['GIF', gif],
  ['WebP', webp],
])('a %s is drawn', async (_, bytes) => {
  const { what, images } = await draw(bytes);

  expect(what).toEqual([]);
  expect(images).toBeGreaterThan(0);
});

test('a drawing is drawn as lines, with letters of the fonts of the page', async () => {
  const { what, images } = await draw(svg('<rect width="9" height="9"/><text y="9" font-family="mono">Näher</text>'));

  expect(what).toEqual([]);
  expect(images).toBeUndefined();
});

test('a letter of a drawing that no font has is reported', async () => {
  expect((await draw(svg('<text y="9">日</text>'))).what).toEqual(['missing-font Chinese characters']);
});

test('a drawing whose parts draw each other millions of times is skipped', async () => {
  const levels = Array.from({ length: 12 }, (_, level) => {
    const use = level === 0 ? '<path d="M0 0h1"/>' : `<use xlink:href="#l${level - 1}"/>`.repeat(10);
    return `<g id="l${level}">${use}</g>`;
  });

  expect((await draw(svg(levels.join('')))).what).toEqual(['picture svg']);
});

test('a drawing that refers to itself ends', async () => {
  expect((await draw(svg('<g id="a"><use xlink:href="#a"/><path d="M0 0h1"/></g>'))).what).toEqual([]);
});

test('a drawing cannot show files of the machine', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'docsctl-picture-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'secret.png');
  await writeFile(file, encode({ width: 1, height: 1, data: new Uint8Array(4), channels: 4, depth: 8 }));

  const { images } = await draw(svg(`<image xlink:href="${file}" width="9" height="9"/>`));

  expect(images).toBeUndefined();
});

test.each([
  ['GIF', Buffer.concat([gif.subarray(0, 20)]), 'picture damaged gif'],
  ['WebP', Buffer.concat([webp.subarray(0, 28), Buffer.alloc(4)]), 'picture damaged webp'],
])('a damaged %s is reported', async (_, bytes, expected) => {
  expect((await draw(bytes)).what).toEqual([expected]);
});

test('a transparent picture is written before the next one is read, since an unpacked one is large', async () => {
  const bytes = encode({ width: 40, height: 40, data: new Uint8Array(40 * 40 * 4), channels: 4 });
  const parts: Uint8Array[] = [];
  const writtenBefore: number[] = [];
  const written = () =>
    Buffer.concat(parts)
      .toString('latin1')
      .match(/\/SMask/g)?.length ?? 0;
  await writePdf(
    [{ id: 'a', title: 'Pump', depth: 0 }],
    {
      title: 'Handbook',
      fonts: { installed: () => [] },
      text: () => '![A](1)\n\n![B](2)\n\n![C](3)\n',
      imageName: (url) => url,
      image: () => {
        writtenBefore.push(written());
        return bytes;
      },
    },
    (piece) => parts.push(piece),
  );
  expect(writtenBefore).toEqual([0, 1, 2]);
});
