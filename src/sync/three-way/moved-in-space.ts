import type { BasePage } from '../../content/folder/base.ts';
import type { LocalFolder, LocalPage } from '../../content/folder/folder.ts';
import type { Layout } from '../../content/folder/layout.ts';
import type { SentText } from '../push-text.ts';
import type { RemotePage } from '../read-remote.ts';

/** The folder with the pages that were moved only in the space where they are there; undefined if there are none. */
export function withPathsOfSpace(
  local: LocalFolder,
  inBase: ReadonlyMap<string, BasePage>,
  byId: ReadonlyMap<string, RemotePage>,
): LocalFolder | undefined {
  let isMoved = false;
  const pages = local.pages.map((page) => {
    const { id = '', path: before } = inBase.get(page.key) ?? {};
    const path = byId.get(id)?.path;
    if (path === undefined || path === before || page.path !== before) return page;
    isMoved = true;
    return { ...page, path };
  });
  return isMoved ? { ...local, pages } : undefined;
}

interface Correction {
  inBase: ReadonlyMap<string, BasePage>;
  /** The texts with links that lead to the places of pages in the folder. */
  sent: ReadonlyMap<string, SentText>;
  /** Of the base. */
  layout: Layout;
  byId: ReadonlyMap<string, RemotePage>;
}

/**
 * Whether links to moved pages may be corrected in a page. If its text was changed in the space, too, a correction could
 * be in conflict with it, so only those that were sent before are kept.
 */
export function mayCorrect(
  { key }: LocalPage,
  { links }: SentText,
  { inBase, byId, sent, layout }: Correction,
): boolean {
  const entry = inBase.get(key);
  const page = byId.get(entry?.id ?? '');
  if (!entry || !page) return true;
  // Another place or title does not change the document.
  const { text = entry.text, document, isAlike } = entry.space ?? {};
  if (document === page.document && (text === entry.text || isAlike)) return true;
  const before = new Set(sent.get(key)?.links.map(([address]) => address));
  const recorded = new Set(layout.links.get(entry.path ?? '')?.map(([address]) => address));
  return links.some(([address]) => !before.has(address) && recorded.has(address));
}
