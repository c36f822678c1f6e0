import { localPaths } from '../content/folder/local-links.ts';
import { parentPath, relativeAddress } from '../content/markdown/links.ts';
import { rewriteLinks } from './rewrite-links.ts';

/**
 * The text of a file that is moved, with links that lead where they led. Those from the root stay.
 *
 * @param find the path that a file at this path has then; undefined if there is none
 */
export const moveLinks = (
  text: string,
  { from, to }: { from: string; to: string },
  find: (path: string) => string | undefined,
): string =>
  parentPath(from) === parentPath(to)
    ? text
    : rewriteLinks(text, (url) => {
        const paths = url.startsWith('/') ? [] : localPaths(from, url);
        const path = paths.map(find).find((each) => each !== undefined);
        return path === undefined ? url : relativeAddress(parentPath(to), path) + (/[?#].*$/s.exec(url)?.[0] ?? '');
      });

/** The text of a file whose links lead to files that were moved. @param moved new paths by former ones */
export const followMoves = (file: string, text: string, moved: ReadonlyMap<string, string>): string =>
  rewriteLinks(text, (url) => {
    const paths = localPaths(file, url).flatMap((path) => [path, `${path}.md`, `${path}/README.md`]);
    const path = paths.map((each) => moved.get(each)).find((each) => each !== undefined);
    return path === undefined ? url : relativeAddress(parentPath(file), path) + (/[?#].*$/s.exec(url)?.[0] ?? '');
  });
