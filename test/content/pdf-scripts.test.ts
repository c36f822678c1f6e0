import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ranked } from '../../src/content/fonts/choose-font.ts';
import { type InstalledFont, installedFonts } from '../../src/content/fonts/installed.ts';
import { writePdf } from '../../src/content/pdf/pdf.ts';

const fonts = installedFonts();

function poppler(tool: string, args: string[], bytes: Uint8Array): string {
  const folder = mkdtempSync(join(tmpdir(), 'docsctl-pdf-'));
  try {
    const file = join(folder, 'a.pdf');
    writeFileSync(file, bytes);
    return execFileSync(
      tool,
      args.map((arg) => (arg === 'FILE' ? file : arg)),
      { encoding: 'utf8' },
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function write(markdown: string, installed: () => InstalledFont[]) {
  const parts: Uint8Array[] = [];
  const findings = await writePdf(
    [{ id: 'a', title: 'Scripts', depth: 0 }],
    { title: 'Scripts & <signs>', author: 'Pumps', text: () => markdown, fonts: { installed } },
    (bytes) => parts.push(bytes),
  );
  return { bytes: Buffer.concat(parts), findings };
}

const all = '关闭阀门。\n\nバルブを閉める\n\n밸브를 닫으십시오\n\nمرحبا docsctl 12\n\nनमस्ते\n\nกรุณาปิดวาล์ว\n\n👍🏽 👨‍👩‍👧 🇩🇪\n';

describe('a PDF in many scripts', () => {
  test(
    'is drawn with fonts of the machine, which are embedded in part',
    { tags: ['fonts', 'poppler'], timeout: 30_000 },
    async () => {
      const { bytes, findings } = await write(all, () => fonts);

      expect(findings).toEqual([]);
      const text = poppler('pdftotext', ['FILE', '-'], bytes);
      for (const word of [
        '关闭阀门',
        'バルブを閉める',
        '밸브를 닫으십시오',
        'مرحبا',
        'नमस्ते',
        'กรุณาปิดวาล์ว',
        '👍🏽',
        '👨‍👩‍👧',
        '🇩🇪',
      ]) {
        expect(text).toContain(word);
      }
      const [, , ...embedded] = poppler('pdffonts', ['FILE'], bytes).trim().split('\n');
      expect(embedded.length).toBeGreaterThan(4);
      for (const font of embedded) expect(font).toMatch(/ yes +yes +yes /);
      // Whole fonts of Chinese have 16 MB.
      expect(bytes.length).toBeLessThan(1_000_000);
    },
  );

  test('without fonts tells the scripts, the pages and what to install', async () => {
    const { findings } = await write(all, () => []);

    expect(findings.map(({ what, package: fonts }) => [what, fonts])).toEqual([
      ['Chinese characters', 'fonts-noto-cjk'],
      ['Chinese punctuation', 'fonts-noto-cjk'],
      ['Japanese', 'fonts-noto-cjk'],
      ['Korean', 'fonts-noto-cjk'],
      ['Arabic', 'fonts-noto-core'],
      ['Devanagari', 'fonts-noto-core'],
      ['Thai', 'fonts-noto-core'],
      ['Emoji', 'fonts-noto-color-emoji'],
    ]);
    expect(findings[0]).toMatchObject({ kind: 'missing-font', pages: ['Scripts'], count: 1, sample: '关闭阀门閉' });
  });

  test('takes the font of the region and the weight of the text', () => {
    const font = (family: string, isBold = false): InstalledFont => ({
      path: `${family}${isBold}.ttf`,
      family,
      isBold,
      isSlanted: false,
      isMonospaced: false,
      isColoured: false,
    });
    const families = [
      font('Noto Serif CJK JP'),
      font('Noto Sans CJK SC'),
      font('Noto Sans CJK JP', true),
      font('Noto Sans CJK JP'),
      font('Noto Sans Mono CJK JP'),
    ];
    const wish = { isMonospaced: false, isColoured: false, region: 'JP' } as const;
    const first = (isBold: boolean) => ranked(families, { ...wish, isBold })[0]?.path;

    expect([first(false), first(true)]).toEqual(['Noto Sans CJK JPfalse.ttf', 'Noto Sans CJK JPtrue.ttf']);
  });

  test('begins at the right where its first letter does', { tags: 'poppler' }, async () => {
    const { bytes } = await write('שלום pump\n\nLeft\n\n- עברית item\n', () => []);
    const boxes = poppler('pdftotext', ['-bbox', 'FILE', '-'], bytes);
    const left = (word: string) => Number(new RegExp(`xMin="([\\d.]+)"[^>]*>${word}<`).exec(boxes)?.[1]);

    expect(left('pump')).toBeGreaterThan(400);
    expect(left('item')).toBeGreaterThan(400);
    expect(left('Left')).toBeLessThan(70);
  });
});

describe('a tagged PDF', { tags: 'poppler' }, () => {
  test('has its structure, the descriptions of pictures and its metadata', async () => {
    const { bytes } = await write(
      '## Part\n\n[link](https://a.example)\n\n- one\n\n| h | i |\n|---|---|\n| c | d |\n\n> quote\n\n{% hint style="info" %}\nSee\n{% endhint %}\n',
      () => [],
    );
    const structure = poppler('pdfinfo', ['-struct', 'FILE'], bytes);
    const tags = structure.split('\n').map((line) => /^ *([A-Z][A-Za-z\d]*)/.exec(line)?.[1]);

    expect(structure).not.toMatch(/error/i);
    expect(tags.filter(Boolean)).toEqual(
      'Document Sect H1 H2 P Link Object L LI Lbl LBody P Table TR TH TH TR TD TD BlockQuote P Note Lbl P'.split(' '),
    );
    const info = poppler('pdfinfo', ['FILE'], bytes);
    expect(info).toMatch(/Title: +Scripts & <signs>\nAuthor: +Pumps/);
    expect(info).toMatch(/Tagged: +yes/);
    expect(poppler('pdfinfo', ['-meta', 'FILE'], bytes)).toContain('Scripts &amp; &lt;signs>');
  });
});
