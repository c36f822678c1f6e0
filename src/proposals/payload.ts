import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { EngineError } from '../shared/engine-error.ts';
import { shellCommand } from '../shared/shell-quote.ts';

/** Private characters around the path of a packed file in a word. */
const [start, end] = ['\u{F0002}', '\u{F0003}'];
const marked = /\u{F0002}([^\u{F0002}\u{F0003}]*)\u{F0003}/gu;

/** The placeholder of a packed file in a word. */
export const fileMark = (path: string): string => `${start}${path}${end}`;

/** The packed paths that a word names. */
export const filesIn = (word: string): string[] => [...word.matchAll(marked)].map(([, path = '']) => path);

/** Whether a text that a user entered contains the marks, which only docsctl sets. */
export const hasMarks = (word: string): boolean => /[\u{F0002}\u{F0003}]/u.test(word);

/** The word with the paths of unpacked files. */
export const withPaths = (word: string, pathOf: (path: string) => string): string =>
  word.replaceAll(marked, (_, path: string) => pathOf(path));

const Line = z.strictObject({
  line: z.number(),
  words: z.array(z.string()),
  /** The name of its result. */
  captures: z.optional(z.string()),
});

const PackedFile = z.strictObject({
  /** Below the folder of the packed files, with `/`. */
  path: z.string(),
  text: z.optional(z.string()),
  /** If it is not text. */
  base64: z.optional(z.string()),
});
export type PackedFile = z.output<typeof PackedFile>;

/** Everything that is executed when a proposal is applied. */
const Payload = z.strictObject({
  version: z.literal(1),
  title: z.string(),
  /** When it expires, as ISO 8601. */
  expires: z.string(),
  /** The defaults of the author, which others may not have. */
  scope: z.strictObject({ org: z.string(), space: z.optional(z.string()), site: z.optional(z.string()) }),
  kind: z.enum(['command', 'list', 'plan']),
  lines: z.array(Line).check(z.minLength(1)),
  files: z.array(PackedFile),
});
export type Payload = z.output<typeof Payload>;
export type PayloadLine = z.output<typeof Line>;

export const readPayload = (value: unknown): Payload | undefined => Payload.safeParse(value).data;

/** A hash of everything in a payload. Equal payloads have equal texts, because the order of their members is fixed. */
export function payloadHash({ version, title, expires, scope, kind, lines, files }: Payload): string {
  const text = JSON.stringify([
    version,
    title,
    expires,
    [scope.org, scope.space ?? null, scope.site ?? null],
    kind,
    lines.map(({ line, words, captures }) => [line, words, captures ?? null]),
    files.map(({ path, text: own, base64 }) => [path, own ?? null, base64 ?? null]),
  ]);
  return createHash('sha256').update(text).digest('hex');
}

/** The command lines as a user could enter them, with the names of packed files. */
export const linesText = ({ lines, kind }: Pick<Payload, 'lines' | 'kind'>): string[] =>
  lines.map(({ words, captures }) => {
    const plain = words.map((word) => withPaths(word, shownPath).replaceAll(/\u{F0000}(\w+)\u{F0001}/gu, '$$$1'));
    const command =
      kind === 'plan' ? `docsctl apply ${shellCommand(plain.slice(1))}` : shellCommand(['docsctl', ...plain]);
    return captures === undefined ? command : `${captures}=$(${command})`;
  });

/** The name of a packed file, without the number that keeps it apart from others. */
export const shownPath = (path: string): string => path.replace(/^\d+\//, '');

const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 };
const maxMs = 90 * 86_400_000;

/** The time that a text such as `7d` or `12h` means. @throws EngineError */
export function durationOf(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,6})([mhdw])$/.exec(text) ?? [];
  const ms = Number(count) * (units[unit] ?? 0);
  if (ms > 0 && ms <= maxMs) return ms;
  throw new EngineError('usage', `--expires: "${text}" is not a time between 1m and 90d.`, {
    hint: 'Write a number and m, h, d or w, such as 12h or 7d.',
    code: 'invalid-value',
  });
}
