import { tryDecode } from '../../shared/decode.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { type GroupName, groupOf, loadGroup } from '../../contract/groups.ts';
import { hasDotSegment } from '../../contract/path.ts';
import type { AnyHandler } from './implement.ts';

export interface Route {
  endpoint: Endpoint;
  handler: AnyHandler;
}

interface Pattern {
  /** A literal, or null for a parameter. */
  segments: (string | null)[];
  names: string[];
  /** The last parameter takes the rest of the path, slashes included. */
  rest: boolean;
  methods: Map<string, Route>;
}

export type Found =
  | { kind: 'route'; route: Route; params: Record<string, string> }
  | { kind: 'method'; allow: string[] }
  | { kind: 'none' };

type LoadHandlers = (name: GroupName) => Promise<Record<string, AnyHandler>>;
export type FindRoute = (method: string, path: string) => Promise<Found>;

/** Finds the endpoint and handler of a method and path; loads only the group that the path belongs to. */
export function createRouter(loadHandlers: LoadHandlers): FindRoute {
  const loaded = new Map<GroupName, Pattern[]>();
  return async (method, path) => {
    const segments = path.split('/');
    if (segments.length < 3 || segments[0] !== '' || segments[1] !== 'v1') return { kind: 'none' };
    const rest = segments.slice(2);
    const name = groupOf(rest);
    if (name === undefined) return { kind: 'none' };
    let patterns = loaded.get(name);
    if (!patterns) loaded.set(name, (patterns = await load(name, loadHandlers)));
    const pattern = patterns.find((candidate) => matches(candidate, rest));
    if (!pattern) return { kind: 'none' };
    const route = pattern.methods.get(method);
    if (!route) return { kind: 'method', allow: [...pattern.methods.keys()] };
    const params = paramsOf(pattern, rest);
    return params ? { kind: 'route', route, params } : { kind: 'none' };
  };
}

async function load(name: GroupName, loadHandlers: LoadHandlers): Promise<Pattern[]> {
  const [endpoints, handlers] = await Promise.all([loadGroup(name), loadHandlers(name)]);
  const patterns = new Map<string, Pattern>();
  for (const [key, endpoint] of Object.entries(endpoints)) {
    const handler = handlers[key];
    if (!handler) throw new Error(`${endpoint.name} has no handler.`);
    const pattern = patterns.get(endpoint.path) ?? patternOf(endpoint.path);
    pattern.methods.set(endpoint.method, { endpoint, handler });
    patterns.set(endpoint.path, pattern);
  }
  // Literals before parameters, so that `versions/latest` is not taken for a version's id.
  return [...patterns.values()].toSorted((a, b) => (weight(a) < weight(b) ? -1 : Number(weight(a) > weight(b))));
}

const weight = (pattern: Pattern) => pattern.segments.map((segment) => (segment === null ? '1' : '0')).join('');

function patternOf(path: string): Pattern {
  const parts = path.split('/').slice(2);
  const names = parts.filter((part) => part.startsWith('{')).map((part) => part.slice(1, -1));
  return {
    segments: parts.map((part) => (part.startsWith('{') ? null : part)),
    names,
    rest: names.at(-1) === 'pagePath',
    methods: new Map(),
  };
}

function matches({ segments, rest }: Pattern, path: string[]): boolean {
  if (rest ? path.length < segments.length : path.length !== segments.length) return false;
  return segments.every((segment, at) => (segment === null ? path[at] !== '' : segment === path[at]));
}

function paramsOf(pattern: Pattern, path: string[]): Record<string, string> | undefined {
  const params: Record<string, string> = {};
  let next = 0;
  for (const [at, segment] of pattern.segments.entries()) {
    if (segment !== null) continue;
    const last = at === pattern.segments.length - 1;
    const text = pattern.rest && last ? path.slice(at).join('/') : path[at]!;
    const value = decoded(text);
    // What reaches this as "." or ".." is a path that nobody resolved, and names no object.
    if (value === undefined || hasDotSegment(value)) return undefined;
    params[pattern.names[next++]!] = value;
  }
  return params;
}

function decoded(text: string): string | undefined {
  if (!text.includes('%')) return text;
  const value = tryDecode(text);
  return value?.includes('\0') ? undefined : value;
}
