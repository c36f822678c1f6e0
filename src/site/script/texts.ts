const texts: Record<string, string> = JSON.parse(document.documentElement.dataset.texts ?? '{}');

/** A text of the interface in the language of the page. @param value replaces `{}` in it */
export const textOf = (name: string, value: string | number = ''): string =>
  (texts[name] ?? '').replace('{}', String(value));

type Child = Node | string | undefined;

/** An element with attributes and children. Texts are never read as HTML. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Record<string, string> = {},
  children: Child[] = [],
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

export const sign = (name: string): HTMLElement =>
  element('span', { class: `sign sign-${name}`, 'aria-hidden': 'true' });

/** Says a text to readers who do not see the page. */
export function announce(text: string): void {
  let region = document.querySelector('#announcements');
  if (!region) {
    region = element('div', { id: 'announcements', class: 'visually-hidden', role: 'status' });
    document.body.append(region);
  }
  region.textContent = text;
}
