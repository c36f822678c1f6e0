import { tryDecode } from '../../shared/decode.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { type GroupName, groupOf, loadGroup } from '../../contract/groups.ts';
import { hasDotSegment } from '../../contract/path.ts';
import type { AnyHandler } from './implement.ts';

interface Route {
  endpoint: Endpoint;
  handler: AnyHandler;
}

interface Segment {
  /** The literal text, or the name of a parameter. */
  text: string;
  isParameter: boolean;
}

interface Pattern {
  segments: Segment[];
  /** Whether the last parameter takes the rest of the path, slashes included. */
  takesRest: boolean;
  methods: Map<string, Route>;
}

export interface FoundRoute extends Route {
  kind: 'route';
  params: Record<string, string>;
}

type RouteSearch = FoundRoute | { kind: 'method'; allow: string[] } | { kind: 'none' };

type LoadHandlers = (name: GroupName) => Promise<Record<string, AnyHandler>>;
export type FindRoute = (method: string, path: string) => Promise<RouteSearch>;

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
    return params ? { kind: 'route', ...route, params } : { kind: 'none' };
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
  // Literals come before parameters, so that `versions/latest` is not read as the id of a version.
  return [...patterns.values()].toSorted((a, b) => (weight(a) < weight(b) ? -1 : Number(weight(a) > weight(b))));
}

const weight = (pattern: Pattern) => pattern.segments.map(({ isParameter }) => (isParameter ? '1' : '0')).join('');

function patternOf(path: string): Pattern {
  const segments = path
    .split('/')
    .slice(2)
    .map((part): Segment => {
      const isParameter = part.startsWith('{');
      return { text: isParameter ? part.slice(1, -1) : part, isParameter };
    });
  return { segments, takesRest: segments.at(-1)?.text === 'pagePath', methods: new Map() };
}

function matches({ segments, takesRest }: Pattern, path: string[]): boolean {
  if (takesRest ? path.length < segments.length : path.length !== segments.length) return false;
  return segments.every(({ text, isParameter }, index) => (isParameter ? path[index] !== '' : path[index] === text));
}

function paramsOf({ segments, takesRest }: Pattern, path: string[]): Record<string, string> | undefined {
  const params: Record<string, string> = {};
  for (const [index, { text, isParameter }] of segments.entries()) {
    if (!isParameter) continue;
    const end = takesRest && index === segments.length - 1 ? undefined : index + 1;
    const value = decode(path.slice(index, end).join('/'));
    // A "." or ".." that was not resolved by now names no object.
    if (value === undefined || hasDotSegment(value)) return undefined;
    params[text] = value;
  }
  return params;
}

function decode(text: string): string | undefined {
  if (!text.includes('%')) return text;
  const value = tryDecode(text);
  return value?.includes('\0') ? undefined : value;
}
