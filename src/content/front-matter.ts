import { parseDocument, stringify } from 'yaml';

export interface FrontMatter {
  data: Record<string, unknown>;
  /** Why the block could not be read as YAML, when it looks like front matter and cannot. */
  fault?: string;
  /** Where the body begins in the text; 0 without front matter. */
  bodyAt: number;
}

const block = /^\uFEFF?---[ \t]*(?:\r\n|\n|\r)(?<yaml>(?:[^\r\n]*(?:\r\n|\n|\r))*?)---[ \t]*(?:\r\n|\n|\r|$)/;

// A text that opens with a thematic break and has another one further down is no front matter.
const looksLikeMapping = /^[ \t]*(?:#.*)?(?:[\r\n][ \t]*(?:#.*)?)*[\w"'-][^:\r\n]*:(?:\s|$)/;

export function readFrontMatter(text: string): FrontMatter {
  const found = text.startsWith('---') || text.startsWith('\uFEFF---') ? block.exec(text) : null;
  if (!found) return { data: {}, bodyAt: 0 };
  const bodyAt = found[0].length;
  const yaml = found.groups!.yaml!;
  if (yaml.trim() === '') return { data: {}, bodyAt };
  try {
    const document = parseDocument(yaml, { strict: true, uniqueKeys: true });
    const [error] = document.errors;
    if (error) throw error;
    const value: unknown = document.toJS({ maxAliasCount: 50 });
    if (value === null) return { data: {}, bodyAt };
    return isMapping(value) ? { data: value, bodyAt } : { data: {}, bodyAt: 0 };
  } catch (error) {
    if (!looksLikeMapping.test(yaml)) return { data: {}, bodyAt: 0 };
    return { data: {}, bodyAt, fault: error instanceof Error ? error.message.split('\n', 1)[0]! : 'is not YAML' };
  }
}

/** The text with these front matter keys set (undefined removes one); comments and other keys stay as they are. */
export function setFrontMatter(text: string, changes: Record<string, unknown>): string {
  const { bodyAt, fault } = readFrontMatter(text);
  const bom = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  // Unreadable front matter is the author's text: it moves down instead of being thrown away.
  if (bodyAt === 0 || fault) {
    const kept = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
    if (Object.keys(kept).length === 0) return text;
    return `${bom}---\n${stringify(kept)}---\n\n${text.slice(bom.length)}`;
  }
  const head = text.slice(0, bodyAt);
  const yaml = block.exec(head)!.groups!.yaml!;
  const document = parseDocument(yaml);
  for (const [key, value] of Object.entries(changes)) {
    if (value === undefined) document.delete(key);
    else document.set(key, value);
  }
  const empty = isMapping(document.toJS()) && Object.keys(document.toJS() as object).length === 0;
  const written = empty ? '' : document.toString({ lineWidth: 0 });
  const eol = head.includes('\r\n') ? '\r\n' : '\n';
  return `${bom}---${eol}${written.replaceAll(/\r?\n/g, eol)}---${eol}${text.slice(bodyAt)}`;
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
