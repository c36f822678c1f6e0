import * as z from 'zod/mini';
import { lazy, text } from './common.ts';
import { endpoints } from './endpoint.ts';

export const SearchResult = lazy(() =>
  z.object({
    id: z.string(),
    title: z.string(),
    path: z.string(),
    sections: z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        path: z.string(),
        body: z.string(),
        urls: z.object({ app: z.string() }),
      }),
    ),
    urls: z.object({ app: z.string() }),
  }),
);

/** The query with corrected words, if some of its words are in no page. */
const suggestion = () => ({ suggestion: z.optional(z.string()) });

const words = () => ({ query: text({ max: 512 }, 'Words to search for; the last word may be incomplete.') });

export const search = endpoints('search', {
  space: {
    route: 'GET /v1/spaces/{spaceId}/search',
    summary: 'Search the content of a space.',
    access: 'space.view',
    query: words,
    items: SearchResult,
    envelope: suggestion,
  },
  organization: {
    route: 'GET /v1/orgs/{orgId}/search',
    summary: 'Search all spaces of an organization that you can see.',
    access: 'member',
    query: words,
    items: () => z.object({ id: z.string(), title: z.string(), pages: z.array(SearchResult()) }),
    envelope: suggestion,
  },
});
