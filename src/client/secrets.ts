/** Takes secrets out of everything that people or files get to see. */
export interface Redactor {
  text(value: string): string;
  headers(values: Record<string, string>): Record<string, string>;
  body<T extends string | Uint8Array | undefined>(value: T): T;
}

const mask = '[hidden]';
const secretHeader = /^(?:proxy-)?authorization$|^(?:set-)?cookie$|token|secret|password|api-?key/i;

/** Replaces by value: services echo headers, and no list of places to look in is ever complete. */
export function createRedactor(secrets: readonly string[]): Redactor {
  const wanted = [...new Set(secrets.filter(Boolean))];
  // Made when they are needed: most runs show nothing that a secret could be in.
  let inText: RegExp | undefined;
  let inBytes: RegExp | undefined;
  const text = (value: string) =>
    wanted.length === 0 ? value : value.replace((inText ??= patternFor(wanted, (char) => char)), mask);

  function bytes(value: Uint8Array): Uint8Array {
    if (wanted.length === 0) return value;
    // latin1 maps each byte to one character and back, so that the rest stays as it was.
    inBytes ??= patternFor(wanted, (char) => Buffer.from(char).toString('latin1'));
    const before = Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('latin1');
    const after = before.replace(inBytes, mask);
    return after === before ? value : Buffer.from(after, 'latin1');
  }

  return {
    text,
    headers: (values) =>
      Object.fromEntries(
        Object.entries(values).map(([name, value]) => [text(name), secretHeader.test(name) ? mask : text(value)]),
      ),
    body: <T extends string | Uint8Array | undefined>(value: T) =>
      (typeof value === 'string' ? text(value) : value && bytes(value)) as T,
  };
}

/** What is secret in headers that were given for one request. */
export function secretsIn(headers: Record<string, string>): string[] {
  const secrets = Object.entries(headers).flatMap(([name, value]) => {
    if (/authorization$/i.test(name)) return credentialsIn(value);
    if (/^cookie$/i.test(name)) return value.split(/;\s*/).map((pair) => pair.replace(/^[^=]*=/, ''));
    return secretHeader.test(name) ? [value] : [];
  });
  // What is shorter, as the 1 of a cookie, is no secret, and would be hidden everywhere.
  return secrets.filter(({ length }) => length >= 4);
}

/** The credentials behind a scheme; those of `Basic` also as they were before they were encoded. */
function credentialsIn(value: string): string[] {
  const credentials = value.split(' ').at(-1)!;
  if (!/^basic /i.test(value)) return [credentials];
  const pair = Buffer.from(credentials, 'base64').toString();
  return [credentials, pair, pair.replace(/^[^:]*:/, '')];
}

/** Base64 of less is found by chance. */
const shortestEncoded = 8;

/** Every spelling of the secrets: plain, percent-encoded, as in JSON or HTML, and each of these of its Base64. */
function patternFor(secrets: readonly string[], literalOf: (char: string) => string): RegExp {
  const spellings = secrets.flatMap((secret) => [
    secret,
    ...(secret.length < shortestEncoded ? [] : [0, 1, 2].map((offset) => base64Within(secret, offset))),
  ]);
  const longestFirst = spellings.toSorted((a, b) => b.length - a.length);
  // The letters of escapes are written in both cases, and HTTP libraries change those of the names of headers.
  // slow-regexp: nothing in it repeats
  return new RegExp(longestFirst.map((spelling) => anySpelling(spelling, literalOf)).join('|'), 'gi');
}

/** The part of its Base64 that is the same whatever stands around a secret that begins at `offset` of three bytes. */
function base64Within(secret: string, offset: number): string {
  const encoded = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]).toString('base64');
  const end = encoded.indexOf('=');
  return encoded.slice(offset === 0 ? 0 : offset + 1, end < 0 ? undefined : end - 1);
}

function anySpelling(text: string, literalOf: (char: string) => string): string {
  // A run of backslashes is one piece: several that may each stand for more would match in too many ways.
  const pieces = text.match(/\\+|[^\\]/gsu) ?? [];
  return pieces
    .map((piece, at) => {
      const isEscapable = /["'/]/.test(piece) && !pieces[at - 1]?.startsWith('\\');
      return `(?:${spellingsOf(piece, isEscapable, literalOf).join('|')})`;
    })
    .join('');
}

function spellingsOf(piece: string, isEscapable: boolean, literalOf: (char: string) => string): string[] {
  const char = String.fromCodePoint(piece.codePointAt(0)!);
  const code = char.codePointAt(0)!;
  const times = char === '\\' ? piece.length : 1;
  const percent = [...Buffer.from(char)].map((byte) => `%(?:25){0,3}${hex(byte, 2)}`).join('');
  const units = Array.from({ length: char.length }, (_, at) => `\\\\{1,4}u${hex(char.charCodeAt(at), 4)}`).join('');
  return [
    // A backslash may stand before what JSON need not escape, or several where JSON is in JSON.
    ...(char === '\\' ? [] : [(isEscapable ? '\\\\{0,4}' : '') + literal(literalOf(char))]),
    `(?:${percent}){${times}}`,
    `(?:${units}){${times}}`,
    `(?:&(?:amp;)?(?:#0*${code}|#x0*${hex(code, 1)}${char in named ? `|${named[char]}` : ''});){${times}}`,
    ...(char === '\\' ? [`\\\\{${times},${4 * times}}`] : []),
    // base64url
    ...(char === '+' ? ['-'] : char === '/' ? ['_'] : []),
  ];
}

const named: Record<string, string> = { '"': 'quot', '&': 'amp', "'": 'apos', '<': 'lt', '>': 'gt' };
const hex = (code: number, digits: number) => code.toString(16).padStart(digits, '0');
const literal = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
