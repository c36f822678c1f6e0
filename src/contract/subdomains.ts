import * as z from 'zod/mini';
import { lazy } from './common.ts';
import { endpoints } from './endpoint.ts';

export const Subdomain = lazy(() =>
  z.object({
    object: z.literal('subdomain'),
    subdomain: z.string(),
    target: z.object({ type: z.literal('organization'), organization: z.string() }),
    isActive: z.boolean(),
  }),
);

export const subdomains = endpoints('subdomains', {
  view: {
    route: 'GET /v1/subdomains/{subdomain}',
    summary: 'Show the owner of a subdomain.',
    access: 'token',
    response: Subdomain,
  },
});
