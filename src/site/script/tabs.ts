import { decodeAddress } from '../../shared/decode.ts';
import { readStored, store } from './storage.ts';
import { element } from './texts.ts';

let tabsMade = 0;

/** Turns panels, which are below each other without JavaScript, into tabs. Tabs of the same titles change together. */
export function startTabs(): void {
  const chosen = readStored('docs-tabs');
  for (const tabs of document.querySelectorAll<HTMLElement>('.tabs')) {
    if (makeTabs(tabs) && chosen !== undefined) select(tabs, titlesOf(tabs).indexOf(chosen));
  }
  openTarget();
  addEventListener('hashchange', openTarget);
}

const panelsOf = (tabs: HTMLElement): HTMLElement[] =>
  [...tabs.children].filter((child): child is HTMLElement => child.classList.contains('tab-panel'));

const buttonsOf = (tabs: HTMLElement): HTMLElement[] => [
  ...tabs.querySelectorAll<HTMLElement>(':scope > .tab-list > [role="tab"]'),
];

const titlesOf = (tabs: HTMLElement) => buttonsOf(tabs).map(({ textContent }) => textContent.trim());

function makeTabs(tabs: HTMLElement): boolean {
  const panels = panelsOf(tabs);
  if (panels.length === 0) return false;
  tabs.querySelector(':scope > .tab-list')?.remove();
  const list = element('div', { class: 'tab-list', role: 'tablist' });
  tabsMade++;
  for (const [index, panel] of panels.entries()) {
    const title = panel.querySelector(':scope > .tab-title');
    panel.id ||= `tabs-${tabsMade}-${index + 1}`;
    const button = element('button', { type: 'button', role: 'tab', id: `${panel.id}-tab`, 'aria-controls': panel.id });
    button.append(...(title ? [...title.cloneNode(true).childNodes] : [String(index + 1)]));
    button.addEventListener('click', () => choose(tabs, index));
    panel.setAttribute('role', 'tabpanel');
    panel.setAttribute('aria-labelledby', button.id);
    panel.tabIndex = 0;
    list.append(button);
  }
  list.addEventListener('keydown', (event) => moveFocus(event, tabs));
  tabs.prepend(list);
  tabs.classList.add('ready');
  select(tabs, 0);
  return true;
}

function select(tabs: HTMLElement, index: number): void {
  if (index < 0) return;
  for (const [place, button] of buttonsOf(tabs).entries()) {
    button.setAttribute('aria-selected', String(place === index));
    button.tabIndex = place === index ? 0 : -1;
  }
  for (const [place, panel] of panelsOf(tabs).entries()) panel.hidden = place !== index;
}

/** Selects a tab here, and the one of the same title in the other tabs of the page. */
function choose(tabs: HTMLElement, index: number): void {
  const title = titlesOf(tabs)[index] ?? '';
  const before = tabs.getBoundingClientRect().top;
  select(tabs, index);
  for (const other of document.querySelectorAll<HTMLElement>('.tabs.ready'))
    if (other !== tabs) select(other, titlesOf(other).indexOf(title));
  store('docs-tabs', title);
  // Tabs above may have changed their height.
  scrollBy({ top: tabs.getBoundingClientRect().top - before, behavior: 'instant' });
}

function moveFocus(event: KeyboardEvent, tabs: HTMLElement): void {
  const buttons = buttonsOf(tabs);
  const current = buttons.findIndex((button) => button === document.activeElement);
  const isRightToLeft = document.documentElement.dir === 'rtl';
  const steps: Record<string, number> = {
    ArrowRight: isRightToLeft ? -1 : 1,
    ArrowLeft: isRightToLeft ? 1 : -1,
    Home: -current,
    End: buttons.length - 1 - current,
  };
  const step = steps[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const next = (current + step + buttons.length) % buttons.length;
  choose(tabs, next);
  buttons[next]?.focus();
}

/** A link to something in a panel that is not shown, or in a closed expandable, opens it. */
function openTarget(): void {
  const target = location.hash.length > 1 ? document.getElementById(decodeAddress(location.hash.slice(1))) : null;
  if (!target) return;
  let isOpened = false;
  for (let inner: HTMLElement | null = target; inner; inner = inner.parentElement) {
    if (inner instanceof HTMLDetailsElement && !inner.open) isOpened = inner.open = true;
    const tabs = inner.parentElement;
    if (!inner.classList.contains('tab-panel') || !inner.hidden || !tabs) continue;
    select(tabs, panelsOf(tabs).indexOf(inner));
    isOpened = true;
  }
  if (isOpened) target.scrollIntoView();
}
