import { localPaths } from '../content/folder/local-links.ts';
import { parentPath, relativeAddress } from '../content/markdown/links.ts';
import { rewriteLinks } from './rewrite-links.ts';

/** The text of a file whose links lead to files that were moved. @param moved new paths by former ones */
export const followMoves = (file: string, text: string, moved: ReadonlyMap<string, string>): string =>
  rewriteLinks(text, (url) => {
    const paths = localPaths(file, url).flatMap((path) => [path, `${path}.md`, `${path}/README.md`]);
    const path = paths.map((each) => moved.get(each)).find((each) => each !== undefined);
    return path === undefined ? url : relativeAddress(parentPath(file), path) + (/[?#].*$/s.exec(url)?.[0] ?? '');
  });
