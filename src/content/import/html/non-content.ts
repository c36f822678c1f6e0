import type { Element } from 'hast';
import { words } from '../../../shared/words.ts';
import { attribute } from '../../html/hast.ts';
import { countFacts, type Facts, type FactsOf, lower, namesOf, remove } from './html-tree.ts';

const neverContent = new Set(
  words(`
    script style noscript template nav footer button select textarea svg canvas dialog object embed link meta head title
    menu
  `),
);

/** Removes scripts, navigation, controls and hidden elements. */
export function removeNonContent(top: Element): void {
  remove(top, (element) => neverContent.has(element.tagName) || isHidden(element));
}

function isHidden(element: Element): boolean {
  const { hidden, ariaHidden } = element.properties;
  return hidden === true || ariaHidden === 'true' || /display\s*:\s*none/i.test(attribute(element, 'style'));
}

const frameRoles = new Set(words('navigation banner contentinfo search complementary menu menubar toolbar'));

const frameNames = new Set(
  words(`
    sphinxsidebar sphinxsidebarwrapper wy-nav-side wy-nav-top wy-breadcrumbs rst-footer-buttons rst-versions breadcrumb
    breadcrumbs pagination pagination-nav pager navheader navfooter nav-panel prev-next prevnext nav-chapters footer
    site-footer page-footer site-header site-nav navbar topbar skip-link skip-to-content skiplink edit-this-page
    edit-page edit-link theme-edit-this-page theme-last-updated last-updated last-modified cookie cookies cookie-banner
    share social search searchbox feedback page-feedback related headerlink header-anchor anchor-link anchorjs-link
    hash-link anchor-hash copybtn copy-button sr-only visually-hidden screen-reader-text visuallyhidden linenos lineno
    linenodiv gutter footer-text page-nav post-nav mobile-nav side-nav sidenav doc-toc table-of-contents toctitle
    footnotes-sep
  `),
);

// Content can have these names, too. Such an element is only removed if nearly all of its text is links.
const doubtfulNames = new Set(
  words('toc menu sidebar nav navigation header banner aside contents-list page-toc local-toc index'),
);

function isPageFrame(element: Element, ownFacts: () => Facts): boolean {
  if (frameRoles.has(lower(element, 'role'))) return true;
  const names = namesOf(element);
  if (names.some((name) => frameNames.has(name))) return true;
  if (element.tagName !== 'aside' && !names.some((name) => doubtfulNames.has(name))) return false;
  const { letters, linked } = ownFacts();
  return letters === 0 || linked > letters * 0.6;
}

/** Removes menus, footers and the like. */
export function removePageFrame(top: Element): void {
  let facts: FactsOf | undefined;
  remove(top, (element) => isPageFrame(element, () => (facts ??= countFacts(top))(element)));
}
