import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import type { PdfFinding } from '../../../content/pdf/findings.ts';
import { findingsHeader, fontsHeader, readFonts, writeFindings } from '../../../content/pdf/headers.ts';
import type { PdfPage } from '../../../content/pdf/pdf.ts';
import { getFrom } from '../../../shared/get-from.ts';
import type { PageRow } from '../../../store/content.ts';
import { markdownOf } from '../../../store/documents.ts';
import { allFiles, findDownload } from '../../../store/files.ts';
import { findOrganization, findSpace } from '../../../store/lookups.ts';
import { findRevision } from '../../../store/revisions.ts';
import { snapshotOf } from '../../../store/snapshots.ts';
import type { Db } from '../../../store/store.ts';
import { disposition } from '../../http/downloads.ts';
import { FileResponse } from '../../http/file-response.ts';
import { DomainError } from '../../engine/errors.ts';
import type { Instance } from '../../engine/instance.ts';
import { type InstanceRequest, type InstanceResponse, newRequestId } from '../../engine/request.ts';
import { appAddress, outlineAt } from '../find-content.ts';
import { linkedContent } from '../links/linked-content.ts';
import type { Outline } from '../pages/outline.ts';
import { type PdfSelection, readToken } from './pdf.ts';
import { findSpecBySlug, findVersion } from '../../../store/openapi.ts';
import { serveSource } from './pdf-source.ts';

/**
 * Answers with the PDF that a signed address selects. What could not be drawn as the pages mean it is in the header
 * `docsctl-pdf-findings`: only this instance sends it.
 */
export async function answerPdf(
  instance: Instance,
  request: InstanceRequest,
  token: string,
): Promise<InstanceResponse> {
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
  const file = join(tmpdir(), `docsctl-${process.pid}-${newRequestId()}.pdf`);
  try {
    const findings = await layOut(instance, source, file, [...fontsOf(request), ...instance.fonts]);
    const { title } = source;
    return new FileResponse(
      {
        'content-type': 'application/pdf',
        'content-disposition': disposition('application/pdf', `${title}.pdf`),
        ...(findings.length > 0 ? { [findingsHeader]: writeFindings(findings) } : {}),
      },
      file,
    );
  } catch (error) {
    rmSync(file, { force: true });
    throw error;
  }
}

/** Files that a caller in this process names; to others, the files of this machine are closed. */
function fontsOf({ as, headers }: InstanceRequest): string[] {
  const paths = headers[fontsHeader];
  return as === undefined || typeof paths !== 'string' ? [] : readFonts(paths);
}

async function layOut(instance: Instance, source: PdfContent, file: string, fonts: string[]): Promise<PdfFinding[]> {
  const { title, author, date, content, app, documents } = source;
  const { port1: own, port2: port } = new MessageChannel();
  serveSource(own, {
    text: (page) => instance.store.read((db) => markdownOf(db, getFrom(documents, page))),
    spec: (slug) => instance.store.read((db) => specText(db, source.organization, slug)),
    file: async (id) => (await instance.store.read((db) => findDownload(db, id)))?.bytes,
  });
  try {
    return await instance.texts.run(
      'layOutPdf',
      { title, author, date, pages: source.pages, content, app, base: instance.base, fonts, source: port, file },
      { caller: `space ${source.space}`, what: `The PDF "${title}"` },
    );
  } finally {
    own.close();
  }
}

async function specText(db: Db, organization: string, slug: string): Promise<string> {
  const spec = await findSpecBySlug(db, organization, slug);
  const version = spec?.last_version ? await findVersion(db, spec.id, spec.last_version) : undefined;
  return version?.text ?? '';
}

type PdfContent = NonNullable<Awaited<ReturnType<typeof readSource>>>;

/** What goes into the PDF, except texts and pictures, which are read one by one. */
async function readSource(db: Db, base: string, { revision, page, only }: PdfSelection) {
  const row = await findRevision(db, revision);
  const space = row && (await findSpace(db, row.space));
  if (!space || space.deleted_at !== null) return undefined;
  const snapshot = await snapshotOf(db, revision);
  const outline = await outlineAt(db, snapshot);
  const rows = selectedPages(outline, page, only);
  const [first] = rows;
  const depthOf = ({ page: id }: PageRow) => outline.pathOf(id).split('/').length;
  const pages = rows.map((each): PdfPage => ({
    id: each.page,
    title: each.title,
    ...(each.description === null ? {} : { description: each.description }),
    depth: first ? depthOf(each) - depthOf(first) : 0,
  }));
  return {
    space: space.id,
    organization: space.organization,
    title: page === undefined || !first ? space.title : first.title,
    author: (await findOrganization(db, space.organization, ''))?.title ?? '',
    date: new Date(row.created_at),
    pages,
    documents: new Map(rows.map((each) => [each.page, each.document])),
    content: await linkedContent(db, outline, await allFiles(db, snapshot)),
    app: appAddress(base, space),
  };
}

const hasText = ({ type }: PageRow) => type === 'document' || type === 'group';

/** What docsctl keeps in a space for itself. */
const isInternal = (path: string) => /^\.?docsctl(?:\/|$)/.test(path);

/** All pages with a text, one page with those under it, or only that page. */
function selectedPages(outline: Outline, page: string | undefined, only: boolean): PageRow[] {
  if (page === undefined) return outline.rows.filter((row) => hasText(row) && !isInternal(outline.pathOf(row.page)));
  const top = outline.find(page);
  if (!top || only) return top ? [top] : [];
  const order = outline.orderOf(page);
  return outline.rows.filter((row) => hasText(row) && outline.orderOf(row.page).startsWith(order));
}
