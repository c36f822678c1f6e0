import { UsageError } from '../../cli/program/failure.ts';
import { existsSync } from 'node:fs';
import type { Invocation, Node } from '../../cli/command/command.ts';
import type { Column } from '../../cli/output/index.ts';
import { changeRequestContent } from '../../contract/change-request-content.ts';
import { content } from '../../contract/content.ts';
import { pull, push } from './docs.ts';
import { app, backlinkColumns, id, linkColumns, linkFailure, title } from '../shared/columns.ts';

const revisionCard: Column[] = [
  { key: 'id', title: 'Revision', kind: 'id' },
  { key: 'type' },
  { key: 'createdAt', title: 'Created', kind: 'date' },
  { key: 'pages', kind: 'number', value: ({ pages }) => count(pages) },
  { key: 'files', kind: 'number', value: ({ files }) => files.length },
  {
    key: 'reusableContents',
    title: 'Reusable contents',
    kind: 'number',
    value: (item) => item.reusableContents.length,
  },
  { key: 'mergedFrom.number', title: 'Merged from #' },
  { key: 'git.message', title: 'Git' },
  { key: 'urls.published', title: 'Published at' },
  app,
];

interface Tree {
  pages?: Tree[];
}
const count = (pages: Tree[] = []): number => pages.reduce((sum, page) => sum + 1 + count(page.pages), 0);

const pageColumns: Column[] = [
  title,
  { key: 'path', optional: true },
  { key: 'type', style: { document: 'dim' }, optional: true },
  { key: 'hidden', kind: 'boolean', value: ({ hidden }) => hidden || undefined, optional: true },
  { key: 'updatedAt', title: 'Updated', kind: 'date', optional: true },
  id,
];
const pageCard: Column[] = [
  title,
  { key: 'emoji' },
  id,
  { key: 'type' },
  { key: 'path' },
  { key: 'description' },
  { key: 'hidden', kind: 'boolean' },
  { key: 'pages', title: 'Pages below', kind: 'number', value: ({ pages }) => count(pages) },
  { key: 'updatedAt', title: 'Updated', kind: 'date' },
  { key: 'href', title: 'Leads to' },
  app,
  { key: 'markdown' },
];

const fileColumns: Column[] = [
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
const fileCard: Column[] = [...fileColumns, { key: 'downloadURL', title: 'Address' }];

/** A file of this machine goes along as an address that holds it. */
async function importBody({ args, flags }: Invocation): Promise<Record<string, unknown>> {
  const given = args.url;
  if (typeof given !== 'string' || /^[a-z]+:/i.test(given)) return {};
  if (!existsSync(given))
    throw new UsageError(
      `<url>: "${given}" is neither an address nor a file.`,
      'Give an http, https or data address, or the path of a file.',
    );
  const { dataAddress } = await import('./import.ts');
  return { url: dataAddress(given, flags.source) };
}

const at = '--space handbook0001';

const nodes: Node[] = [
  push,
  pull,
  {
    use: 'view',
    endpoint: content.view,
    changeRequestEndpoint: changeRequestContent.view,
    help: {
      description:
        'The revision that is current, with how much it holds. -o json has all pages and files, but no texts.',
      examples: [
        { run: `docsctl content view ${at}`, does: 'Main content' },
        { run: `docsctl content view ${at} --cr 1`, does: 'That of a change request' },
      ],
      seeAlso: ['content pages list', 'content files list'],
    },
    output: {
      columns: revisionCard,
    },
  },
  {
    use: 'import <url>',
    endpoint: content.import,
    changeRequestEndpoint: changeRequestContent.import,
    help: {
      description:
        'Pages go to the end, files along with them; what is there stays. A file of this machine can be named too, for markdown, html and zip. Main content must be live; a change request must not be merged or archived.',
      examples: [
        {
          run: `printf '# Winter\\n\\nDrain the pump.\\n' > winter.md; docsctl content import winter.md --source markdown ${at}`,
          does: 'A file of this machine',
        },
        {
          run: `docsctl content import "data:text/html,<h1>Winter</h1>Drain it." --source html ${at} --cr 1`,
          does: 'Into a change request',
        },
        {
          run: `docsctl content import https://lumen.example/manual --source website ${at} --dry-run`,
          does: 'Show the request only',
        },
      ],
      exitStatuses: { 6: 'the content is locked, or what is there could not be read' },
      seeAlso: ['content push', 'content pages list'],
    },
    input: {
      body: importBody,
    },
    output: {
      columns: [
        { key: 'importedResources', title: 'Imported', kind: 'number' },
        { key: 'totalResources', title: 'Found', kind: 'number' },
        { key: 'revision', kind: 'id' },
      ],
      idKey: 'revision',
    },
  },
  {
    name: 'pages',
    summary: 'pages and their links',
    children: [
      {
        use: 'list',
        endpoint: content.pages,
        changeRequestEndpoint: changeRequestContent.pages,
        help: {
          description: 'As a tree in a terminal and in JSON, a line a page elsewhere.',
          examples: [
            { run: `docsctl content pages list ${at} -o table`, does: 'All pages as a tree' },
            { run: `docsctl content pages list ${at} --cr 1`, does: 'Those of a change request' },
            { run: `docsctl content pages list ${at} -o id`, does: 'Ids of all pages' },
          ],
          seeAlso: ['content pages view', 'content pull'],
        },
        output: {
          columns: pageColumns,
          select: ({ pages }) => pages,
          tree: { children: ({ pages }) => pages },
        },
      },
      {
        use: 'view <page>',
        endpoint: content.page,
        changeRequestEndpoint: changeRequestContent.page,
        help: {
          description: 'The text comes along with --format: as Markdown for people, as a tree of blocks for programs.',
          examples: [
            { run: `docsctl content pages view install00001 --format markdown ${at}`, does: 'A page with its text' },
            {
              run: `docsctl content pages view install00001 --format markdown ${at} --jq .markdown`,
              does: 'The text alone',
            },
            { run: `docsctl content pages view firstrun0001 ${at} --cr 1`, does: 'A page of a change request' },
          ],
          seeAlso: ['content pages links', 'content pages list'],
        },
        output: {
          columns: pageColumns,
          card: pageCard,
        },
      },
      {
        use: 'links <page>',
        endpoint: content.pageLinks,
        changeRequestEndpoint: changeRequestContent.pageLinks,
        help: {
          description: 'Where a page links to, and whether it is there. Addresses elsewhere are not visited.',
          examples: [
            { run: `docsctl content pages links welcome00001 ${at}`, does: 'Links of a page' },
            { run: `docsctl content pages links trouble00001 --status broken ${at}`, does: 'Those that lead nowhere' },
          ],
          exitStatuses: { 9: 'there are links that --fail-on names' },
          seeAlso: ['spaces links', 'content files backlinks'],
        },
        output: {
          columns: linkColumns,
          failOn: linkFailure,
        },
      },
    ],
  },
  {
    name: 'files',
    summary: 'files and where they are used',
    children: [
      {
        use: 'list',
        endpoint: content.files,
        changeRequestEndpoint: changeRequestContent.files,
        help: {
          description: 'Sorted by name. Sizes are in bytes.',
          examples: [
            { run: `docsctl content files list ${at}`, does: 'All files' },
            {
              run: `docsctl content files list ${at} --columns name,downloadURL`,
              does: 'Where they can be downloaded',
            },
          ],
          seeAlso: ['content files backlinks'],
        },
        output: {
          columns: fileColumns,
        },
      },
      {
        use: 'view <file>',
        endpoint: content.file,
        changeRequestEndpoint: changeRequestContent.file,
        help: {
          description: 'Its address needs no token: whoever has it can download the file.',
          examples: [
            { run: `docsctl content files view pumpphoto001 ${at}`, does: 'One file' },
            { run: `docsctl content files view pumpphoto001 ${at} --jq .downloadURL`, does: 'Its address alone' },
          ],
          seeAlso: ['content files backlinks'],
        },
        output: {
          columns: fileColumns,
          card: fileCard,
        },
      },
      {
        use: 'backlinks <file>',
        endpoint: content.fileBacklinks,
        changeRequestEndpoint: changeRequestContent.fileBacklinks,
        help: {
          description: 'Pages that show or link to the file, in the order of the pages.',
          examples: [
            { run: `docsctl content files backlinks pumpphoto001 ${at}`, does: 'Where a picture is used' },
            { run: `docsctl content files backlinks pumpphoto001 ${at} -o id`, does: 'Ids of the pages alone' },
          ],
          seeAlso: ['content pages links'],
        },
        output: {
          columns: backlinkColumns,
          idKey: 'page.id',
        },
      },
    ],
  },
];
export default nodes;
