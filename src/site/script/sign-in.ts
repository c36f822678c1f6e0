const fields = (): HTMLInputElement[] => [...document.querySelectorAll<HTMLInputElement>('input[data-scheme]')];

const boxes = (): HTMLInputElement[] => [...document.querySelectorAll<HTMLInputElement>('input[data-remember]')];

const nameOf = ({ dataset }: HTMLElement): string => `${dataset.scheme} ${dataset.in}`;

/** Another API may have a scheme of the same name, and must not get what was typed for this one. */
const storageKey = (): string | undefined => {
  const api = document.querySelector<HTMLElement>('[data-api]')?.dataset.api;
  return api === undefined ? undefined : `docs-sign-in ${api}`;
};

/**
 * What readers type to sign in is the same in all forms of a page. It is stored only if they want it, for this tab and this
 * API.
 */
export function startSignIn(): void {
  const kept = read();
  for (const field of fields()) {
    field.value = kept?.[nameOf(field)] ?? '';
    field.addEventListener('input', () => {
      for (const other of fields()) if (nameOf(other) === nameOf(field)) other.value = field.value;
      write();
    });
  }
  for (const box of boxes()) {
    box.checked = kept !== undefined;
    box.addEventListener('change', () => {
      for (const other of boxes()) other.checked = box.checked;
      write();
    });
  }
}

function read(): Record<string, string> | undefined {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(storageKey() ?? '') ?? 'null');
    return typeof stored === 'object' && stored !== null ? (stored as Record<string, string>) : undefined;
  } catch {
    return undefined;
  }
}

function write(): void {
  const key = storageKey();
  if (key === undefined) return;
  try {
    if (boxes().some(({ checked }) => checked)) {
      const values = Object.fromEntries(fields().map((field) => [nameOf(field), field.value]));
      sessionStorage.setItem(key, JSON.stringify({ ...read(), ...values }));
    } else sessionStorage.removeItem(key);
  } catch {
    // It holds for this page only.
  }
}
