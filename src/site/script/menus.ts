/** Menus close on Escape, on a click elsewhere and when another one opens; branches of the contents open and close. */
export function startMenus(): void {
  const openMenus = () => document.querySelectorAll<HTMLDetailsElement>('details.menu[open]');
  document.addEventListener('click', ({ target }) => {
    for (const menu of openMenus()) if (!(target instanceof Node && menu.contains(target))) menu.open = false;
  });
  document.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return;
    for (const menu of openMenus()) {
      const hadFocus = menu.contains(document.activeElement);
      menu.open = false;
      if (hadFocus) menu.querySelector('summary')?.focus();
    }
  });
  document.addEventListener('focusin', ({ target }) => {
    for (const menu of openMenus()) if (!(target instanceof Node && menu.contains(target))) menu.open = false;
  });
  for (const toggle of document.querySelectorAll<HTMLButtonElement>('button.entry-toggle')) {
    toggle.addEventListener('click', () => {
      const list = toggle.nextElementSibling;
      const isOpen = toggle.getAttribute('aria-expanded') === 'true';
      toggle.setAttribute('aria-expanded', String(!isOpen));
      if (list instanceof HTMLElement) list.hidden = isOpen;
    });
  }
}

/** Shows the entry of the page in the contents, which keep their place between pages. */
export function startContents(): void {
  const contents = document.querySelector<HTMLElement>('.contents');
  if (!contents) return;
  const top = sessionTop();
  if (top !== undefined) contents.scrollTop = top;
  const entry = contents.querySelector<HTMLElement>('[aria-current="page"]');
  if (entry) {
    const [outer, inner] = [contents.getBoundingClientRect(), entry.getBoundingClientRect()];
    if (inner.top < outer.top + 40 || inner.bottom > outer.bottom - 40)
      contents.scrollTop += inner.top - outer.top - outer.height / 3;
  }
  addEventListener('pagehide', () => {
    try {
      sessionStorage.setItem('docs-contents', String(contents.scrollTop));
    } catch {
      // The contents begin at the top on the next page.
    }
  });
}

function sessionTop(): number | undefined {
  try {
    const top = sessionStorage.getItem('docs-contents');
    return top === null ? undefined : Number(top);
  } catch {
    return undefined;
  }
}

export function startAnnouncement(
  readStored: (name: string) => string | undefined,
  store: (name: string, value: string) => void,
): void {
  const shown = document.querySelector<HTMLElement>('.announcement');
  if (!shown) return;
  const text = shown.textContent;
  if (readStored('docs-announcement') === text) return shown.remove();
  shown.querySelector('button')?.addEventListener('click', () => {
    store('docs-announcement', text);
    shown.remove();
  });
}
