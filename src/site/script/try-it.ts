import { element } from './texts.ts';

/**
 * Sends the requests that the forms of an API reference describe. Nothing that is typed is stored; only the answer is
 * shown. The security policy of the page names the servers that a request may go to.
 */
for (const form of document.querySelectorAll<HTMLElement>('.api-try [role="form"]')) {
  const panel = form.parentElement;
  if (panel) panel.hidden = false;
  form.querySelector('button')?.addEventListener('click', () => void sendComplete(form));
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && event.target instanceof HTMLInputElement) void sendComplete(form);
  });
}

/** The pages have no forms of their own, so that nothing can be sent without this script. */
async function sendComplete(form: HTMLElement): Promise<void> {
  const controls = [...form.querySelectorAll<Control>('[data-in]')];
  if (controls.every((control) => control.reportValidity())) await send(form);
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

async function send(form: HTMLElement): Promise<void> {
  const answer = form.querySelector<HTMLElement>('.api-answer');
  if (!answer) return;
  answer.replaceChildren('…');
  const startedMs = performance.now();
  try {
    const { url, init } = requestOf(form);
    if (location.protocol === 'https:' && url.startsWith('http:')) {
      throw new Error('A page of https cannot send requests to http');
    }
    const response = await fetch(url, init);
    const text = await response.text();
    const line = `${response.status} ${response.statusText} · ${Math.round(performance.now() - startedMs)} ms`;
    answer.replaceChildren(element('p', { class: 'api-fact' }, [line]), block(readable(text)));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    // Browsers tell pages no more than this.
    const hint =
      error instanceof TypeError
        ? 'The server cannot be reached, or it does not allow requests of web pages (CORS): its answers need the header access-control-allow-origin. The code samples work without it.'
        : '';
    answer.replaceChildren(element('p', { class: 'api-problem' }, [`${reason}. ${hint}`.trim()]));
  }
}

function requestOf(form: HTMLElement): { url: string; init: RequestInit } {
  const controls = [...form.querySelectorAll<Control>('[data-in]')];
  const headers = new Headers();
  const query = new URLSearchParams();
  let path = form.dataset.path ?? '';
  let server = '';
  let body: BodyInit | undefined;
  for (const control of controls) {
    const { in: place, name = '', prefix = '', type = '' } = control.dataset;
    const { value } = control;
    if (place === 'server') server = value;
    else if (place === 'path') path = path.replaceAll(`{${name}}`, encodeURIComponent(value));
    else if (value === '') continue;
    else if (place === 'query') query.append(name, prefix + value);
    else if (place === 'header')
      headers.set(name, prefix === 'Basic ' && value.includes(':') ? prefix + btoa(value) : prefix + value);
    else if (place === 'body') {
      body = bodyOf(type, value);
      if (!(body instanceof FormData)) headers.set('content-type', type);
    }
  }
  const search = query.size > 0 ? `?${query}` : '';
  const method = form.dataset.method ?? 'GET';
  const hasBody = body !== undefined && method !== 'GET' && method !== 'HEAD';
  return { url: server + path + search, init: { method, headers, credentials: 'omit', ...(hasBody ? { body } : {}) } };
}

/** Forms are written as JSON. */
function bodyOf(type: string, value: string): BodyInit {
  const isForm = type.startsWith('multipart/form-data');
  if (!isForm && !type.startsWith('application/x-www-form-urlencoded')) return value;
  const fields = fieldsOf(value);
  const body = isForm ? new FormData() : new URLSearchParams();
  for (const [name, field] of Object.entries(fields)) {
    body.append(name, typeof field === 'string' ? field : JSON.stringify(field));
  }
  return body;
}

function fieldsOf(value: string): Record<string, unknown> {
  try {
    return JSON.parse(value);
  } catch {
    throw new Error('The body is a form: write its fields as JSON, such as {"name": "value"}');
  }
}

function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function block(text: string): HTMLElement {
  const code = element('code', {}, [text.slice(0, 100_000)]);
  return element('div', { class: 'code' }, [element('pre', { tabindex: '0' }, [code])]);
}
