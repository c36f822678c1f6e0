import type { PdfPage } from '../../content/pdf/pdf.ts';
import type { PageRow } from '../../store/content.ts';
import { markdownOf } from '../../store/documents.ts';
import { allFiles, findDownload } from '../../store/files.ts';
import { findSpace } from '../../store/lookups.ts';
import { findRevision } from '../../store/revisions.ts';
import { snapshotOf } from '../../store/snapshots.ts';
import type { Db } from '../../store/store.ts';
import { disposition } from '../http/downloads.ts';
import { DomainError } from '../engine/errors.ts';
import type { Instance } from '../engine/instance.ts';
import { linkedContent } from './links.ts';
import type { Outline } from './outline.ts';
import { type Printed, readAddress } from './pdf.ts';
import { appOf, outlineAt } from './find-content.ts';
import type { InstanceResponse } from '../engine/request.ts';

/** Lays out the PDF that a signed address stands for. */
export async function answerPdf(instance: Instance, match: RegExpExecArray): Promise<InstanceResponse> {
  const printed = await instance.store.read(async (db) => {
    const asked = await readAddress(db, match.groups!.token!, instance.now());
    return asked && gather(db, instance.base, asked);
  });
  if (!printed) {
    throw new DomainError(
      'not-found',
      'There is no PDF at this address, or not any more: such addresses are good for one hour. Ask for another one.',
    );
  }
  const { title, date, pages, content, app } = printed;
  const asked = { caller: `space ${printed.space}`, what: `The PDF "${title}"` };
  const files = await instance.texts.run('pdfImages', { pages, content }, asked);
  const images = await readImages(instance, printed, files);
  const body = await instance.texts.run(
    'layOutPdf',
    { title, date, pages, content, app, base: instance.base, images },
    asked,
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

/** All pictures of one PDF: they are in memory together. */
const maxImageBytes = 100_000_000;

async function readImages(instance: Instance, { title, sizes }: Gathered, files: string[]) {
  const bytes = files.reduce((sum, id) => sum + (sizes.get(id) ?? 0), 0);
  if (bytes > maxImageBytes) {
    throw new DomainError(
      'too-complex',
      `The pictures of the PDF "${title}" have more than ${maxImageBytes / 1_000_000} MB. Ask for single pages.`,
    );
  }
  const images = new Map<string, Uint8Array>();
  for (const id of files) {
    const file = await instance.store.read((db) => findDownload(db, id));
    if (file) images.set(id, file.bytes);
  }
  return images;
}

type Gathered = NonNullable<Awaited<ReturnType<typeof gather>>>;

/** What goes into the PDF, read at once; pictures are read when it is known which. */
async function gather(db: Db, base: string, { revision, page, only }: Printed) {
  const row = await findRevision(db, revision);
  const space = row && (await findSpace(db, row.space));
  if (!space || space.deleted_at !== null) return undefined;
  const at = await snapshotOf(db, revision);
  const outline = await outlineAt(db, at);
  const rows = chosen(outline, page, only);
  const pages: PdfPage[] = [];
  for (const each of rows) {
    pages.push({
      id: each.page,
      title: each.title,
      ...(each.description === null ? {} : { description: each.description }),
      depth: outline.pathOf(each.page).split('/').length - outline.pathOf(rows[0]!.page).split('/').length,
      markdown: await markdownOf(db, each.document),
    });
  }
  const files = await allFiles(db, at);
  return {
    space: space.id,
    title: page === undefined ? space.title : rows[0]!.title,
    date: new Date(row.created_at),
    pages,
    content: linkedContent(outline, files),
    sizes: new Map(files.map(({ file, size }) => [file, size])),
    app: appOf(base, space),
  };
}

/** All pages with a text of their own, those from one page down, or that one. */
function chosen(outline: Outline, page: string | undefined, only: boolean): PageRow[] {
  if (page === undefined) return outline.rows.filter((row) => row.type === 'document' || row.type === 'group');
  const top = outline.find(page);
  if (!top || only) return top ? [top] : [];
  const within = outline.orderOf(page);
  return outline.rows.filter(
    (row) => (row.type === 'document' || row.type === 'group') && outline.orderOf(row.page).startsWith(within),
  );
}
