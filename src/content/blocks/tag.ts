import { decodeEntities } from '../markdown/markup.ts';

export interface Tag {
  /** Without `end`. Empty if the tag has no valid name. */
  name: string;
  isEnd: boolean;
  attributes: Record<string, string>;
  argument?: string;
  /** The text after the name, for conditions. */
  rest: string;
  /** The part of the arguments that cannot be parsed. */
  unreadable?: string;
}

/** Parses the text between `{%` and `%}`. */
export function readTag(inner: string): Tag {
  // In other template languages, `{%-` and `-%}` trim the spaces around a tag.
  const text = inner.slice(inner.startsWith('-') ? 1 : 0, inner.endsWith('-') ? -1 : undefined).trim();
  const [written = ''] = /^[@\p{L}][\p{L}\p{N}_@./-]*/u.exec(text) ?? [];
  const rest = text.slice(written.length).trim();
  const isEnd = /^end./.test(written) && rest === '';
  const name = isEnd ? written.slice('end'.length) : written;
  const tag: Tag = { name, isEnd, attributes: Object.create(null), rest };
  if (!conditions.has(name)) readArguments(rest, tag);
  return tag;
}

export const conditions = new Set(['if', 'elseif', 'elif', 'else']);

const argument =
  /(?:(?<key>[\w:.@-]+) ?= ?)?(?:"(?<double>(?:[^"\\]|\\.)*)"|'(?<single>(?:[^'\\]|\\.)*)'|(?<bare>[^\s"'“”]+))(?=\s|,|$)/suy;
const separator = /[\s,]/;

function readArguments(text: string, tag: Tag): void {
  for (let at = 0; at < text.length; at += 1) {
    if (separator.test(text.charAt(at))) continue;
    argument.lastIndex = at;
    const groups = argument.exec(text)?.groups;
    if (!groups) {
      tag.unreadable = text.slice(at);
      return;
    }
    at = argument.lastIndex;
    const { key, double, single, bare } = groups;
    const value = decodeEntities((double ?? single ?? bare ?? '').replaceAll(/\\(["'\\])/g, '$1'));
    if (key !== undefined) tag.attributes[key] = value;
    else if (bare !== undefined) tag.attributes[bare] = 'true';
    else tag.argument ??= value;
  }
}

/** The names in a list such as `a, b`. */
export const namesIn = (list = ''): string[] =>
  list
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
