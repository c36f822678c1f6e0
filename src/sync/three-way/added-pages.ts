import { isDeepStrictEqual } from 'node:util';
import type { LocalFolder, OnFile } from '../../content/folder/folder.ts';
import { linkTargets, withStableLinks } from '../page-links.ts';
import type { Remote } from '../read-remote.ts';
import type { Compared } from './compare.ts';
import { matchAdded, metaOf, sentToMatches } from './sides.ts';

/** A page that both sides added. */
export interface AddedPage {
  file: string;
  /** Whether both have the same text, title and settings. */
  isAlike: boolean;
}

/** The pages that both sides added since the base, by page ID. @param onFile called with each file before its text is parsed */
export function addedPages(
  { local, remote, compared }: { local: LocalFolder; remote: Remote; compared: Compared },
  onFile: OnFile,
): Map<string, AddedPage> {
  if (!compared.base) return new Map();
  const texts = new Map(remote.pages.map(({ id, text }) => [id, text ?? '']));
  const matches = matchAdded(local, remote, compared, texts, true);
  const sentTexts = sentToMatches(compared, matches);
  const targets = linkTargets(remote.pages, remote.files);
  return new Map(
    local.pages.flatMap((page): [string, AddedPage][] => {
      const match = matches.get(page.key);
      if (!match || page.file === null) return [];
      onFile(page.file);
      const sent = sentTexts.get(page.key)?.sent;
      const isAlike =
        match.title === page.title &&
        (sent ?? '').trim() === withStableLinks(match.text ?? '', match.id, targets).trim() &&
        isDeepStrictEqual(metaOf(match), metaOf(page));
      return [[match.id, { file: page.file, isAlike }]];
    }),
  );
}
