import * as z from 'zod/mini';
import { text } from './common.ts';
import { endpoints } from './endpoint.ts';
import { Backlink, linkStats, linkStatuses, LinkItem } from './links.ts';
import { File } from './pages.ts';
import { routesUnder } from './path.ts';
import { reads } from './revisions.ts';
import { about, addressPart, reference, webAddress } from './schema.ts';
import { Space } from './spaces.ts';
import { knownWords } from '../shared/words.ts';

export const importSources = knownWords('website docx markdown html zip confluence github-wiki notion google-docs');

/** Largest file in Base64 that a change may contain, in bytes. */
export const maxInlineBytes = 1_000_000;

/** Their text may have line breaks and padding. */
const maxBase64 = 1_400_000;

/** Largest number of changes in one call. */
export const maxChanges = 50;

/** Of an address to import from: it may contain the document. */
const maxAddress = 10 * 1024 * 1024;

const importAddress = () =>
  z.string().check(
    z.meta({
      format: 'uri',
      maxLength: maxAddress,
      description: 'Address to read from: http or https, or data: for all sources except website and docx.',
    }),
    z.refine((value) => /^(?:https?:\/\/[^\s/]|data:)/i.test(value) && URL.canParse(value), {
      params: { rule: 'format' },
      message: 'must be an http, https or data address',
    }),
  );

export const status = () => z.optional(about(z.enum(linkStatuses), 'Only links with this status.'));

const ref = () => z.optional(text({ min: 1, max: 256 }, 'Name that other changes in this request can refer to.'));

/** A text: `{ "markdown": ... }`, `{ "document": <tree> }`, the tree itself, or `{}` for an empty page. */
const DocumentInput = () =>
  about(z.record(z.string(), z.unknown()), 'Text: {"markdown": "..."}, {"document": <tree>}, or {} for none.');

const clearable = (max: number, description: string) => z.optional(z.nullable(text({ max }, description)));

/** What a change can set of a page, beside its text. */
export const pageMembers = () => ({
  title: z.optional(text({ min: 1 }, 'Title of the page.')),
  slug: z.optional(text({ min: 1, max: 100, form: addressPart }, 'Last part of the path.')),
  emoji: clearable(50, 'Emoji next to the title; null for none.'),
  icon: clearable(50, 'Name of an icon; null for none.'),
  description: z.optional(z.nullable(text({}, 'Description; null for none.'))),
  hidden: z.optional(about(z.boolean(), 'Leave the page out of the table of contents.')),
  noIndex: z.optional(about(z.boolean(), 'Leave the page out of search on the site.')),
  noRobotsIndex: z.optional(about(z.boolean(), 'Ask search engines not to index the page.')),
  into: z.optional(about(z.nullable(reference('pageId')), 'Parent page; null for the top level.')),
  at: z.optional(
    about(z.number().check(z.int(), z.gte(0)), 'Position among its siblings, from 0; default: at the end.'),
  ),
});

/** A media type that is valid in a header. */
export const mediaType = /^[\w.+-]+\/[\w.+-]+(?: *;[\x20-\x7e]*)?$/;

export const FileInput = () =>
  z
    .object({
      name: text({ min: 1, max: 256 }, 'Name of the file.'),
      url: z.optional(webAddress(2048, 'Address to fetch the file from.')),
      base64: z.optional(text({ max: maxBase64 }, 'Content in Base64, at most 1 MB; requires contentType.')),
      contentType: z.optional(
        text(
          { min: 1, max: 255, form: { pattern: mediaType, message: 'must be a media type, such as image/png' } },
          'Media type.',
        ),
      ),
      ref: ref(),
    })
    .check(
      z.refine((file) => (file.url === undefined) !== (file.base64 === undefined), {
        params: { rule: 'required' },
        message: 'must have either url or base64',
      }),
      z.refine((file) => file.base64 === undefined || file.contentType !== undefined, {
        params: { rule: 'required' },
        message: 'must have a contentType with base64',
        path: ['contentType'],
      }),
    );

const Change = () =>
  z.discriminatedUnion('operation', [
    z.object({ operation: z.literal('insert_page'), document: DocumentInput(), ...pageMembers(), ref: ref() }),
    z.object({
      operation: z.literal('update_page'),
      page: about(z.string(), 'ID of the page.'),
      document: z.optional(DocumentInput()),
      ...pageMembers(),
    }),
    z.object({ operation: z.literal('delete_page'), page: z.string() }),
    z.object({
      operation: z.literal('revert_page'),
      page: z.string(),
      revision: z.optional(about(z.string(), 'Revision to restore the page from; default: the base of the content.')),
    }),
    z.object({
      operation: z.literal('insert_files'),
      files: z.array(FileInput()).check(z.minLength(1), z.maxLength(20)),
    }),
  ]);

/** Body of a change of content. */
export const changesBody = () =>
  z.object({
    changes: z
      .array(Change())
      .check(
        z.minLength(1),
        z.maxLength(maxChanges),
        z.describe('Operations in order. They are applied as one new revision, or not at all.'),
      ),
  });

/** What a change of content did to its pages and files. */
export const changed = () => {
  const page = z.object({ object: z.literal('page'), id: z.string(), urls: z.object({ location: z.string() }) });
  return {
    changes: z.array(
      z.discriminatedUnion('object', [
        z.object({ object: z.literal('created_page'), ref: z.optional(z.string()), page }),
        z.object({ object: z.literal('updated_page'), page }),
        z.object({ object: z.literal('deleted_page'), page: z.string() }),
      ]),
    ),
    insertedFiles: z.array(File()),
  };
};

/** Query of a change of content. */
export const compat = () => ({
  compat: z._default(about(z.boolean(), 'Return only the changed object; false also returns what changed.'), true),
});

/** The endpoints that main content and change requests have in common. */
export const family = (prefix: string) => {
  const under = routesUnder(prefix);
  return {
    ...reads(prefix),
    import: {
      route: under('POST', '/import'),
      summary: 'Import pages and files from an address.',
      description:
        'The sources notion, confluence, google-docs and github-wiki are zip archives of an export. Pages are added at the end; the response is sent when the import is complete.',
      access: 'space.edit',
      body: () => z.object({ url: importAddress(), source: about(z.enum(importSources), 'Type of the source.') }),
      response: () => z.object({ revision: z.string(), importedResources: z.number(), totalResources: z.number() }),
      status: 201,
    },
    fileBacklinks: {
      route: under('GET', '/files/{fileId}/backlinks'),
      summary: 'List the pages that use a file.',
      access: 'space.view',
      items: Backlink,
    },
    pageLinks: {
      route: under('GET', '/page/{pageId}/links'),
      summary: 'List the links of a page.',
      access: 'space.view',
      query: () => ({ status: status() }),
      items: LinkItem,
      envelope: linkStats,
    },
    pageBacklinks: {
      route: under('GET', '/page/{pageId}/backlinks'),
      summary: 'List the pages that link to a page.',
      access: 'space.view',
      items: Backlink,
    },
  } as const;
};

export const content = endpoints('content', {
  ...family('/v1/spaces/{spaceId}/content'),
  change: {
    route: 'POST /v1/spaces/{spaceId}/content',
    summary: 'Change the main content of a space with the edit mode live.',
    access: 'space.edit',
    query: compat,
    body: changesBody,
    response: () => z.union([Space(), z.object({ space: Space(), ...changed() })]),
  },
  links: {
    route: 'GET /v1/spaces/{spaceId}/links',
    summary: 'List the links of a space.',
    access: 'space.view',
    query: () => ({ status: status() }),
    items: LinkItem,
    envelope: linkStats,
  },
});
