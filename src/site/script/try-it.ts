import { startSignIn } from './sign-in.ts';
import { element } from './texts.ts';
import { type Control, requestOf, shownControls } from './try-request.ts';

/**
 * Sends the requests that the forms of an API reference describe. Only the answer is shown, and
 * nothing that is typed is stored unless readers want it. The security policy of the page names the servers that a request may go to.
 */
for (const form of document.querySelectorAll<HTMLElement>('.api-try [role="form"]')) {
  const panel = form.parentElement;
  if (panel) panel.hidden = false;
  form.querySelector('button')?.addEventListener('click', () => void sendComplete(form));
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && event.target instanceof HTMLInputElement) void sendComplete(form);
  });
}

startSignIn();
for (const card of document.querySelectorAll<HTMLElement>('.api-card .api-try')) card.hidden = false;

/** The pages have no forms of their own, so that nothing can be sent without this script. */
async function sendComplete(form: HTMLElement): Promise<void> {
  if (shownControls(form).every((control: Control) => control.reportValidity())) await send(form);
}

/** What the policy of the page refused last. */
let blocked = '';
document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
  if (effectiveDirective === 'connect-src') blocked = blockedURI;
});

async function send(form: HTMLElement): Promise<void> {
  const answer = form.querySelector<HTMLElement>('.api-answer');
  if (!answer) return;
  answer.replaceChildren('…');
  blocked = '';
  const startedMs = performance.now();
  try {
    const { url, init } = requestOf(form);
    if (location.protocol === 'https:' && url.startsWith('http:')) {
      throw new Error('A page of https cannot send requests to http');
    }
    const response = await fetch(url, init);
    const bytes = await response.arrayBuffer();
    const line = `${response.status} ${response.statusText} · ${Math.round(performance.now() - startedMs)} ms`;
    answer.replaceChildren(element('p', { class: 'api-fact' }, [line]), shownBody(response, bytes));
  } catch (error) {
    // The event of the policy comes after the error.
    await new Promise((resolve) => setTimeout(resolve, 50));
    answer.replaceChildren(element('p', { class: 'api-problem' }, [reasonOf(error)]));
  }
}

function reasonOf(error: unknown): string {
  if (blocked !== '') {
    return `The request was not sent: this page may reach only the servers that the description names, and ${blocked} is none of them.`;
  }
  const reason = error instanceof Error ? error.message : String(error);
  // Browsers tell pages no more than this.
  const hint =
    error instanceof TypeError
      ? 'The server cannot be reached, or it does not allow requests of web pages (CORS): its answers need the header access-control-allow-origin. The code samples work without it.'
      : '';
  return `${reason}. ${hint}`.trim();
}

const textTypes = /^text\/|[/+](?:json|xml|yaml|javascript)\b|x-www-form-urlencoded|^$/i;

/** A text as it is; of other answers, what they are. */
function shownBody({ headers }: Response, bytes: ArrayBuffer): HTMLElement {
  const type = headers.get('content-type') ?? '';
  if (!textTypes.test(type)) return element('p', {}, [`${bytes.byteLength} bytes of ${type}`]);
  if (bytes.byteLength === 0) return element('p', {}, ['The answer has no body.']);
  const code = element('code', {}, [readable(new TextDecoder().decode(bytes)).slice(0, 100_000)]);
  return element('div', { class: 'code' }, [element('pre', { tabindex: '0' }, [code])]);
}

function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
