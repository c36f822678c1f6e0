export type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Those of the chosen server, authentication and body. */
export const shownControls = (form: HTMLElement): Control[] =>
  [...form.querySelectorAll<Control>('[data-in]')].filter((control) => !control.closest('[hidden]'));

interface Parts {
  server: string;
  path: string;
  readonly variables: Map<string, string>;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  readonly login: { user: string; password: string };
  body: BodyInit | undefined;
}

/** The request that a form describes. @throws Error with what is wrong in the form */
export function requestOf(form: HTMLElement): { url: string; init: RequestInit } {
  const parts: Parts = {
    server: '',
    path: form.dataset.path ?? '',
    variables: new Map(),
    query: new URLSearchParams(),
    headers: new Headers(),
    login: { user: '', password: '' },
    body: undefined,
  };
  const { accept } = form.dataset;
  if (accept !== undefined && !accept.includes('*')) parts.headers.set('accept', accept);
  for (const control of shownControls(form)) addTo(parts, control);
  const { headers, login, query, path, body } = parts;
  if (login.user !== '' || login.password !== '') {
    const bytes = new TextEncoder().encode(`${login.user}:${login.password}`);
    headers.set('authorization', `Basic ${btoa(String.fromCodePoint(...bytes))}`);
  }
  const server = parts.server.replaceAll(/\{([^{}]*)\}/g, (sign, name: string) => parts.variables.get(name) ?? sign);
  const search = query.size > 0 ? `?${query}` : '';
  const method = form.dataset.method ?? 'GET';
  return {
    url: server.replace(/\/$/, '') + path + search,
    init: { method, headers, credentials: 'omit', ...(body !== undefined && { body }) },
  };
}

function addTo(parts: Parts, control: Control): void {
  const { in: place, name = '', prefix = '', list } = control.dataset;
  const { value } = control;
  if (place === 'server') parts.server = value;
  else if (place === 'variable') parts.variables.set(name, value);
  else if (place === 'path') parts.path = parts.path.replaceAll(`{${name}}`, encodeURIComponent(value));
  else if (value === '') return;
  else if (place === 'query') {
    for (const one of list === undefined ? [value] : value.split(',')) parts.query.append(name, prefix + one.trim());
  } else if (place === 'header') parts.headers.set(name, prefix + value);
  else if (place === 'user' || place === 'password') parts.login[place] = value;
  else addToBody(parts, control);
}

function addToBody(parts: Parts, control: Control): void {
  const { in: place, name = '', json } = control.dataset;
  const type = control.closest<HTMLElement>('[data-group="body"]')?.dataset.type ?? '';
  const files = control instanceof HTMLInputElement ? [...(control.files ?? [])] : [];
  if (place === 'form') {
    parts.body ??= type.startsWith('multipart/') ? new FormData() : new URLSearchParams();
    if (parts.body instanceof FormData) for (const file of files) parts.body.append(name, file);
    if (files.length === 0 && (parts.body instanceof FormData || parts.body instanceof URLSearchParams)) {
      parts.body.append(name, control.value);
    }
    return;
  }
  if (place !== 'body' && place !== 'body-file') return;
  // A browser writes the type of a multipart form itself, with its boundary.
  parts.headers.set('content-type', type.includes('*') ? (files[0]?.type ?? 'text/plain') : type);
  if (json !== undefined) assertJson(control.value);
  parts.body = files[0] ?? control.value;
}

function assertJson(value: string): void {
  try {
    JSON.parse(value);
  } catch (error) {
    throw new Error(`The body is no JSON: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
