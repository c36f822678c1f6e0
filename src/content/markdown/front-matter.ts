import { isMap, parseDocument, type ScalarTag, stringify, type Tags } from 'yaml';
import { isObject } from '../../shared/is-object.ts';
import { readYaml, readYamlTexts, UnreadableYaml } from '../../shared/yaml.ts';

export interface FrontMatter {
  data: Record<string, unknown>;
  /** Why the block cannot be parsed, if it looks like front matter. */
  problem?: FrontMatterProblem;
  /** The start of the body in the text; 0 without front matter. */
  bodyAt: number;
}

export interface FrontMatterProblem {
  /** In the whole text, from 1. */
  line: number;
  message: string;
}

/** In characters. A longer block is reported and is not part of the body. */
const maxFrontMatterLength = 65_536;

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

/** Members that are always texts, even if their values look like numbers. */
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
    // A value is tagged as a number.
    if (error instanceof UnreadableYaml) return {};
    throw error;
  }
}

interface Block {
  /** The range of the YAML in the text. */
  start: number;
  end: number;
  bodyAt: number;
}

const lineEnd = /\r\n|[\r\n]/g;
const openingFence = /^\uFEFF?---[ \t]*(?:\r\n|[\r\n])/;
const closingFence = /(?<=[\r\n])---[ \t]*(?:\r\n|[\r\n]|$)/g;

/** The lines between `---` at the start of the text and the next `---`. */
function findBlock(text: string): Block | undefined {
  const start = openingFence.exec(text)?.[0].length;
  if (start === undefined) return undefined;
  closingFence.lastIndex = start;
  const fence = closingFence.exec(text);
  return fence ? { start, end: fence.index, bodyAt: closingFence.lastIndex } : undefined;
}

// A text that starts with a thematic break and has another one later has no front matter.
function looksLikeMapping(yaml: string): boolean {
  const first = yaml.split(lineEnd).find((line) => !/^[ \t]*(?:#|$)/.test(line));
  return first !== undefined && /^[ \t]*[\w"'-][^:]*:(?:\s|$)/.test(first);
}

/** Sets keys of the front matter (undefined removes one). Comments and other keys are kept. */
export function setFrontMatter(text: string, changes: Record<string, unknown>): string {
  const { bodyAt, problem } = readFrontMatter(text);
  const block = bodyAt > 0 && problem === undefined ? findBlock(text) : undefined;
  // readFrontMatter already rejects duplicate keys. The check of the library compares each key with all others.
  const yaml = block && text.slice(block.start, block.end).replaceAll(lineEnd, '\n');
  const document = yaml === undefined ? undefined : parseDocument(yaml, { uniqueKeys: false, customTags: keepNumbers });
  const bom = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  // Front matter that cannot be parsed is moved into the body, not deleted.
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

/** Keeps numbers as written: 007 would become 7. */
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
