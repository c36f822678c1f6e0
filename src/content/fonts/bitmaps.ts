/** Record sizes of the tables CBLC and CBDT (OpenType 1.9). */
const sizeRecord = 48;
const indexRecord = 8;
const indexHead = 8;

/** Lengths of the metrics before an image, by its format. */
const headLengths: Record<number, number> = { 17: 5, 18: 8, 19: 0 };

/**
 * Finds the largest PNG of a glyph in a font with images, such as Noto Color Emoji. The font library reads only the first
 * part of this table.
 *
 * @param bytes the font file
 * @param locations the offset of its table CBLC
 * @param data the offset of its table CBDT
 */
export function bitmapOf(bytes: Buffer, locations: number, data: number, glyph: number): Uint8Array | undefined {
  const size = largestSize(bytes, locations);
  if (size === undefined) return undefined;
  const list = locations + bytes.readUInt32BE(size);
  const count = bytes.readUInt32BE(size + 8);
  for (let index = 0; index < count; index += 1) {
    const record = list + index * indexRecord;
    const first = bytes.readUInt16BE(record);
    if (glyph < first || glyph > bytes.readUInt16BE(record + 2)) continue;
    const table = list + bytes.readUInt32BE(record + 4);
    const head = headLengths[bytes.readUInt16BE(table + 2)];
    const offset = offsetIn(bytes, table, glyph - first);
    if (head === undefined || offset === undefined) return undefined;
    const at = data + bytes.readUInt32BE(table + 4) + offset + head;
    return bytes.subarray(at + 4, at + 4 + bytes.readUInt32BE(at));
  }
  return undefined;
}

function largestSize(bytes: Buffer, locations: number): number | undefined {
  const count = bytes.readUInt32BE(locations + 4);
  let largest: number | undefined;
  for (let index = 0; index < count; index += 1) {
    const record = locations + 8 + index * sizeRecord;
    if (largest === undefined || bytes.readUInt8(record + 44) > bytes.readUInt8(largest + 44)) largest = record;
  }
  return largest;
}

/** Formats 1 and 3 have an offset for each glyph. Emoji fonts use no others. */
function offsetIn(bytes: Buffer, table: number, index: number): number | undefined {
  const format = bytes.readUInt16BE(table);
  if (format === 1) return bytes.readUInt32BE(table + indexHead + index * 4);
  return format === 3 ? bytes.readUInt16BE(table + indexHead + index * 2) : undefined;
}
