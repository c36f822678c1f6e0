import type { PdfPage } from '../../../content/pdf/pdf.ts';
import type { PageRow } from '../../../store/content.ts';
import { markdownOf } from '../../../store/documents.ts';
import { allFiles, findDownload } from '../../../store/files.ts';
import { findSpace } from '../../../store/lookups.ts';
import { findRevision } from '../../../store/revisions.ts';
import { snapshotOf } from '../../../store/snapshots.ts';
import type { Db } from '../../../store/store.ts';
import { disposition } from '../../http/downloads.ts';
import { DomainError } from '../../engine/errors.ts';
import type { Instance } from '../../engine/instance.ts';
import { linkedContent } from '../links/resolver.ts';
import type { Outline } from '../pages/outline.ts';
import { type PdfSelection, readToken } from './pdf.ts';
import { appAddress, outlineAt } from '../find-content.ts';
import type { InstanceResponse } from '../../engine/request.ts';

/** Answers with the PDF that a signed address selects. */
export async function answerPdf(instance: Instance, token: string): Promise<InstanceResponse> {
  const source = await instance.store.read(async (db) => {
    const selection = await readToken(db, token, instance.now());
    return selection && readSource(db, instance.base, selection);
  });
  if (!source) {
    throw new DomainError(
      'not-found',
      'PDF not found, or its address has expired: an address works for one hour. Request a new one.',
    );
  }
  const { title, date, pages, content, app } = source;
  const label = { caller: `space ${source.space}`, what: `The PDF "${title}"` };
  const files = await instance.texts.run('pdfImages', { pages, content }, label);
  const images = await readImages(instance, source, files);
  const body = await instance.texts.run(
    'layOutPdf',
    { title, date, pages, content, app, base: instance.base, images },
    label,
  );
  return {
    status: 200,
    headers: {
      'content-type': 'application/pdf',
      'content-disposition': disposition('application/pdf', `${title}.pdf`),
    },
    body,
  };
}

/** For all pictures of one PDF: they are in memory at the same time. */
const maxImageBytes = 100_000_000;

async function readImages(instance: Instance, { title, sizes }: PdfSource, files: string[]) {
  const bytes = files.reduce((sum, id) => sum + (sizes.get(id) ?? 0), 0);
  if (bytes > maxImageBytes) {
    throw new DomainError(
      'too-complex',
      `The pictures of the PDF "${title}" have more than ${maxImageBytes / 1_000_000} MB. Request single pages instead.`,
    );
  }
  const images = new Map<string, Uint8Array>();
  for (const id of files) {
    const file = await instance.store.read((db) => findDownload(db, id));
    if (file) images.set(id, file.bytes);
  }
  return images;
}

type PdfSource = NonNullable<Awaited<ReturnType<typeof readSource>>>;

/** What goes into the PDF, except pictures: only its pages say which are needed. */
async function readSource(db: Db, base: string, { revision, page, only }: PdfSelection) {
  const row = await findRevision(db, revision);
  const space = row && (await findSpace(db, row.space));
  if (!space || space.deleted_at !== null) return undefined;
  const snapshot = await snapshotOf(db, revision);
  const outline = await outlineAt(db, snapshot);
  const rows = selectedPages(outline, page, only);
  const [first] = rows;
  const depthOf = ({ page: id }: PageRow) => outline.pathOf(id).split('/').length;
  const pages: PdfPage[] = [];
  for (const pageRow of rows) {
    pages.push({
      id: pageRow.page,
      title: pageRow.title,
      description: pageRow.description ?? undefined,
      depth: first ? depthOf(pageRow) - depthOf(first) : 0,
      markdown: await markdownOf(db, pageRow.document),
    });
  }
  const files = await allFiles(db, snapshot);
  return {
    space: space.id,
    title: page === undefined || !first ? space.title : first.title,
    date: new Date(row.created_at),
    pages,
    content: linkedContent(outline, files),
    sizes: new Map(files.map(({ file, size }) => [file, size])),
    app: appAddress(base, space),
  };
}

const hasText = ({ type }: PageRow) => type === 'document' || type === 'group';

/** All pages with a text, one page with those under it, or only that page. */
function selectedPages(outline: Outline, page: string | undefined, only: boolean): PageRow[] {
  if (page === undefined) return outline.rows.filter(hasText);
  const top = outline.find(page);
  if (!top || only) return top ? [top] : [];
  const order = outline.orderOf(page);
  return outline.rows.filter((row) => hasText(row) && outline.orderOf(row.page).startsWith(order));
}
