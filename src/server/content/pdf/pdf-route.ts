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
import { appAddress } from '../find-content.ts';
import { linkedContent } from '../links/linked-content.ts';
import type { Outline } from '../pages/outline.ts';
import { type PdfSelection, readToken } from './pdf.ts';
import { latestVersion, outlineWithReferences } from '../../sites/published-outline.ts';
import { withPrepared } from '../../sites/prepared.ts';
import type { PrintedReference } from '../../../site/reference/printed.ts';
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
  const source = await withPrepared(() =>
    instance.store.read(async (db) => {
      const selection = await readToken(db, token, instance.now());
      return selection && readSource(db, instance, selection);
    }),
  );
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
  const { title, author, date, pages, references, content, app, documents } = source;
  const { port1: own, port2: port } = new MessageChannel();
  serveSource(own, {
    text: (page) => instance.store.read((db) => markdownOf(db, getFrom(documents, page))),
    async spec(slug) {
      // Of the version whose pages are printed.
      const kept = source.specs.get(slug);
      if (kept !== undefined) return kept;
      const { organization } = source;
      return (await instance.store.read((db) => latestVersion({ db, organization }, slug)))?.text ?? '';
    },
    file: async (id) => (await instance.store.read((db) => findDownload(db, id)))?.bytes,
  });
  try {
    return await instance.texts.run(
      'layOutPdf',
      { title, author, date, pages, references, content, app, base: instance.base, fonts, source: port, file },
      { caller: `space ${source.space}`, what: `The PDF "${title}"` },
    );
  } finally {
    own.close();
  }
}

type PdfContent = NonNullable<Awaited<ReturnType<typeof readSource>>>;

/**
 * What goes into the PDF, except texts and pictures, which are read one by one.
 *
 * @throws NotPrepared
 */
async function readSource(db: Db, instance: Instance, { revision, page, only }: PdfSelection) {
  const row = await findRevision(db, revision);
  const space = row && (await findSpace(db, row.space));
  if (!space || space.deleted_at !== null) return undefined;
  const snapshot = await snapshotOf(db, revision);
  const { organization } = space;
  const caller = `space ${space.id}`;
  const outline = await outlineWithReferences({ db, instance, organization, caller }, snapshot);
  const rows = selectedPages(outline, page, only);
  const [first] = rows;
  const depthOf = ({ page: id }: PageRow) => outline.pathOf(id).split('/').length;
  const pages = rows.map((each): PdfPage => ({
    id: each.page,
    title: each.title,
    ...(each.description === null ? {} : { description: each.description }),
    depth: first ? depthOf(each) - depthOf(first) : 0,
  }));
  const references = new Map<string, PrintedReference>();
  for (const row of rows) {
    const reference = outline.references.get(row.page);
    if (reference) references.set(row.page, { request: reference.request, path: reference.page.path });
  }
  return {
    space: space.id,
    organization,
    title: page === undefined || !first ? space.title : first.title,
    author: (await findOrganization(db, organization, ''))?.title ?? '',
    date: new Date(row.created_at),
    pages,
    references,
    specs: new Map([...outline.references.values()].map(({ spec: { slug, text } }) => [slug, text])),
    documents: new Map(rows.map((each) => [each.page, each.document])),
    content: await linkedContent(db, outline, await allFiles(db, snapshot)),
    app: appAddress(instance.base, space),
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
