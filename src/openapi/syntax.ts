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
import { maxDepth, SyntaxFault } from './fault.ts';
import { readJsonEvents } from './json.ts';

export type Syntax = 'json' | 'yaml';

/** How many values aliases may repeat in one document, so that a few lines cannot stand for gigabytes. */
const maxRepeated = 1_000_000;

const schema = CORE_SCHEMA.withTags(mergeTag);

/** By the file's name, else by how the text begins. A `.yaml` file may hold JSON: that is YAML too. */
export function detectSyntax(name: string, text: string): Syntax {
  const file = /^https?:/i.test(name) ? (URL.parse(name)?.pathname ?? name) : name;
  if (/\.json$/i.test(file)) return 'json';
  if (/\.ya?ml$/i.test(file)) return 'yaml';
  return /^\s*(?:\{\s*["}]|\[)/.test(text) ? 'json' : 'yaml';
}

/** The text's tokens in order. Throws `SyntaxFault`. */
export function readEvents(text: string, syntax: Syntax): Event[] {
  return syntax === 'json' ? readJsonEvents(text) : asSyntaxFault(() => parseEvents(text, { maxDepth }));
}

/** The value of a text whose tokens are known. Throws `SyntaxFault`. */
export function construct(text: string, syntax: Syntax, events: Event[]): unknown {
  if (syntax === 'json') return JSON.parse(text);
  const second = events.findLastIndex((event) => event.type === EVENT_ID.DOCUMENT);
  if (second > 0) throw new SyntaxFault('Only one document may be in a file', offsetOf(events[second + 1], text));
  const aliased = checkAliases(text, events);
  const [value] = asSyntaxFault(() =>
    constructFromEvents(events, { source: text, schema, json: true, maxTotalMergeKeys: maxRepeated }),
  );
  return aliased ? unshare(value, new Set()) : value;
}

/** The value of a text in either syntax, without a look at its tokens where it is JSON. Throws `SyntaxFault`. */
export function parseText(text: string): unknown {
  if (/^\s*[{[]/.test(text)) {
    try {
      const value: unknown = JSON.parse(text);
      checkDepth(value);
      return value;
    } catch (error) {
      if (error instanceof SyntaxFault) throw error;
    }
  }
  return construct(text, 'yaml', readEvents(text, 'yaml'));
}

export function offsetOf(event: Event | undefined, text: string): number {
  if (event === undefined) return text.length;
  if (event.type === EVENT_ID.MAPPING || event.type === EVENT_ID.SEQUENCE) return event.start;
  if (event.type === EVENT_ID.ALIAS) return event.anchorStart - 1;
  if (event.type !== EVENT_ID.SCALAR) return 0;
  const quoted = event.style === SCALAR_STYLE.SINGLE_QUOTED || event.style === SCALAR_STYLE.DOUBLE_QUOTED;
  return Math.max(0, event.valueStart - (quoted ? 1 : 0));
}

function asSyntaxFault<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    // The parser lets other errors through too, for example about a code point that does not exist.
    const reason = error instanceof YAMLException ? error.reason : String((error as Error).message);
    const position = error instanceof YAMLException ? error.mark?.position : 0;
    throw new SyntaxFault(reason.charAt(0).toUpperCase() + reason.slice(1), position ?? 0);
  }
}

function checkDepth(value: unknown): void {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxDepth) throw new SyntaxFault(`Nested deeper than ${maxDepth} levels`, 0);
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
  }
}

/** Refuses aliases that contain themselves or unfold to too much; says whether there are any. */
function checkAliases(text: string, events: Event[]): boolean {
  const anchors = new Map<string, { size: number; height: number } | 'open'>();
  const open = [{ anchor: '', size: 0, height: 0 }];
  let repeated = 0;
  let aliased = false;

  function add(size: number, height: number): void {
    const parent = open.at(-1)!;
    parent.size += size;
    parent.height = Math.max(parent.height, height + 1);
  }

  for (const event of events) {
    if (event.type === EVENT_ID.POP) {
      const { anchor, size, height } = open.pop() ?? { anchor: '', size: 0, height: 0 };
      if (anchor) anchors.set(anchor, { size, height });
      if (open.length > 0) add(size, height);
    } else if (event.type === EVENT_ID.ALIAS) {
      const name = text.slice(event.anchorStart, event.anchorEnd);
      const target = anchors.get(name);
      if (target === 'open') throw new SyntaxFault(`*${name} stands inside what it refers to`, offsetOf(event, text));
      aliased = true;
      repeated += target?.size ?? 0;
      if (repeated > maxRepeated || open.length + (target?.height ?? 0) > maxDepth + 1) {
        throw new SyntaxFault('The aliases unfold to too large a document', offsetOf(event, text));
      }
      add(target?.size ?? 0, target?.height ?? 0);
    } else {
      const anchor = event.type === EVENT_ID.DOCUMENT ? '' : text.slice(event.anchorStart, event.anchorEnd);
      if (event.type === EVENT_ID.SCALAR) {
        if (anchor) anchors.set(anchor, { size: 1, height: 0 });
        add(1, 0);
      } else {
        if (anchor) anchors.set(anchor, 'open');
        open.push({ anchor, size: 1, height: 0 });
      }
    }
  }
  return aliased;
}

/** Makes what aliases repeat values of their own: bundling changes references in place, each for itself. */
function unshare(value: unknown, seen: Set<object>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const own = seen.has(value) ? copyOf(value) : value;
  seen.add(own);
  for (const [key, child] of Object.entries(own)) (own as Record<string, unknown>)[key] = unshare(child, seen);
  return own;
}

function copyOf(value: object): object {
  return Array.isArray(value) ? [...value] : Object.fromEntries(Object.entries(value));
}
