/** Takes secrets out of everything that people or files get to see. */
export interface Redactor {
  text(value: string): string;
  headers(values: Record<string, string>): Record<string, string>;
  body<T extends string | Uint8Array | undefined>(value: T): T;
}

const mask = '[hidden]';
const secretHeaders = new Set(['authorization', 'proxy-authorization', 'cookie', 'set-cookie']);

/** Replaces by value: services echo headers, and no list of places to look in is ever complete. */
export function createRedactor(secrets: readonly string[]): Redactor {
  const spellings = [...new Set(secrets.filter(Boolean).flatMap(spellingsOf))].toSorted((a, b) => b.length - a.length);
  const pattern = spellings.length > 0 ? new RegExp(spellings.map(literal).join('|'), 'g') : undefined;
  const text = (value: string) => (pattern ? value.replace(pattern, mask) : value);

  function bytes(value: Uint8Array): Uint8Array {
    const buffer = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    if (!spellings.some((spelling) => buffer.includes(spelling))) return value;
    // latin1 maps each byte to one character and back, so that the rest stays as it was.
    const found = spellings.map((spelling) => literal(Buffer.from(spelling).toString('latin1')));
    return Buffer.from(buffer.toString('latin1').replace(new RegExp(found.join('|'), 'g'), mask), 'latin1');
  }

  return {
    text,
    headers: (values) =>
      Object.fromEntries(
        Object.entries(values).map(([name, value]) => [
          name,
          secretHeaders.has(name.toLowerCase()) ? mask : text(value),
        ]),
      ),
    body: <T extends string | Uint8Array | undefined>(value: T) =>
      (typeof value === 'string' ? text(value) : value && bytes(value)) as T,
  };
}

function spellingsOf(secret: string): string[] {
  const encoded = [encodeURIComponent(secret.toWellFormed()), new URLSearchParams({ '': secret }).toString().slice(1)];
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    ...encoded,
    ...encoded.map((text) => text.replace(/%../g, (byte) => byte.toLowerCase())),
  ];
}

const literal = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
