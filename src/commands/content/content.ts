import { existsSync } from 'node:fs';
import type { Node } from '../../cli/command/command.ts';
import { command } from '../../cli/command/define.ts';
import type { Column } from '../../cli/output/index.ts';
import { UsageError, exit } from '../../cli/program/failure.ts';
import { changeRequestContent } from '../../contract/change-request-content.ts';
import { content } from '../../contract/content.ts';
import type { AnswerOf, ItemOf } from '../../contract/endpoint.ts';
import { valueAt } from '../../shared/value-at.ts';
import { isOwnFile } from '../../content/folder/file-names.ts';
import { pdfFlags } from '../shared/pdf-findings.ts';
import { app, backlinkColumns, id, linkColumns, linkFailure, title } from '../shared/columns.ts';
import { check } from './check.ts';
import { importFlags, type ImportInvocation } from './import-flags.ts';
import { report } from './report.ts';
import { pull, push, status } from './sync-commands.ts';

const revisionCard: Column<AnswerOf<typeof content.view>>[] = [
  { key: 'id', title: 'Revision', kind: 'id' },
  { key: 'type' },
  { key: 'createdAt', title: 'Created', kind: 'date' },
  { key: 'pages', kind: 'number', value: ({ pages }) => count(pages) },
  { key: 'files', kind: 'number', value: ({ files }) => files.filter((file) => !isOwnFile(file.name)).length },
  {
    key: 'reusableContents',
    title: 'Reusable contents',
    kind: 'number',
    value: ({ reusableContents }) => reusableContents.length,
  },
  { key: 'mergedFrom.number', title: 'Merged from #' },
  { key: 'git.message', title: 'Git' },
  { key: 'urls.published', title: 'Published at' },
  app,
];

type Page = AnswerOf<typeof content.page>;

const pagesBelow = (page: Page): Page[] => ('pages' in page ? page.pages : []);
const count = (pages: readonly Page[]): number => pages.reduce((sum, page) => sum + 1 + count(pagesBelow(page)), 0);

const pageColumns: Column<Page>[] = [
  title,
  { key: 'path', optional: true },
  { key: 'type', style: { document: 'dim' }, optional: true },
  {
    key: 'hidden',
    kind: 'boolean',
    value: (page) => ('hidden' in page && page.hidden) || undefined,
    optional: true,
  },
  { key: 'updatedAt', title: 'Updated', kind: 'date', optional: true },
  id,
];
const pageCard: Column<Page>[] = [
  title,
  { key: 'emoji' },
  id,
  { key: 'type' },
  { key: 'path' },
  { key: 'description' },
  { key: 'hidden', kind: 'boolean' },
  { key: 'pages', title: 'Pages below', kind: 'number', value: (page) => count(pagesBelow(page)) },
  { key: 'updatedAt', title: 'Updated', kind: 'date' },
  { key: 'href', title: 'Leads to' },
  app,
  { key: 'markdown' },
];

type File = ItemOf<typeof content.files>;

const fileColumns: Column<File>[] = [
  { key: 'name' },
  { key: 'contentType', title: 'Type', optional: true },
  { key: 'size', kind: 'number' },
  {
    key: 'dimensions',
    value: ({ dimensions }) => dimensions && `${dimensions.width} x ${dimensions.height}`,
    optional: true,
  },
  id,
];
const fileCard: Column<File>[] = [...fileColumns, { key: 'downloadURL', title: 'Address' }];

/** A local file or folder is sent as a zip archive of its Markdown. */
async function importBody(invocation: ImportInvocation): Promise<{ url?: string; source?: 'zip' }> {
  const { url } = invocation.args;
  if (url === undefined || /^[a-z]{2,}:/i.test(url)) return {};
  if (!existsSync(url)) {
    throw new UsageError(
      `<url>: "${url}" is neither an address nor a file or folder.`,
      'Give an http, https or data address, or the path of a file or folder.',
    );
  }
  const { dataAddress } = await import('./import.ts');
  return { url: await dataAddress(invocation, url), source: 'zip' };
}

const inSpace = '--space handbook0001';

const nodes: Node[] = [
  push,
  pull,
  status,
  check,
  report,
  command({
    use: 'view',
    endpoint: content.view,
    changeRequestEndpoint: changeRequestContent.view,
    description:
      'Prints the current revision and its number of pages and files. With -o json, lists the pages and files, without their text.',
    examples: {
      'View the main content': `docsctl content view ${inSpace}`,
      'View a change request': `docsctl content view ${inSpace} --cr 1`,
    },
    seeAlso: ['content pages list', 'content files list'],
    output: { columns: revisionCard },
  }),
  command({
    use: 'pdf [page]',
    changes: ['files'],
    prints: 'nothing',
    summary: 'Write the pages of a space or change request to a PDF.',
    description:
      'Draws all pages, or one page with its subpages, on this machine. A page is an ID, path or title. Missing fonts and content that cannot be shown are reported as warnings.',
    examples: {
      'Print the main content': `docsctl content pdf --out manual.pdf ${inSpace}`,
      'Print a page without its subpages': `docsctl content pdf install00001 --only --out install.pdf ${inSpace}`,
    },
    exitStatuses: {
      [exit.notFound]: 'no such space, change request or page',
      [exit.checkFailed]: 'with --fail-on warning: the PDF was written, but does not show everything',
    },
    docs: 'docs/docs-as-code.md',
    seeAlso: ['cr pdf', 'content pages list'],
    flags: [
      { flags: '--cr <request>', description: 'print this change request (ID or number)' },
      { flags: '--only', description: 'leave out the subpages of the page' },
      ...pdfFlags,
    ],
    input: { context: ['org', 'space'] },
    run: async (invocation) => (await import('./pdf.ts')).contentPdf(invocation),
  }),
  command({
    use: 'import <url>',
    endpoint: content.import,
    changeRequestEndpoint: changeRequestContent.import,
    description:
      'Adds the pages and files after the existing pages. The address may be a local file or folder: Markdown, HTML, Word (docx), or an export of Notion, Confluence, Google Docs or a GitHub wiki, also as a zip. Main content must be live; a change request must not be merged or archived. --replace updates the pages of an earlier import of the same address. Importing a website takes minutes, so the default --timeout is 900 s.',
    examples: {
      'Import a local file': `printf '# Winter\\n\\nDrain the pump.\\n' > winter.md; docsctl content import winter.md ${inSpace}`,
      'Import into a change request': `docsctl content import "data:text/html,<h1>Winter</h1>Drain it." --source html ${inSpace} --cr 1`,
      'Preview the request': `docsctl content import https://lumen.example/manual --source website ${inSpace} --dry-run`,
    },
    exitStatuses: {
      6: 'the content is locked, the source cannot be read, or --replace would overwrite changes',
      8: 'some pages or files were not imported',
      7: 'timed out; a service other than a local instance may continue',
    },
    docs: 'docs/docs-as-code.md',
    seeAlso: ['content push', 'content pages list'],
    flags: importFlags,
    input: { body: importBody },
    writesFilesWith: [],
    run: async (invocation) => (await import('./import.ts')).runImport(invocation),
    output: {
      columns: [
        { key: 'importedResources', title: 'Imported', kind: 'number' },
        { key: 'totalResources', title: 'Found', kind: 'number' },
        { key: 'revision', kind: 'id' },
      ],
      idKey: 'revision',
    },
  }),
  {
    name: 'pages',
    summary: 'pages and their links',
    children: [
      command({
        use: 'list',
        endpoint: content.pages,
        changeRequestEndpoint: changeRequestContent.pages,
        description: 'Prints a tree in a terminal and in JSON, and one line per page in other formats.',
        examples: {
          'List all pages as a tree': `docsctl content pages list ${inSpace} -o table`,
          'List the pages of a change request': `docsctl content pages list ${inSpace} --cr 1`,
          'Print page IDs only': `docsctl content pages list ${inSpace} -o id`,
        },
        seeAlso: ['content pages view', 'content pull'],
        output: {
          columns: pageColumns,
          list: true,
          member: 'pages',
          tree: { children: pagesBelow },
        },
      }),
      command({
        use: 'view <page>',
        endpoint: content.page,
        changeRequestEndpoint: changeRequestContent.page,
        description: 'Use --format to include the text, as Markdown or as a tree of blocks.',
        examples: {
          'View a page with its text': `docsctl content pages view install00001 --format markdown ${inSpace}`,
          'Print the text only': `docsctl content pages view install00001 --format markdown ${inSpace} --jq .markdown`,
          'View a page of a change request': `docsctl content pages view firstrun0001 ${inSpace} --cr 1`,
        },
        seeAlso: ['content pages links', 'content pages list'],
        output: { columns: pageColumns, card: pageCard },
      }),
      command({
        use: 'links <page>',
        endpoint: content.pageLinks,
        changeRequestEndpoint: changeRequestContent.pageLinks,
        description: "Lists the targets of a page's links and whether they exist. External websites are not checked.",
        examples: {
          'List the links of a page': `docsctl content pages links welcome00001 ${inSpace}`,
          'List broken links': `docsctl content pages links trouble00001 --status broken ${inSpace}`,
        },
        exitStatuses: { 9: 'a link has a status given to --fail-on' },
        seeAlso: ['spaces links', 'content files backlinks'],
        output: { columns: linkColumns, failOn: linkFailure },
      }),
    ],
  },
  {
    name: 'files',
    summary: 'files and where they are used',
    children: [
      command({
        use: 'list',
        endpoint: content.files,
        changeRequestEndpoint: changeRequestContent.files,
        description:
          'Sorted by name, with sizes in bytes. Files that docsctl stores in a space for its own use (.docsctl/) are hidden.',
        examples: {
          'List all files': `docsctl content files list ${inSpace}`,
          'List download addresses': `docsctl content files list ${inSpace} --columns name,downloadURL`,
        },
        seeAlso: ['content files backlinks'],
        output: { columns: fileColumns, hides: (file) => isOwnFile(String(valueAt(file, 'name'))) },
      }),
      command({
        use: 'view <file>',
        endpoint: content.file,
        changeRequestEndpoint: changeRequestContent.file,
        description: 'The download address works without a token, for everyone who has it.',
        examples: {
          'View a file': `docsctl content files view pumpphoto001 ${inSpace}`,
          'Print its address only': `docsctl content files view pumpphoto001 ${inSpace} --jq .downloadURL`,
        },
        seeAlso: ['content files backlinks'],
        output: { columns: fileColumns, card: fileCard },
      }),
      command({
        use: 'backlinks <file>',
        endpoint: content.fileBacklinks,
        changeRequestEndpoint: changeRequestContent.fileBacklinks,
        description: 'Lists the pages that show the file or link to it, in page order.',
        examples: {
          'Find out where an image is used': `docsctl content files backlinks pumpphoto001 ${inSpace}`,
          'Print page IDs only': `docsctl content files backlinks pumpphoto001 ${inSpace} -o id`,
        },
        seeAlso: ['content pages links'],
        output: { columns: backlinkColumns, idKey: 'page.id' },
      }),
    ],
  },
];
export default nodes;
