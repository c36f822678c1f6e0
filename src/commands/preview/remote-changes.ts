import { escapeHtml } from '../../shared/escape-html.ts';
import type { DocumentPage } from '../../contract/pages.ts';
import { unifiedDiff } from '../../cli/output/unified-diff.ts';
import { comparePages, type FieldChange, type PageDifference } from '../../change-requests/compare-content.ts';
import type { RemoteSpace } from './remote-space.ts';

/** What a change request makes of main content. */
export class RemoteChanges {
  readonly number: number;
  /** Main content as it was when the request began, or was last updated. */
  readonly before: RemoteSpace;
  readonly after: RemoteSpace;
  readonly #differences: ReadonlyMap<string, PageDifference>;

  constructor(number: number, before: RemoteSpace, after: RemoteSpace) {
    this.number = number;
    this.before = before;
    this.after = after;
    this.#differences = new Map(comparePages(before.placed, after.placed).map((each) => [each.id, each]));
  }

  differenceOf(id: string): PageDifference | undefined {
    return this.#differences.get(id);
  }

  /** Pages that are only in main content. */
  get deleted(): DocumentPage[] {
    return [...this.#differences.values()].flatMap(({ change, before }) =>
      change === 'deleted' && before?.page.type === 'document' ? [before.page] : [],
    );
  }

  /** Both texts of a page beside each other, and below them the lines that differ. */
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
    return `${fieldTable(fields)}
<div class="columns compare">
<div class="column"><h2>Main content</h2>${withoutIds(oldHtml)}</div>
<div class="column"><h2>Change request #${this.number}</h2>${withoutIds(newHtml)}</div>
</div>
${lines.length === 0 ? '<p>The text is the same.</p>' : `<h2>Lines that differ</h2>${diffHtml(lines)}`}`;
  }
}

/** An id may stand only once in a document. */
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
