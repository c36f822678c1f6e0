import { describe, expect, test } from 'vitest';
import { contentTypeOf, describeFile, extensionOf } from '../../src/content/folder/files.ts';

export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAEElEQVR4nGP4z8AARAwQCgAf7gP9i18U1AAAAABJRU5ErkJggg==',
  'base64',
);
const gif = Buffer.from('R0lGODlhBQAEAIAAAP///wAAACwAAAAABQAEAAACBISPqVkAOw==', 'base64');

describe('a file', () => {
  test('tells its type, size and dimensions', async () => {
    expect(await describeFile('pump.png', png)).toEqual({
      size: png.length,
      contentType: 'image/png',
      dimensions: { width: 3, height: 2 },
    });
    expect(await describeFile('a', gif)).toEqual({
      size: gif.length,
      contentType: 'image/gif',
      dimensions: { width: 5, height: 4 },
    });
    const svg = Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"/>');
    expect(await describeFile('x', svg)).toMatchObject({
      contentType: 'image/svg+xml',
      dimensions: { width: 30, height: 20 },
    });
    expect(await describeFile('cut.png', png.subarray(0, 12))).toEqual({ size: 12, contentType: 'image/png' });
    expect(await describeFile('empty.png', Buffer.alloc(0))).toEqual({ size: 0, contentType: 'text/plain' });
  });

  test.each([
    ['pump.jpg', png, 'image/png'],
    ['logo.png', Buffer.from('<html>404</html>'), 'text/plain'],
    ['a.docx', Buffer.from('PK\x03\x04'), 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    ['a.bin', Buffer.from('PK\x03\x04'), 'application/zip'],
    ['NOTES.MD', Buffer.from('x'), 'text/markdown'],
    ['dir.png/notes', Buffer.from('ü'), 'text/plain'],
    ['notes', Buffer.from([0, 1]), 'application/octet-stream'],
  ])('%s', (name, bytes, type) => expect(contentTypeOf(name, bytes)).toBe(type));

  test('has an extension by its type', () => {
    expect(extensionOf('image/jpeg; q=1')).toBe('.jpg');
    expect(extensionOf('application/x-unknown')).toBe('');
  });
});
