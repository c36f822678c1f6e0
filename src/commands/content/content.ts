import { existsSync } from 'node:fs';
import type { Node } from '../../cli/command/command.ts';
import { command } from '../../cli/command/define.ts';
import type { Column } from '../../cli/output/index.ts';
import { UsageError } from '../../cli/program/failure.ts';
import { changeRequestContent } from '../../contract/change-request-content.ts';
import { content } from '../../contract/content.ts';
import type { AnswerOf, ItemOf } from '../../contract/endpoint.ts';
import { valueAt } from '../../shared/value-at.ts';
import { isOwnFile } from '../../content/folder/file-names.ts';
import { app, backlinkColumns, id, linkColumns, linkFailure, title } from '../shared/columns.ts';
import { check } from './check.ts';
import { importFlags } from './import-flags.ts';
import { pull, push } from './sync-commands.ts';

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

/** A local file is sent as a `data:` address. */
async function importBody({
  args: { url },
  flags: { source },
}: {
  args: { url?: string | undefined };
  flags: { source?: string | undefined };
}): Promise<{ url?: string }> {
  if (url === undefined || /^[a-z]+:/i.test(url)) return {};
  if (!existsSync(url)) {
    throw new UsageError(
      `<url>: "${url}" is neither an address nor a file.`,
      'Give an http, https or data address, or the path of a file.',
    );
  }
  const { dataAddress } = await import('./import.ts');
  return { url: dataAddress(url, source) };
}

const inSpace = '--space handbook0001';

const nodes: Node[] = [
  push,
  pull,
  check,
  command({
    use: 'view',
    endpoint: content.view,
    changeRequestEndpoint: changeRequestContent.view,
    help: {
      description:
        'The current revision, with the number of its pages and files. -o json has all pages and files, but no texts.',
      examples: [
        { run: `docsctl content view ${inSpace}`, does: 'Main content' },
        { run: `docsctl content view ${inSpace} --cr 1`, does: 'That of a change request' },
      ],
      seeAlso: ['content pages list', 'content files list'],
    },
    output: {
      columns: revisionCard,
    },
  }),
  command({
    use: 'import <url>',
    endpoint: content.import,
    changeRequestEndpoint: changeRequestContent.import,
    help: {
      description:
        'The pages are added at the end, with their files; existing pages are kept. A local file can be imported too, as markdown, html or zip. Main content must be live; a change request must not be merged or archived. A website takes minutes: --timeout is 900 s here by default. A local instance tells how it goes on, stops when the command is interrupted, and then has imported nothing. With --replace it keeps the ids and addresses of pages that it imported before, and pages that were changed in the space only; pages that are gone at the address are deleted. Pages that were changed on both sides are named, and nothing is imported without --overwrite.',
      examples: [
        {
          run: `printf '# Winter\\n\\nDrain the pump.\\n' > winter.md; docsctl content import winter.md --source markdown ${inSpace}`,
          does: 'A local file',
        },
        {
          run: `docsctl content import "data:text/html,<h1>Winter</h1>Drain it." --source html ${inSpace} --cr 1`,
          does: 'Into a change request',
        },
        {
          run: `docsctl content import https://lumen.example/manual --source website ${inSpace} --dry-run`,
          does: 'Show the request only',
        },
      ],
      exitStatuses: {
        6: 'the content is locked, the source could not be read, or --replace would undo changes',
        7: 'it was not done in time: a service other than a local instance may still go on',
      },
      seeAlso: ['content push', 'content pages list'],
    },
    input: {
      flags: importFlags,
      body: importBody,
    },
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
        help: {
          description: 'A tree in a terminal and in JSON; one line for each page in other formats.',
          examples: [
            { run: `docsctl content pages list ${inSpace} -o table`, does: 'All pages as a tree' },
            { run: `docsctl content pages list ${inSpace} --cr 1`, does: 'Those of a change request' },
            { run: `docsctl content pages list ${inSpace} -o id`, does: 'Ids of all pages' },
          ],
          seeAlso: ['content pages view', 'content pull'],
        },
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
        help: {
          description: '--format adds the text: as Markdown, or as a tree of blocks for programs.',
          examples: [
            {
              run: `docsctl content pages view install00001 --format markdown ${inSpace}`,
              does: 'A page with its text',
            },
            {
              run: `docsctl content pages view install00001 --format markdown ${inSpace} --jq .markdown`,
              does: 'The text alone',
            },
            { run: `docsctl content pages view firstrun0001 ${inSpace} --cr 1`, does: 'A page of a change request' },
          ],
          seeAlso: ['content pages links', 'content pages list'],
        },
        output: {
          columns: pageColumns,
          card: pageCard,
        },
      }),
      command({
        use: 'links <page>',
        endpoint: content.pageLinks,
        changeRequestEndpoint: changeRequestContent.pageLinks,
        help: {
          description: 'Where a page links to, and whether the target exists. Other web sites are not checked.',
          examples: [
            { run: `docsctl content pages links welcome00001 ${inSpace}`, does: 'Links of a page' },
            {
              run: `docsctl content pages links trouble00001 --status broken ${inSpace}`,
              does: 'Those whose target does not exist',
            },
          ],
          exitStatuses: { 9: 'there are links that --fail-on names' },
          seeAlso: ['spaces links', 'content files backlinks'],
        },
        output: {
          columns: linkColumns,
          failOn: linkFailure,
        },
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
        help: {
          description:
            'Sorted by name. Sizes are in bytes. What docsctl keeps in a space for itself (.docsctl/) is left out.',
          examples: [
            { run: `docsctl content files list ${inSpace}`, does: 'All files' },
            {
              run: `docsctl content files list ${inSpace} --columns name,downloadURL`,
              does: 'Where they can be downloaded',
            },
          ],
          seeAlso: ['content files backlinks'],
        },
        output: {
          columns: fileColumns,
          hides: (file) => isOwnFile(String(valueAt(file, 'name'))),
        },
      }),
      command({
        use: 'view <file>',
        endpoint: content.file,
        changeRequestEndpoint: changeRequestContent.file,
        help: {
          description: 'Its address needs no token: everybody who has the address can download the file.',
          examples: [
            { run: `docsctl content files view pumpphoto001 ${inSpace}`, does: 'One file' },
            { run: `docsctl content files view pumpphoto001 ${inSpace} --jq .downloadURL`, does: 'Its address alone' },
          ],
          seeAlso: ['content files backlinks'],
        },
        output: {
          columns: fileColumns,
          card: fileCard,
        },
      }),
      command({
        use: 'backlinks <file>',
        endpoint: content.fileBacklinks,
        changeRequestEndpoint: changeRequestContent.fileBacklinks,
        help: {
          description: 'Pages that show the file or link to it, in the order of the pages.',
          examples: [
            { run: `docsctl content files backlinks pumpphoto001 ${inSpace}`, does: 'Where a picture is used' },
            { run: `docsctl content files backlinks pumpphoto001 ${inSpace} -o id`, does: 'Ids of the pages alone' },
          ],
          seeAlso: ['content pages links'],
        },
        output: {
          columns: backlinkColumns,
          idKey: 'page.id',
        },
      }),
    ],
  },
];
export default nodes;
