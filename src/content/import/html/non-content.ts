import type { Element } from 'hast';
import { type Facts, factsOf, lower, namesOf, remove, text } from './html-tree.ts';

const neverContent = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'nav',
  'footer',
  'button',
  'select',
  'textarea',
  'svg',
  'canvas',
  'dialog',
  'object',
  'embed',
  'link',
  'meta',
  'head',
  'title',
  'menu',
]);

export function dropAlways(top: Element): void {
  remove(top, (element) => neverContent.has(element.tagName) || isHidden(element));
}

function isHidden({ properties }: Element): boolean {
  return (
    properties['hidden'] === true ||
    properties['ariaHidden'] === 'true' ||
    /display\s*:\s*none/i.test(text(properties['style']))
  );
}

const chromeRoles = new Set([
  'navigation',
  'banner',
  'contentinfo',
  'search',
  'complementary',
  'menu',
  'menubar',
  'toolbar',
]);

const chromeNames = new Set([
  'sphinxsidebar',
  'sphinxsidebarwrapper',
  'wy-nav-side',
  'wy-nav-top',
  'wy-breadcrumbs',
  'rst-footer-buttons',
  'rst-versions',
  'breadcrumb',
  'breadcrumbs',
  'pagination',
  'pagination-nav',
  'pager',
  'prev-next',
  'prevnext',
  'nav-chapters',
  'footer',
  'site-footer',
  'page-footer',
  'site-header',
  'site-nav',
  'navbar',
  'topbar',
  'skip-link',
  'skip-to-content',
  'skiplink',
  'edit-this-page',
  'edit-page',
  'edit-link',
  'theme-edit-this-page',
  'theme-last-updated',
  'last-updated',
  'last-modified',
  'cookie',
  'cookies',
  'cookie-banner',
  'share',
  'social',
  'search',
  'searchbox',
  'feedback',
  'page-feedback',
  'related',
  'headerlink',
  'header-anchor',
  'anchor-link',
  'anchorjs-link',
  'hash-link',
  'anchor-hash',
  'copybtn',
  'copy-button',
  'sr-only',
  'visually-hidden',
  'screen-reader-text',
  'visuallyhidden',
  'linenos',
  'lineno',
  'linenodiv',
  'gutter',
  'footer-text',
  'page-nav',
  'post-nav',
  'mobile-nav',
  'side-nav',
  'sidenav',
  'doc-toc',
  'table-of-contents',
  'toctitle',
  'footnotes-sep',
]);

// These names also stand for content; only with little but links inside they are menus.
const doubtfulNames = new Set([
  'toc',
  'menu',
  'sidebar',
  'nav',
  'navigation',
  'header',
  'banner',
  'aside',
  'contents-list',
  'page-toc',
  'local-toc',
  'index',
]);

function isChrome(element: Element, factsOfThis: () => Facts): boolean {
  if (chromeRoles.has(lower(element.properties['role']))) return true;
  const names = namesOf(element);
  if (names.some((name) => chromeNames.has(name))) return true;
  if (element.tagName !== 'aside' && !names.some((name) => doubtfulNames.has(name))) return false;
  const { letters, linked } = factsOfThis();
  return letters === 0 || linked > letters * 0.6;
}

export function dropChrome(top: Element): void {
  let facts: Map<Element, Facts> | undefined;
  remove(top, (element) => isChrome(element, () => (facts ??= factsOf(top)).get(element)!));
}
