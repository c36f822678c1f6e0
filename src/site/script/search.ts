import type { SearchAnswer, SearchResult } from '../model.ts';
import { announce, element, sign, textOf } from './texts.ts';

type Find = (query: string) => Promise<SearchAnswer>;

const waitMs = 80;

/** Search as you type: a dialog that `/`, Control+K or the button of the header opens. */
export function startSearch(): void {
  const place = document.querySelector<HTMLElement>('.search');
  const button = place?.querySelector<HTMLButtonElement>('.search-button');
  if (!place || !button) return;
  // Browsers read no index from a folder without a server.
  if (location.protocol === 'file:') {
    place.style.visibility = 'hidden';
    return;
  }
  let dialog: SearchDialog | undefined;
  const open = (query?: string) => (dialog ??= new SearchDialog(finder(place))).open(query);
  button.addEventListener('click', () => open());
  // Buttons of pages that search, or that ask an assistant, which a site of this kind answers with its search.
  for (const action of document.querySelectorAll<HTMLElement>('[data-action="search"], [data-action="ask"]'))
    action.addEventListener('click', () => open(action.dataset.query));
  document.addEventListener('keydown', (event) => {
    const isShortcut = event.key === '/' || (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey));
    if (!isShortcut || (event.key === '/' && isTyping(event.target))) return;
    event.preventDefault();
    open();
  });
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

function finder({ dataset }: HTMLElement): Find {
  const href = new URL(dataset.href ?? '', location.href);
  if (dataset.kind === 'index') {
    let index: Promise<{ search: Find }> | undefined;
    return async (query) => {
      index ??= import(new URL(dataset.script ?? '', location.href).href).then((module) => module.openIndex(href.href));
      return (await index).search(query);
    };
  }
  let controller = new AbortController();
  return async (query) => {
    controller.abort();
    controller = new AbortController();
    const address = new URL(href);
    address.searchParams.set('q', query);
    const answer = await fetch(address, { signal: controller.signal, headers: { accept: 'application/json' } });
    if (!answer.ok) throw new Error(String(answer.status));
    return answer.json();
  };
}

class SearchDialog {
  readonly #find: Find;
  readonly #input = element('input', {
    type: 'search',
    role: 'combobox',
    'aria-expanded': 'false',
    'aria-controls': 'search-results',
    'aria-autocomplete': 'list',
    'aria-label': textOf('search'),
    placeholder: textOf('searchPlaceholder'),
    autocomplete: 'off',
    spellcheck: 'false',
  });
  readonly #results = element('div', {
    class: 'search-results',
    id: 'search-results',
    role: 'listbox',
    'aria-label': textOf('search'),
  });
  readonly #status = element('p', { class: 'search-status' });
  readonly #dialog: HTMLDialogElement;
  #timer = 0;
  #selected = -1;
  /** The search whose results are awaited. */
  #latest = 0;

  constructor(find: Find) {
    this.#find = find;
    const close = element('button', { type: 'button', class: 'icon-button', 'aria-label': textOf('close') }, [
      sign('close'),
    ]);
    close.addEventListener('click', () => this.#dialog.close());
    this.#dialog = element('dialog', { class: 'search-dialog', 'aria-label': textOf('search') }, [
      element('div', { class: 'search-head' }, [sign('search'), this.#input, close]),
      this.#status,
      this.#results,
    ]);
    this.#input.addEventListener('input', () => this.#plan());
    this.#input.addEventListener('keydown', (event) => this.#onKey(event));
    // A click on the backdrop is one on the dialog itself.
    this.#dialog.addEventListener('click', ({ target }) => target === this.#dialog && this.#dialog.close());
    // A result may be on this page.
    this.#results.addEventListener('click', () => this.#dialog.close());
    document.body.append(this.#dialog);
  }

  /** @param query in place of the one that was typed last */
  open(query?: string): void {
    if (!this.#dialog.open) this.#dialog.showModal();
    if (query !== undefined && query !== '') {
      this.#input.value = query;
      void this.#search();
    }
    this.#input.focus();
    this.#input.select();
  }

  #plan(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#search(), waitMs);
  }

  async #search(): Promise<void> {
    const query = this.#input.value.trim();
    const number = ++this.#latest;
    if (query === '') return this.#show({ results: [] }, query);
    try {
      const answer = await this.#find(query);
      if (number === this.#latest) this.#show(answer, query);
    } catch (error) {
      if (number !== this.#latest || (error instanceof DOMException && error.name === 'AbortError')) return;
      this.#show({ results: [] }, '');
      this.#status.textContent = textOf('searchFailed');
      announce(textOf('searchFailed'));
    }
  }

  #show({ results, suggestion }: SearchAnswer, query: string): void {
    const words = `${query} ${suggestion ?? ''}`.split(/\s+/).filter((word) => word !== '');
    const options = results.flatMap((result) => [
      pageOption(result, words),
      ...result.sections.map((section) => sectionOption(section, words)),
    ]);
    for (const [index, option] of options.entries()) option.id = `search-result-${index}`;
    this.#results.replaceChildren(...options);
    this.#results.scrollTop = 0;
    this.#input.setAttribute('aria-expanded', String(options.length > 0));
    const isNothing = query !== '' && results.length === 0;
    this.#status.textContent = isNothing ? textOf('noResults', query) : '';
    if (suggestion !== undefined) this.#status.append(this.#suggestionFor(suggestion));
    if (query !== '')
      announce(
        isNothing
          ? textOf('noResults', query)
          : results.length === 1
            ? textOf('oneResult')
            : textOf('results', results.length),
      );
    this.#select(options.length > 0 ? 0 : -1);
  }

  #suggestionFor(suggestion: string): HTMLElement {
    const button = element('button', { type: 'button', class: 'search-suggestion' }, [suggestion]);
    button.addEventListener('click', () => this.open(suggestion));
    return element('span', {}, [`${textOf('didYouMean')} `, button]);
  }

  #options(): HTMLAnchorElement[] {
    return [...this.#results.querySelectorAll('a')];
  }

  #select(index: number): void {
    const options = this.#options();
    this.#selected = index;
    for (const [place, option] of options.entries()) option.setAttribute('aria-selected', String(place === index));
    const option = options[index];
    if (!option) return this.#input.removeAttribute('aria-activedescendant');
    this.#input.setAttribute('aria-activedescendant', option.id);
    option.scrollIntoView({ block: 'nearest', behavior: 'instant' });
  }

  #onKey(event: KeyboardEvent): void {
    const count = this.#options().length;
    const places: Record<string, number> = {
      ArrowDown: (this.#selected + 1) % count,
      ArrowUp: (this.#selected - 1 + count) % count,
    };
    const place = places[event.key];
    if (place !== undefined && count > 0) {
      event.preventDefault();
      this.#select(place);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      this.#options()[this.#selected]?.click();
    } else if (event.key === 'Escape') {
      // Some browsers empty the field first.
      event.preventDefault();
      this.#dialog.close();
    }
  }
}

function pageOption({ title, href, emoji, trail, description }: SearchResult, words: string[]): HTMLAnchorElement {
  return element('a', { href, role: 'option', tabindex: '-1' }, [
    emoji ? element('span', { class: 'emoji', 'aria-hidden': 'true' }, [emoji]) : sign('page'),
    element('span', { class: 'found-title' }, marked(title, words)),
    trail.length > 0 ? element('span', { class: 'found-trail' }, [trail.join(' › ')]) : undefined,
    description ? element('span', { class: 'found-text' }, marked(description, words)) : undefined,
  ]);
}

const sectionOption = ({ title, href, text }: SearchResult['sections'][number], words: string[]): HTMLAnchorElement =>
  element('a', { href, role: 'option', tabindex: '-1', class: 'found-section' }, [
    element('span', { class: 'found-title' }, marked(title, words)),
    element('span', { class: 'found-text' }, marked(text, words)),
  ]);

/** A text with the words of the search marked in it. */
function marked(text: string, words: string[]): (Node | string)[] {
  const lower = text.toLowerCase();
  // In a few languages, letters in lower case are not as many.
  if (lower.length !== text.length) return [text];
  const parts: (Node | string)[] = [];
  let from = 0;
  while (from < text.length) {
    const [next] = words
      .map((word) => ({ at: lower.indexOf(word.toLowerCase(), from), length: word.length }))
      .filter(({ at }) => at >= 0)
      .toSorted((a, b) => a.at - b.at || b.length - a.length);
    if (!next) break;
    const end = next.at + next.length;
    parts.push(text.slice(from, next.at), element('mark', {}, [text.slice(next.at, end)]));
    from = end;
  }
  return [...parts, text.slice(from)];
}
