import { fieldsOf } from '../fields.ts';
import { pathShape } from '../paths.ts';
import type { Operations, Server } from './operations.ts';

/** The base paths of two descriptions, if the paths moved between them and the URLs of the servers. */
export interface BasePaths {
  before: string;
  after: string;
}

/** No difference. */
export const noBasePaths: BasePaths = { before: '', after: '' };

/**
 * Whether the base path of the servers changed together with the paths: `/v1` and `/pets` became `/` and `/v1/pets`. Then the
 * addresses of the operations are the same.
 */
export function movedBasePaths(before: Operations, after: Operations): BasePaths {
  const bases = { before: basePathOf(before.servers()), after: basePathOf(after.servers()) };
  if (bases.before === undefined || bases.after === undefined || bases.before === bases.after) return noBasePaths;
  const [oldPaths, newPaths] = [pathsOf(before), pathsOf(after)];
  const countSame = (oldBase: string, newBase: string) => {
    const shapes = new Set(newPaths.map((path) => pathShape(newBase + path)));
    return oldPaths.filter((path) => shapes.has(pathShape(oldBase + path))).length;
  };
  const moved = { before: bases.before, after: bases.after };
  return countSame(moved.before, moved.after) > countSame('', '') ? moved : noBasePaths;
}

const pathsOf = ({ document }: Operations): string[] =>
  Object.keys(fieldsOf(document.paths)).filter((path) => path.startsWith('/'));

/** The path in the URLs of all servers; undefined if they differ or have variables. */
function basePathOf(servers: readonly Server[]): string | undefined {
  const paths = new Set(servers.map(({ url }) => pathIn(url)));
  const [path] = paths;
  return paths.size === 1 && path !== undefined && !path.includes('{') ? path : undefined;
}

const pathIn = (url: string): string => url.replace(/^(?:[a-z][a-z0-9+.-]*:)?\/\/[^/]*/i, '').replace(/\/$/, '');

/** The servers without the base path, which is compared with the paths. */
export const withoutBasePath = (servers: readonly Server[], base: string): Server[] =>
  servers.map((server) => ({ ...server, url: server.url.slice(0, server.url.length - base.length) }));
