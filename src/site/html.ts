import { isLocalImage, isSafeAddress } from '../content/html/safe-address.ts';

/** A piece of HTML, as opposed to text that must be escaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

export type HtmlPart = Html | string | number | false | undefined | readonly HtmlPart[];

/**
 * A template. It escapes texts, including those in quoted attributes, and keeps pieces of HTML. Undefined and false add
 * nothing. Addresses that could run a script are omitted.
 */
export function html(parts: TemplateStringsArray, ...values: HtmlPart[]): Html {
  const fixed = compacted(parts);
  let text = fixed[0] ?? '';
  for (const [index, value] of values.entries()) {
    const isLeftOut = typeof value === 'string' && beforeAddress.test(fixed[index] ?? '') && !isHarmless(value);
    text += (isLeftOut ? '' : textOf(value)) + (fixed[index + 1] ?? '');
  }
  return new Html(text);
}

/** Matches the end of a template part that precedes an address. */
const beforeAddress = /(?:(?:href|src|action)="|;\s*url=)$/i;

const isHarmless = (address: string): boolean => isSafeAddress(address) || isLocalImage(address);

const compactedParts = new WeakMap<TemplateStringsArray, string[]>();

/** The fixed parts of a template without the indentation of the source code. */
function compacted(parts: TemplateStringsArray): string[] {
  let compact = compactedParts.get(parts);
  if (!compact) {
    compact = parts.map(withoutIndentation);
    compactedParts.set(parts, compact);
  }
  return compact;
}

function withoutIndentation(part: string): string {
  const lines = part.split('\n');
  const last = lines.length - 1;
  return lines
    .map((line, index) => (index > 0 ? line.trimStart() : line))
    .filter((line, index) => line !== '' || index === 0 || index === last)
    .join('\n');
}

/** Marks text as safe HTML. */
export const raw = (text: string): Html => new Html(text);

/** An attribute, preceded by a space; nothing if the value is undefined or false. `true` adds only the name. */
export function attribute(name: string, value: string | number | boolean | undefined): Html {
  if (value === undefined || value === false) return new Html('');
  const isAddress = name === 'href' || name === 'src' || name === 'action';
  if (isAddress && !isHarmless(String(value))) return new Html('');
  return new Html(value === true ? ` ${name}` : ` ${name}="${escapeText(String(value))}"`);
}

function textOf(value: HtmlPart): string {
  if (value === undefined || value === false) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(textOf).join('');
  return escapeText(String(value));
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export const escapeText = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => escapes[character] ?? '');
