import { startCompare } from './compare.ts';
import { startCopy } from './copy.ts';
import { startAnnouncement, startContents, startMenus } from './menus.ts';
import { startOutline } from './outline.ts';
import { startSearch } from './search.ts';
import { readStored, store } from './storage.ts';
import { startTabs } from './tabs.ts';
import { startThemeButton } from './theme-button.ts';
import { startZoom } from './zoom.ts';

/** What the pages of a site do with JavaScript. Without it, all of their content can be read and reached. */
function start(): void {
  startAnnouncement(readStored, store);
  startMenus();
  startContents();
  startThemeButton();
  startSearch();
  startCompare();
  startContent();
  // A preview replaces the content of a page whose file changed.
  document.addEventListener('docs-content', startContent);
}

function startContent(): void {
  startTabs();
  startCopy();
  startOutline();
  startZoom();
}

start();
