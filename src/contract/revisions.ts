import * as z from 'zod/mini';
import { ChangeRequest } from './change-requests.ts';
import { dateTime, lazy } from './common.ts';
import { endpoints } from './endpoint.ts';
import { File, Page } from './pages.ts';
import { routesUnder } from './path.ts';
import { about } from './schema.ts';

export const Revision = lazy(() =>
  z.object({
    object: z.literal('revision'),
    id: z.string(),
    parents: z.array(z.string()),
    pages: z.array(Page()),
    files: z.array(File()),
    reusableContents: z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        document: z.string(),
        git: z.optional(z.object({ oid: z.string(), path: z.string() })),
      }),
    ),
    createdAt: dateTime(),
    git: z.optional(
      z.object({
        oid: z.string(),
        message: z.string(),
        createdByGitBook: z.boolean(),
        url: z.optional(z.string()),
        ref: z.optional(z.string()),
      }),
    ),
    urls: z.object({ app: z.string(), published: z.optional(z.string()), public: z.optional(z.string()) }),
    type: z.enum(['edits', 'merge', 'update', 'rollback', 'computed']),
    mergedFrom: z.optional(ChangeRequest()),
  }),
);

/** Query of every read of content. */
export const reading = () => ({
  metadata: z._default(about(z.boolean(), 'Include Git metadata; leaving it out may be faster.'), true),
  computed: z._default(about(z.boolean(), 'Include computed content, such as specifications.'), true),
});

/** Query of a read of one page. */
export const readingPage = () => ({
  format: z.optional(about(z.enum(['document', 'markdown']), 'Include the text, as Markdown or as a tree.')),
  ...reading(),
});

/** The reads that every content has: main content, a change request's and an old revision's. */
export const reads = (prefix: string) => {
  const under = routesUnder(prefix);
  return {
    view: {
      route: under('GET', ''),
      summary: 'Show the content: the revision with all pages and files.',
      access: 'space.view',
      query: reading,
      response: Revision,
    },
    pages: {
      route: under('GET', '/pages'),
      summary: 'List the pages as a tree.',
      access: 'space.view',
      query: reading,
      response: () => z.object({ pages: z.array(Page()) }),
    },
    files: {
      route: under('GET', '/files'),
      summary: 'List the files.',
      access: 'space.view',
      query: reading,
      items: File,
    },
    file: {
      route: under('GET', '/files/{fileId}'),
      summary: 'Show a file.',
      access: 'space.view',
      query: reading,
      response: File,
    },
    page: {
      route: under('GET', '/page/{pageId}'),
      summary: 'Show a page, optionally with its text.',
      access: 'space.view',
      query: readingPage,
      response: Page,
    },
    pageByPath: {
      route: under('GET', '/path/{pagePath}'),
      summary: 'Show the page at a path.',
      access: 'space.view',
      query: readingPage,
      response: Page,
    },
  } as const;
};

export const revisions = endpoints('revisions', reads('/v1/spaces/{spaceId}/revisions/{revisionId}'));
