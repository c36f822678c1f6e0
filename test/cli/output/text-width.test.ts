import stringWidth from 'string-width';
import { expect, test, vi } from 'vitest';
import { loadTextWidth } from '../../../src/cli/output/text-width.ts';

test('letters of every script are as wide as they are drawn', async () => {
  const { widthOf } = await loadTextWidth();
  const graphemes = new Intl.Segmenter();
  const wrong: string[] = [];
  for (let code = 0x20; code <= 0xffff; code += code < 0x3100 ? 1 : 37) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const character = String.fromCharCode(code);
    const text = `a${character}a`;
    const drawn = [...graphemes.segment(text)].reduce((sum, { segment }) => sum + stringWidth(segment), 0);
    if (widthOf(text) !== drawn) wrong.push(code.toString(16));
  }
  expect(wrong).toEqual([]);
});

test('the segmenter, whose memory is freed late, reads no lines of trees and no letters', async () => {
  const { widthOf, cut } = await loadTextWidth();
  const segment = vi.spyOn(Intl.Segmenter.prototype, 'segment');
  try {
    for (const text of ['├─ Größe', '│  └─ насос', 'ポンプ', '펌프', '泵']) {
      widthOf(text);
      expect(cut(text, 40)).toBe(text);
    }
    expect(segment).not.toHaveBeenCalled();
    expect(widthOf('├─ ポンプ')).toBe(9);
    expect(cut('├─ ポンプ', 8)).toBe('├─ ポン…');
  } finally {
    segment.mockRestore();
  }
});
