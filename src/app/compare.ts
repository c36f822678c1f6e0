import { comparePages, type PageDifference } from '../change-requests/compare-content.ts';
import { compareHtml } from '../content/html/compare-html.ts';
import { html, type Html, raw } from '../site/html.ts';
import type { Opened } from './contents.ts';
import { NoPage } from './visit.ts';

/** Pages are shown with their changes up to this many characters of HTML; the others are linked. */
const maxShown = 28_000;
const maxLinked = 200;
const maxFiles = 100;

interface Changed {
  pages: Html;
  files: Html;
}

/** The pages that differ, with inserted and deleted words, and the files. */
export async function changedPages(
  opened: Opened,
  belowPage: (pageId: string) => Html | undefined = () => undefined,
): Promise<Changed> {
  const { content, changes } = opened;
  if (!changes) return { pages: html``, files: html`` };
  const differences = comparePages(changes.before.placed, content.placed);
  const shown: Html[] = [];
  const linked: Html[] = [];
  let length = 0;
  for (const difference of differences) {
    const text = length < maxShown ? await wordChanges(opened, difference) : undefined;
    const isShown = text !== undefined && length + text.text.length <= maxShown;
    if (isShown) length += text.text.length;
    const head = html`${changeState(difference)} ${pageLink(opened, difference)}`;
    const below = belowPage(difference.id);
    if (isShown || below)
      shown.push(
        html`<section class="app-change">
          <h3>${head}</h3>
          ${isShown ? text : html`<p>Open the page to see its changes.</p>`} ${below}
        </section>`,
      );
    else if (linked.length < maxLinked) linked.push(html`<li>${head}</li>`);
  }
  const left = differences.length - shown.length - linked.length;
  const pages =
    differences.length === 0
      ? html`<p>No pages changed.</p>`
      : html`${shown}${
          linked.length > 0 &&
          html`<ul class="app-rows">
            ${linked}
          </ul>`
        }${left > 0 && html`<p>${left} more pages changed.</p>`}`;
  return { pages, files: changedFiles(opened) };
}

const stateClasses = { added: 'app-good', changed: 'app-warning', moved: 'app-warning', deleted: 'app-bad' } as const;

export const changeState = ({ change }: Pick<PageDifference, 'change'>): Html =>
  html`<span class="app-state ${stateClasses[change]}">${change}</span>`;

function pageLink({ content }: Opened, { before, after }: PageDifference): Html {
  const page = (after ?? before)?.page;
  if (page?.type !== 'document') return html`${page?.title ?? ''}`;
  return html`<a href="${content.hrefOf(page)}">${page.title}</a>`;
}

/** The text of a page with inserted and deleted words, and the fields that changed. */
async function wordChanges({ content, changes }: Opened, difference: PageDifference): Promise<Html> {
  const [old, now] = [difference.before?.page, difference.after?.page];
  const [before, after] = await Promise.all([
    old?.type === 'document' ? changes?.before.render(old) : undefined,
    now?.type === 'document' ? content.render(now) : undefined,
  ]);
  const { html: text, changes: count } = compareHtml(before?.html ?? '', after?.html ?? '');
  const fields = difference.fields.map(({ field }) => field).filter((field) => field !== 'parent');
  return html`${fields.length > 0 && html`<p class="app-facts">Changed: ${fields.join(', ')}</p>`}${count > 0 && html`<div class="compare-text flow">${raw(withoutIds(text))}</div>`}`;
}

/** Several pages are in one document. */
const withoutIds = (text: string): string => text.replaceAll(/<[^<>]*>/g, (tag) => tag.replace(/ id="[^"]*"/, ''));

/** One page with its changes, and both texts side by side. @throws NoPage if it is in neither content */
export async function pageChanges({ content, changes }: Opened, pageId: string): Promise<Html> {
  if (!changes || !(changes.before.placed.has(pageId) || content.placed.has(pageId))) throw new NoPage();
  return raw(await changes.compare(pageId));
}

function changedFiles({ content, changes }: Opened): Html {
  const [before, after] = [changes?.before, content].map(
    (side) => new Map(side?.side.revision.files.map((file) => [file.id, file])),
  );
  const added = [...(after ?? [])].filter(([id]) => !before?.has(id));
  const removed = [...(before ?? [])].filter(([id]) => !after?.has(id));
  const rows = [
    ...added.map(
      ([, { name, size }]) =>
        html`<li>
          <span class="app-state app-good">added</span> ${name} <span class="app-facts">${sizeOf(size)}</span>
        </li>`,
    ),
    ...removed.map(([, { name }]) => html`<li><span class="app-state app-bad">deleted</span> ${name}</li>`),
  ];
  if (rows.length === 0) return html``;
  const more = rows.length - maxFiles;
  return html`<h2>Files</h2>
    <ul class="app-rows app-tight">
      ${rows.slice(0, maxFiles)}
    </ul>
    ${more > 0 && html`<p>${more} more files changed.</p>`}`;
}

const sizeOf = (bytes: number): string => (bytes < 1024 ? `${bytes} B` : `${Math.round(bytes / 1024)} KB`);
