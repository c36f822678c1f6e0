/** Live reload of a preview: the server says when the page would be another one. The browser keeps its place. */

const script = new URL(import.meta.url);
const placeKey = 'docsctl-place';

/** Browsers keep the place themselves if the page is as high as before at once; with pictures, it is not. */
function restorePlace(): void {
  const [path, top] = (sessionStorage.getItem(placeKey) ?? '').split('\n');
  sessionStorage.removeItem(placeKey);
  if (path !== location.pathname || top === undefined) return;
  const scroll = () => scrollTo({ top: Number(top), behavior: 'instant' });
  scroll();
  addEventListener('load', scroll, { once: true });
}

function reload(): void {
  sessionStorage.setItem(placeKey, `${location.pathname}\n${scrollY}`);
  location.reload();
}

/** What a page loads and lists: if one of them changes, the page is loaded again. */
const frameOf = (page: Document): string => {
  const parts = page.querySelectorAll('head :is(link, script), .tree a, .sections a, html, .outline');
  return [...parts]
    .map((part) => {
      if (part.matches('.outline')) return 'outline';
      if (part.matches('.tree a, .sections a')) return `${part.getAttribute('href')} ${part.textContent}`;
      return `${part.getAttribute('href') ?? part.getAttribute('src') ?? ''}`.replace(/\?version=.*/, '');
    })
    .join('\n');
};

/** Scripts draw or fill these when the page is loaded. */
const isDrawnByScripts = (page: Document): boolean => page.querySelector('.diagram, .api-try, .compare-bar') !== null;

/** Replaces the content of the page, which keeps everything else. False if the page must be loaded again. */
async function replaceContent(): Promise<boolean> {
  const answer = await fetch(location.href, { cache: 'no-store' });
  if (!answer.ok || answer.redirected) return false;
  const next = new DOMParser().parseFromString(await answer.text(), 'text/html');
  if (frameOf(next) !== frameOf(document) || isDrawnByScripts(next) || isDrawnByScripts(document)) return false;
  for (const part of ['main', '.outline']) {
    const [before, after] = [document.querySelector(part), next.querySelector(part)];
    if (before && after) before.replaceWith(document.importNode(after, true));
  }
  document.title = next.title;
  const live = [...next.scripts].find(({ src }) => src.includes('version='));
  version = live ? (new URL(live.src, location.href).searchParams.get('version') ?? '') : '';
  document.dispatchEvent(new Event('docs-content'));
  return true;
}

async function update(): Promise<void> {
  const isReplaced = await replaceContent().catch(() => false);
  if (!isReplaced) return reload();
  events?.close();
  listen();
}

let version = script.searchParams.get('version') ?? '';
let events: EventSource | undefined;

function listen(): void {
  const address = new URL('../events', script);
  address.searchParams.set('page', location.pathname);
  address.searchParams.set('version', version);
  events = new EventSource(address);
  events.addEventListener('reload', () => void update());
  events.addEventListener('move', ({ data }: MessageEvent<string>) => location.replace(data));
}

// Browsers open few connections to one server, and each page that is shown needs one: the hidden ones let go of theirs.
function followVisibility(): void {
  events?.close();
  events = undefined;
  if (document.visibilityState === 'visible') listen();
}

restorePlace();
followVisibility();
document.addEventListener('visibilitychange', followVisibility);
addEventListener('pagehide', () => events?.close());
addEventListener('pageshow', ({ persisted }) => persisted && followVisibility());
