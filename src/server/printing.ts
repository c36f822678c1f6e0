import { renderPdf } from '../content/pdf.ts';
import type { PageRow } from '../store/content.ts';
import { markdownOf } from '../store/documents.ts';
import { allFiles, findDownload } from '../store/files.ts';
import { findSpace } from '../store/lookups.ts';
import { findRevision } from '../store/revisions.ts';
import { snapshotOf } from '../store/snapshots.ts';
import type { Db } from '../store/store.ts';
import { disposition } from './downloads.ts';
import { DomainError } from './faults.ts';
import type { Instance } from './instance.ts';
import { LocalLinks } from './links.ts';
import type { Outline } from './outline.ts';
import { pageAddress } from './pages.ts';
import { type Printed, readAddress } from './pdf.ts';
import { isSound } from './pictures.ts';
import { appOf, outlineAt } from './reading.ts';
import type { InstanceResponse } from './request.ts';

/** Lays out the PDF that a signed address stands for. */
export async function print(instance: Instance, match: RegExpExecArray): Promise<InstanceResponse> {
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
  const { title, pages, date, local, outline, app } = printed;
  const ids = new Set(pages.map((page) => page.id));
  const body = await renderPdf(pages, {
    title,
    date,
    resolve(url, page) {
      const found = local.resolve(url, page);
      if (found.kind === 'anchor') return { page, anchor: found.anchor };
      return found.kind === 'page' && ids.has(found.page) ? found : undefined;
    },
    address(url, page) {
      const found = local.resolve(url, page);
      if (found.kind === 'external') return url;
      if (found.kind === 'page') return pageAddress(app, outline.pathOf(found.page));
      return found.kind === 'file' ? `${instance.base}/files/${found.file}` : undefined;
    },
    async image(url, page) {
      const found = local.resolve(url, page);
      if (found.kind !== 'file') return undefined;
      const file = await instance.store.read((db) => findDownload(db, found.file));
      return file && isSound(file.bytes) ? file.bytes : undefined;
    },
  });
  return {
    status: 200,
    headers: {
      'content-type': 'application/pdf',
      'content-disposition': disposition('application/pdf', `${title}.pdf`),
    },
    body,
  };
}

/** What goes into the PDF, read at once; pictures are read when they are drawn. */
async function gather(db: Db, base: string, { revision, page, only }: Printed) {
  const row = await findRevision(db, revision);
  const space = row && (await findSpace(db, row.space));
  if (!space || space.deleted_at !== null) return undefined;
  const at = await snapshotOf(db, revision);
  const outline = await outlineAt(db, at);
  const rows = chosen(outline, page, only);
  const pages = [];
  for (const each of rows) {
    pages.push({
      id: each.page,
      title: each.title,
      ...(each.description === null ? {} : { description: each.description }),
      depth: outline.pathOf(each.page).split('/').length - outline.pathOf(rows[0]!.page).split('/').length,
      markdown: await markdownOf(db, each.document),
    });
  }
  return {
    title: page === undefined ? space.title : rows[0]!.title,
    date: new Date(row.created_at),
    pages,
    outline,
    local: new LocalLinks(outline, await allFiles(db, at)),
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
