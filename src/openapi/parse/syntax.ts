import {
  constructFromEvents,
  CORE_SCHEMA,
  EVENT_ID,
  mergeTag,
  parseEvents,
  SCALAR_STYLE,
  YAMLException,
  type Event,
} from 'js-yaml';
import { messageOf } from '../../shared/error-text.ts';
import { hasMembers } from '../../shared/is-object.ts';
import { readJsonTokens } from './json.ts';
import { maxDepth, SyntaxProblem } from './syntax-problem.ts';
import { JsonTokens, type Tokens, YamlTokens } from './tokens.ts';

export type Syntax = 'json' | 'yaml';

/** How many values aliases may repeat in one document: a few lines could expand to gigabytes. */
const maxRepeated = 1_000_000;
/** How many characters the keys and values may have that aliases repeat: as many as a description may have bytes. */
const maxRepeatedLength = 50 * 1024 * 1024;

const schema = CORE_SCHEMA.withTags(mergeTag);

/** By the file's name, else by how the text begins. A `.yaml` file may contain JSON: that is YAML too. */
export function detectSyntax(name: string, text: string): Syntax {
  const file = /^https?:/i.test(name) ? (URL.parse(name)?.pathname ?? name) : name;
  if (/\.json$/i.test(file)) return 'json';
  if (/\.ya?ml$/i.test(file)) return 'yaml';
  return /^\s*(?:\{\s*["}]|\[)/.test(text) ? 'json' : 'yaml';
}

/** The tokens of a text in order. @throws SyntaxProblem */
export function readTokens(text: string, syntax: Syntax): JsonTokens | YamlTokens {
  if (syntax === 'json') return readJsonTokens(text);
  return new YamlTokens(asSyntaxProblem(() => parseEvents(text, { maxDepth })));
}

/** Whether objects may have a key more than once: it is certain that none has where as many members were read as are there. */
export function mayRepeatKeys(tokens: Tokens, value: unknown): boolean {
  return !(tokens instanceof JsonTokens) || tokens.members !== membersIn(value);
}

function membersIn(value: unknown): number {
  if (!hasMembers(value)) return 0;
  const keys = Object.keys(value);
  let count = Array.isArray(value) ? 0 : keys.length;
  for (const key of keys) count += membersIn(value[key]);
  return count;
}

/** The value of a text, made of its tokens. @throws SyntaxProblem */
export function construct(text: string, tokens: JsonTokens | YamlTokens): unknown {
  return tokens instanceof JsonTokens ? JSON.parse(text) : constructYaml(text, tokens.events);
}

function constructYaml(text: string, events: Event[]): unknown {
  const second = events.findLastIndex((event) => event.type === EVENT_ID.DOCUMENT);
  if (second > 0) throw new SyntaxProblem('Only one document may be in a file', offsetOf(events[second + 1], text));
  const aliased = checkAliases(text, events);
  const [value] = asSyntaxProblem(() =>
    constructFromEvents(events, { source: text, schema, json: true, maxTotalMergeKeys: maxRepeated }),
  );
  return aliased ? unshare(value, new Set()) : value;
}

/** The value of a text in either syntax. The tokens of JSON are not read. @throws SyntaxProblem */
export function parseText(text: string): unknown {
  if (/^\s*[{[]/.test(text)) {
    try {
      const value: unknown = JSON.parse(text);
      checkDepth(value);
      return value;
    } catch (error) {
      if (error instanceof SyntaxProblem) throw error;
    }
  }
  return construct(text, readTokens(text, 'yaml'));
}

export function offsetOf(event: Event | undefined, text: string): number {
  if (event === undefined) return text.length;
  if (event.type === EVENT_ID.MAPPING || event.type === EVENT_ID.SEQUENCE) return event.start;
  if (event.type === EVENT_ID.ALIAS) return event.anchorStart - 1;
  if (event.type !== EVENT_ID.SCALAR) return 0;
  const quoted = event.style === SCALAR_STYLE.SINGLE_QUOTED || event.style === SCALAR_STYLE.DOUBLE_QUOTED;
  return Math.max(0, event.valueStart - (quoted ? 1 : 0));
}

function asSyntaxProblem<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    // The parser lets other errors through too, for example about a code point that does not exist.
    const reason = error instanceof YAMLException ? error.reason : messageOf(error);
    const position = error instanceof YAMLException ? error.mark?.position : 0;
    const quoting = reason.charAt(0).toUpperCase() + reason.slice(1);
    // The parser puts what it repeats of the text in quotes or brackets, or after a colon.
    const isPlain = error instanceof YAMLException && /^[\w ,;'()%/-]+$/.test(reason);
    throw new SyntaxProblem(isPlain ? quoting : 'This is not valid', position ?? 0, quoting);
  }
}

function checkDepth(value: unknown): void {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxDepth) throw new SyntaxProblem(`Nested deeper than ${maxDepth} levels`, 0);
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
  }
}

interface Extent {
  /** Values, keys included. */
  size: number;
  /** Characters of keys and plain values. */
  length: number;
  height: number;
}

/** @throws SyntaxProblem for aliases that contain themselves or expand to too much. @returns whether there are aliases */
function checkAliases(text: string, events: Event[]): boolean {
  const anchors = new Map<string, Extent | 'open'>();
  const open: (Extent & { anchor: string })[] = [{ anchor: '', size: 0, length: 0, height: 0 }];
  const repeated = { size: 0, length: 0 };
  let aliased = false;

  function add({ size, length, height }: Extent): void {
    const parent = open.at(-1);
    if (!parent) return;
    parent.size += size;
    parent.length += length;
    parent.height = Math.max(parent.height, height + 1);
  }

  function repeat(event: Event, name: string): void {
    const target = anchors.get(name);
    if (target === 'open') {
      const message = 'is inside the value that it refers to';
      throw new SyntaxProblem(`This alias ${message}`, offsetOf(event, text), `*${name} ${message}`);
    }
    aliased = true;
    // An unknown alias is rejected when the values are created.
    const extent = target ?? { size: 0, length: 0, height: 0 };
    repeated.size += extent.size;
    repeated.length += extent.length;
    const isTooLarge = repeated.size > maxRepeated || repeated.length > maxRepeatedLength;
    if (isTooLarge || open.length + extent.height > maxDepth + 1)
      throw new SyntaxProblem('The aliases expand to a document that is too large', offsetOf(event, text));
    add(extent);
  }

  for (const event of events) {
    if (event.type === EVENT_ID.POP) {
      const { anchor, ...extent } = open.pop() ?? { anchor: '', size: 0, length: 0, height: 0 };
      if (anchor) anchors.set(anchor, extent);
      add(extent);
    } else if (event.type === EVENT_ID.ALIAS) {
      repeat(event, text.slice(event.anchorStart, event.anchorEnd));
    } else {
      const anchor = event.type === EVENT_ID.DOCUMENT ? '' : text.slice(event.anchorStart, event.anchorEnd);
      if (event.type === EVENT_ID.SCALAR) {
        const extent = { size: 1, length: event.valueEnd - event.valueStart, height: 0 };
        if (anchor) anchors.set(anchor, extent);
        add(extent);
      } else {
        if (anchor) anchors.set(anchor, 'open');
        open.push({ anchor, size: 1, length: 0, height: 0 });
      }
    }
  }
  return aliased;
}

/** Copies what aliases repeat: folding changes each reference in place. */
function unshare(value: unknown, visited: Set<object>): unknown {
  if (!hasMembers(value)) return value;
  const unshared = visited.has(value) ? copyOf(value) : value;
  visited.add(unshared);
  for (const [key, child] of Object.entries(unshared)) unshared[key] = unshare(child, visited);
  return unshared;
}

function copyOf(value: Record<string, unknown>): Record<string, unknown> {
  // Object.fromEntries also copies a key "__proto__".
  return Array.isArray(value) ? Object.assign([], value) : Object.fromEntries(Object.entries(value));
}
