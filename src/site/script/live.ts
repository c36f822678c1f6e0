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

let events: EventSource | undefined;

function listen(): void {
  const address = new URL('../events', script);
  address.searchParams.set('page', location.pathname);
  address.searchParams.set('version', script.searchParams.get('version') ?? '');
  events = new EventSource(address);
  events.addEventListener('reload', reload);
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
