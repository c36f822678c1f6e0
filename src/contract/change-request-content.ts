import * as z from 'zod/mini';
import { ChangeRequest } from './change-requests.ts';
import { changed, changesBody, compat, family, status } from './content.ts';
import { endpoints } from './endpoint.ts';
import { LinkItem, linkStats } from './links.ts';
import { about, reference } from './schema.ts';

const request = '/v1/spaces/{spaceId}/change-requests/{changeRequestId}';

export const changeRequestContent = endpoints('changeRequestContent', {
  ...family(`${request}/content`),
  change: {
    route: 'POST /v1/spaces/{spaceId}/change-requests/{changeRequestId}/content',
    summary: 'Change the content of a change request.',
    access: 'space.edit',
    query: compat,
    body: changesBody,
    response: () => z.union([ChangeRequest(), z.object({ changeRequest: ChangeRequest(), ...changed() })]),
  },
  links: {
    route: 'GET /v1/spaces/{spaceId}/change-requests/{changeRequestId}/links',
    summary: 'List all links of a change request.',
    access: 'space.view',
    query: () => ({
      status: status(),
      brokenContext: z.optional(
        about(
          z.enum(['change-request', 'space']),
          'Only broken links that the change request breaks, or only those that are also broken in the main content.',
        ),
      ),
    }),
    items: LinkItem,
    envelope: linkStats,
  },
  pdf: {
    route: 'GET /v1/spaces/{spaceId}/change-requests/{changeRequestId}/pdf',
    summary: 'Get the address of a PDF of a change request; it expires after one hour.',
    access: 'space.view',
    query: () => ({
      only: z._default(about(z.boolean(), 'Only the given page, without its subpages.'), false),
      page: z.optional(reference('pageId', 'Only this page and its subpages.')),
    }),
    response: () => z.object({ url: z.string() }),
  },
});
