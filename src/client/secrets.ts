/** Removes secrets from everything that is shown or written to a file. */
export interface Redactor {
  text(value: string): string;
  headers(values: Record<string, string>): Record<string, string>;
  bytes(value: Uint8Array): Uint8Array;
}

const mask = '[hidden]';
const secretHeader = /^(?:proxy-)?authorization$|^(?:set-)?cookie$|token|secret|password|api-?key/i;

/**
 * A shorter value, such as a token of one letter or the 1 of a cookie, occurs in most texts by chance, and hiding it there
 * would make them unreadable. The service itself takes no token that is shorter.
 */
const minSecretLength = 8;

/**
 * Replaces the secrets wherever they occur: a service may repeat them in any part of its answer. Short ones are hidden only
 * in the headers that hold secrets.
 */
export function createRedactor(secrets: readonly string[]): Redactor {
  const values = [...new Set(secrets.filter(({ length }) => length >= minSecretLength))];
  // Compiled on first use: most runs show nothing that could contain a secret.
  let inText: RegExp | undefined;
  let inBytes: RegExp | undefined;
  const text = (value: string) =>
    values.length === 0 ? value : value.replace((inText ??= patternFor(values, (char) => char)), mask);

  function bytes(value: Uint8Array): Uint8Array {
    if (values.length === 0) return value;
    // latin1 maps each byte to one character and back, so that the rest stays as it was.
    inBytes ??= patternFor(values, (char) => Buffer.from(char).toString('latin1'));
    const before = Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('latin1');
    const after = before.replace(inBytes, mask);
    return after === before ? value : Buffer.from(after, 'latin1');
  }

  return {
    text,
    headers: (headers) =>
      Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [text(name), secretHeader.test(name) ? mask : text(value)]),
      ),
    bytes,
  };
}

/** The secrets in the headers of one request. */
export function secretsIn(headers: Record<string, string>): string[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    if (/authorization$/i.test(name)) return credentialsIn(value);
    if (/^cookie$/i.test(name)) return value.split(/;\s*/).map((pair) => pair.replace(/^[^=]*=/, ''));
    return secretHeader.test(name) ? [value] : [];
  });
}

/** The credentials after the scheme; for `Basic` also the decoded user name and password. */
function credentialsIn(value: string): string[] {
  const credentials = value.slice(value.lastIndexOf(' ') + 1);
  if (!/^basic /i.test(value)) return [credentials];
  const pair = Buffer.from(credentials, 'base64').toString();
  return [credentials, pair, pair.replace(/^[^:]*:/, '')];
}

/** Every spelling of the secrets: plain, percent-encoded, as in JSON or HTML, and each of these of its Base64. */
function patternFor(secrets: readonly string[], literalOf: (char: string) => string): RegExp {
  const spellings = secrets.flatMap((secret) => [secret, ...[0, 1, 2].map((offset) => base64Within(secret, offset))]);
  const longestFirst = spellings.toSorted((a, b) => b.length - a.length);
  // The letters of escapes are written in both cases, and HTTP libraries change those of the names of headers.
  // slow-regexp: nothing in it repeats
  return new RegExp(longestFirst.map((spelling) => anySpelling(spelling, literalOf)).join('|'), 'gi');
}

/**
 * The part of the Base64 of a secret that does not depend on the bytes around it. The secret begins at `offset` of a group
 * of three bytes.
 */
function base64Within(secret: string, offset: number): string {
  const encoded = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]).toString('base64');
  const end = encoded.indexOf('=');
  return encoded.slice(offset === 0 ? 0 : offset + 1, end < 0 ? undefined : end - 1);
}

function anySpelling(text: string, literalOf: (char: string) => string): string {
  // A run of backslashes is one piece. If each one could match several, this would take exponential time.
  const pieces = text.match(/\\+|[^\\]/gsu) ?? [];
  return pieces
    .map((piece, index) => {
      const isEscapable = /["'/]/.test(piece) && !pieces[index - 1]?.startsWith('\\');
      return `(?:${spellingsOf(piece, isEscapable, literalOf).join('|')})`;
    })
    .join('');
}

function spellingsOf(piece: string, isEscapable: boolean, literalOf: (char: string) => string): string[] {
  const code = piece.codePointAt(0) ?? 0;
  const char = String.fromCodePoint(code);
  const times = char === '\\' ? piece.length : 1;
  const percent = [...Buffer.from(char)].map((byte) => `%(?:25){0,3}${hex(byte, 2)}`).join('');
  const units = Array.from({ length: char.length }, (_, index) => `\\\\{1,4}u${hex(char.charCodeAt(index), 4)}`).join(
    '',
  );
  return [
    // JSON may escape a character needlessly, and JSON inside JSON has several backslashes.
    ...(char === '\\' ? [] : [(isEscapable ? '\\\\{0,4}' : '') + literal(literalOf(char))]),
    `(?:${percent}){${times}}`,
    `(?:${units}){${times}}`,
    `(?:&(?:amp;)?(?:#0*${code}|#x0*${hex(code, 1)}${char in entities ? `|${entities[char]}` : ''});){${times}}`,
    ...(char === '\\' ? [`\\\\{${times},${4 * times}}`] : []),
    // base64url
    ...(char === '+' ? ['-'] : char === '/' ? ['_'] : []),
  ];
}

const entities: Record<string, string> = { '"': 'quot', '&': 'amp', "'": 'apos', '<': 'lt', '>': 'gt' };
const hex = (code: number, digits: number) => code.toString(16).padStart(digits, '0');
const literal = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
