import { isMap, parseDocument, type ScalarTag, stringify, type Tags } from 'yaml';
import { isObject } from '../../shared/is-object.ts';
import { readYaml, readYamlTexts, UnreadableYaml } from '../../shared/yaml.ts';

export interface FrontMatter {
  data: Record<string, unknown>;
  /** Why the block could not be read, where it looks like front matter. */
  problem?: FrontMatterProblem;
  /** Where the body begins in the text; 0 without front matter. */
  bodyAt: number;
}

export interface FrontMatterProblem {
  /** Of the whole text, from 1. */
  line: number;
  message: string;
}

/** In characters. A longer block is reported, and is not part of the body. */
export const maxFrontMatterLength = 65_536;

export function readFrontMatter(text: string): FrontMatter {
  const block = findBlock(text);
  if (!block) return { data: {}, bodyAt: 0 };
  const { bodyAt } = block;
  const yaml = text.slice(block.start, block.end);
  try {
    const value = readYaml(yaml, maxFrontMatterLength) ?? {};
    return isObject(value) ? { data: withTexts(value, yaml), bodyAt } : { data: {}, bodyAt: 0 };
  } catch (error) {
    if (!(error instanceof UnreadableYaml)) throw error;
    if (!looksLikeMapping(yaml)) return { data: {}, bodyAt: 0 };
    return { data: {}, bodyAt, problem: { line: (error.line ?? 0) + 1, message: error.message } };
  }
}

/** Members that are texts, whatever their values look like. */
const textMembers = ['title', 'description', 'icon', 'emoji', 'cover', 'coverDark'];

function withTexts(data: Record<string, unknown>, yaml: string): Record<string, unknown> {
  const members = textMembers.filter((name) => typeof data[name] === 'number' || typeof data[name] === 'boolean');
  if (members.length === 0) return data;
  const texts = textsIn(yaml);
  return { ...data, ...Object.fromEntries(members.map((name) => [name, texts[name] ?? String(data[name])])) };
}

function textsIn(yaml: string): Record<string, unknown> {
  try {
    const texts = readYamlTexts(yaml, maxFrontMatterLength);
    return isObject(texts) ? texts : {};
  } catch (error) {
    // A value has the tag of a number.
    if (error instanceof UnreadableYaml) return {};
    throw error;
  }
}

interface Block {
  /** Where the YAML begins and ends in the text. */
  start: number;
  end: number;
  bodyAt: number;
}

const lineEnd = /\r\n|[\r\n]/g;

/** The lines between `---` at the very beginning and the next `---`. */
function findBlock(text: string): Block | undefined {
  const first = text.startsWith('\uFEFF') ? 1 : 0;
  if (!text.startsWith('---', first)) return undefined;
  let start: number | undefined;
  for (let line = first; line < text.length;) {
    lineEnd.lastIndex = line;
    const eol = lineEnd.exec(text);
    const end = eol ? eol.index : text.length;
    const next = eol ? lineEnd.lastIndex : text.length;
    const isFence = text.startsWith('---', line) && isBlank(text, line + 3, end);
    if (start === undefined) {
      if (!isFence || !eol) return undefined;
      start = next;
    } else if (isFence) return { start, end: line, bodyAt: next };
    line = next;
  }
  return undefined;
}

function isBlank(text: string, from: number, to: number): boolean {
  for (let index = from; index < to; index += 1) if (text[index] !== ' ' && text[index] !== '\t') return false;
  return true;
}

// A text that begins with a thematic break and has another one later has no front matter.
function looksLikeMapping(yaml: string): boolean {
  const first = yaml.split(lineEnd).find((line) => !/^[ \t]*(?:#|$)/.test(line));
  return first !== undefined && /^[ \t]*[\w"'-][^:]*:(?:\s|$)/.test(first);
}

/** The text with these front matter keys set (undefined removes one); comments and other keys stay as they are. */
export function setFrontMatter(text: string, changes: Record<string, unknown>): string {
  const { bodyAt, problem } = readFrontMatter(text);
  const block = bodyAt > 0 && problem === undefined ? findBlock(text) : undefined;
  // readFrontMatter refuses repeated keys; a second check, which compares each key with all others, would take long
  // where there are many.
  const yaml = block && text.slice(block.start, block.end).replaceAll(lineEnd, '\n');
  const document = yaml === undefined ? undefined : parseDocument(yaml, { uniqueKeys: false, customTags: keepNumbers });
  const bom = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  // Front matter that cannot be read was written by the author: it is moved down, not deleted.
  if (!block || !document || document.errors.length > 0) {
    const added = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
    if (Object.keys(added).length === 0) return text;
    return `${bom}---\n${stringify(added)}---\n\n${text.slice(bom.length)}`;
  }
  for (const [key, value] of Object.entries(changes)) {
    if (value === undefined) document.delete(key);
    else document.set(key, value);
  }
  const isEmpty = isMap(document.contents) && document.contents.items.length === 0;
  const written = isEmpty ? '' : document.toString({ lineWidth: 0 });
  const eol = text.slice(0, bodyAt).includes('\r\n') ? '\r\n' : '\n';
  return `${bom}---${eol}${written.replaceAll('\n', eol)}---${eol}${text.slice(bodyAt)}`;
}

/** Numbers stay as they are written: 007 would become 7. */
const keepNumbers = (tags: Tags): Tags =>
  tags.map((tag) => {
    const isNumber = typeof tag === 'object' && /:(?:int|float)$/.test(tag.tag) && isScalarTag(tag);
    if (!isNumber) return tag;
    return {
      ...tag,
      stringify: (item, ...rest) => item.source ?? tag.stringify?.(item, ...rest) ?? String(item.value),
    };
  });

const isScalarTag = (tag: Exclude<Tags[number], string>): tag is ScalarTag => tag.collection === undefined;
