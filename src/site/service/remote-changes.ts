import { compareHtml } from '../../content/html/compare-html.ts';
import { escapeHtml } from '../../shared/escape-html.ts';
import { unifiedDiff } from '../../shared/unified-diff.ts';
import { comparePages, type FieldChange, type PageDifference } from '../../change-requests/compare-content.ts';
import { Contents } from '../contents.ts';
import type { RemoteEntry, RemoteSpace } from './remote-space.ts';

/** A change request compared with the main content. */
export class RemoteChanges {
  readonly number: number;
  /** The main content when the request was created or last updated. */
  readonly before: RemoteSpace;
  readonly after: RemoteSpace;
  /** The contents after the change, with badges for changes. */
  readonly contents: Contents<RemoteEntry>;
  /** Deleted pages, as a flat list. */
  readonly deleted: Contents<RemoteEntry>;
  readonly #differences: ReadonlyMap<string, PageDifference>;

  constructor(number: number, before: RemoteSpace, after: RemoteSpace) {
    this.number = number;
    this.before = before;
    this.after = after;
    this.#differences = new Map(comparePages(before.placed, after.placed).map((each) => [each.id, each]));
    const marked = (entry: RemoteEntry) => ({ ...entry, badge: this.differenceOf(entry.key)?.change ?? entry.badge });
    this.contents = new Contents(after.contents.pages.map(marked));
    this.deleted = new Contents(
      before.contents.pages
        .filter(({ key, type }) => type === 'document' && this.differenceOf(key)?.change === 'deleted')
        .map((entry) => ({ ...marked(entry), parent: null, hidden: false })),
    );
  }

  differenceOf(id: string): PageDifference | undefined {
    return this.#differences.get(id);
  }

  /** The page with inserted and deleted words, and on demand both texts side by side and the lines that differ. */
  async compare(id: string): Promise<string> {
    const pages = [this.before.placed.get(id)?.page, this.after.placed.get(id)?.page] as const;
    const [old, now] = pages.map((page) => (page?.type === 'document' ? page : undefined));
    const [oldHtml, newHtml] = await Promise.all([
      old ? this.before.render(old).then(({ html }) => html) : '<p>The page does not exist there.</p>',
      now ? this.after.render(now).then(({ html }) => html) : '<p>The page is deleted.</p>',
    ]);
    const [oldText, newText] = await Promise.all([
      old ? this.before.textOf(old) : '',
      now ? this.after.textOf(now) : '',
    ]);
    const lines = await unifiedDiff(oldText, newText);
    const fields = this.#differences.get(id)?.fields ?? [];
    const { html, changes } = compareHtml(old ? oldHtml : '', now ? newHtml : '');
    return `${fieldTable(fields)}
${compareBar(changes)}
<div class="compare-text flow">${html}</div>
<details class="expandable"><summary>Side by side</summary>
<div class="columns compare">
<div class="column"><h2>Main content</h2>${withoutIds(oldHtml)}</div>
<div class="column"><h2>Change request #${this.number}</h2>${withoutIds(newHtml)}</div>
</div></details>
${lines.length === 0 ? '' : `<details class="expandable"><summary>Lines that differ</summary>${diffHtml(lines)}</details>`}`;
  }
}

function compareBar(changes: number): string {
  if (changes === 0) return '<p class="compare-bar">The text is the same.</p>';
  const count = changes === 1 ? '1 change' : `${changes} changes`;
  return `<p class="compare-bar"><a href="#change-1">${count}</a>
<button type="button" class="button button-secondary" data-step="-1" hidden>Previous</button>
<button type="button" class="button button-secondary" data-step="1" hidden>Next</button>
<span class="compare-place" aria-live="polite"></span></p>`;
}

/** IDs must be unique in a document. */
const withoutIds = (html: string): string => html.replaceAll(/<[^<>]*>/g, (tag) => tag.replace(/ id="[^"]*"/, ''));

function diffHtml(lines: readonly string[]): string {
  const marked = lines.map((line) => {
    const text = escapeHtml(line);
    if (line.startsWith('+')) return `<ins>${text}</ins>`;
    return line.startsWith('-') ? `<del>${text}</del>` : text;
  });
  return `<pre class="diff"><code>${marked.join('\n')}</code></pre>`;
}

function fieldTable(fields: readonly FieldChange[]): string {
  if (fields.length === 0) return '';
  const rows = fields.map(
    ({ field, before, after }) =>
      `<tr><td>${escapeHtml(field)}</td><td>${escapeHtml(textOf(before))}</td><td>${escapeHtml(textOf(after))}</td></tr>`,
  );
  return `<table><thead><tr><th>Field</th><th>Main content</th><th>Change request</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

const textOf = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
