import { inflateSync } from 'node:zlib';

/** The text that can be copied out of the file, by its fonts' own tables. */
export function copiedText(pdf: string): string {
  const streams = new Map(
    [...pdf.matchAll(/(\d+) 0 obj\n<<((?:(?!endobj)[\s\S])*?)>>\nstream\n([\s\S]*?)\nendstream/g)].map(
      ([, id, head, data]) => [id!, head!.includes('FlateDecode') ? unpack(data!) : data!],
    ),
  );
  const fonts = new Map<string, Map<number, string>>();
  const toUnicode = new Map(
    [...pdf.matchAll(/(\d+) 0 obj\n<<((?:(?!endobj)[\s\S])*?)>>\nendobj/g)].flatMap(([, id, body]) => {
      const map = /\/ToUnicode (\d+) 0 R/.exec(body!)?.[1];
      return map ? [[id!, map] as const] : [];
    }),
  );
  for (const [, name, id] of pdf.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
    const map = new Map<number, string>();
    const text = streams.get(toUnicode.get(id!) ?? '') ?? '';
    for (const [, from, , list] of text.matchAll(/<([0-9a-f]+)> <([0-9a-f]+)> \[(.*?)\]/gs)) {
      for (const [index, [, hex]] of [...list!.matchAll(/<([0-9a-f ]*)>/g)].entries()) {
        map.set(
          Number.parseInt(from!, 16) + index,
          Buffer.from(hex!.replaceAll(' ', ''), 'hex').swap16().toString('utf16le'),
        );
      }
    }
    fonts.set(name!, map);
  }
  let text = '';
  for (const stream of streams.values()) {
    let font = new Map<number, string>();
    for (const [, name, array] of stream.matchAll(/\/(F\d+) [\d.]+ Tf|\[((?:<[0-9a-f]*>|[\d\s.-])*)\] TJ/g)) {
      if (name) font = fonts.get(name) ?? new Map();
      else
        for (const [, hex] of array!.matchAll(/<([0-9a-f]*)>/g))
          for (let offset = 0; offset < hex!.length; offset += 4)
            text += font.get(Number.parseInt(hex!.slice(offset, offset + 4), 16)) ?? '';
    }
  }
  return text;
}
function unpack(data: string): string {
  try {
    return inflateSync(Buffer.from(data, 'latin1')).toString('latin1');
  } catch {
    return '';
  }
}
