import { readStored, store } from './storage.ts';

/** The part of the page whose choices of a kind change together. */
const scopeOf = (control: Element): ParentNode => control.closest('.api-operation') ?? document;

const choicesIn = (scope: ParentNode, kind: string): HTMLSelectElement[] =>
  [...scope.querySelectorAll<HTMLSelectElement>('select[data-choice]')].filter(
    ({ dataset }) => dataset.choice === kind,
  );

/** The index that is chosen in a part of the page; 0 if there is no such choice. */
export const chosenIn = (scope: ParentNode, kind: string): number => choicesIn(scope, kind)[0]?.selectedIndex ?? 0;

/** Lets choices show the groups that belong to them. @param onChange is called with the part of the page that changed */
export function startChoices(onChange: (scope: ParentNode, kind: string) => void): void {
  const server = readStored('docs-server');
  for (const control of document.querySelectorAll<HTMLSelectElement>('select[data-choice]')) {
    const holder = control.closest<HTMLElement>('.api-switch');
    if (holder) holder.hidden = false;
    if (control.dataset.choice === 'server') chooseServer(control, server);
    // Browsers keep what was chosen when a page is loaded again, each control for itself.
    choose(scopeOf(control), control.dataset.choice ?? '', chosenIn(scopeOf(control), control.dataset.choice ?? ''));
    control.addEventListener('change', () => changed(control, onChange));
  }
}

function changed(control: HTMLSelectElement, onChange: (scope: ParentNode, kind: string) => void): void {
  const { choice: kind = '' } = control.dataset;
  if (kind !== 'server') {
    choose(scopeOf(control), kind, control.selectedIndex);
    return onChange(scopeOf(control), kind);
  }
  store('docs-server', control.value);
  for (const other of choicesIn(document, kind)) {
    chooseServer(other, control.value);
    showGroups(scopeOf(other), kind, other.selectedIndex);
  }
  onChange(document, kind);
}

/** Operations may have other servers. */
function chooseServer(control: HTMLSelectElement, value: string | undefined): void {
  if ([...control.options].some((option) => option.value === value)) control.value = value ?? '';
}

function choose(scope: ParentNode, kind: string, index: number): void {
  for (const control of choicesIn(scope, kind)) control.selectedIndex = index;
  showGroups(scope, kind, index);
}

function showGroups(scope: ParentNode, kind: string, index: number): void {
  for (const group of scope.querySelectorAll<HTMLElement>(`[data-group="${CSS.escape(kind)}"]`)) {
    const isChosen = group.dataset.index?.split(' ').includes(String(index)) === true;
    group.hidden = !isChosen;
    const details = group.querySelector<HTMLDetailsElement>(':scope > details');
    if (isChosen && details) details.open = true;
  }
}
