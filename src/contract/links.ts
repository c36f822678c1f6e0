import * as z from 'zod/mini';
import { ChangeRequest } from './change-requests.ts';
import { Collection } from './collections.ts';
import { lazy, User } from './common.ts';
import { OpenAPISpec } from './openapi.ts';
import { Organization } from './orgs.ts';
import { File, Page } from './pages.ts';
import { Revision } from './revisions.ts';
import { Space } from './spaces.ts';

const inSpace = () => ({
  organization: Organization(),
  space: Space(),
  versionContext: z.optional(
    z.discriminatedUnion('type', [
      z.object({ type: z.literal('revision'), revision: Revision() }),
      z.object({ type: z.literal('changeRequest'), changeRequest: ChangeRequest() }),
    ]),
  ),
});

const InternalLocation = () =>
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('anchor'), anchor: z.string() }),
    z.object({ type: z.literal('node'), node: z.string() }),
  ]);

const ReusableContent = () =>
  z.object({ id: z.string(), title: z.string(), document: z.string(), git: z.optional(z.unknown()) });

/** The target or the place of a link, with whole objects. Revisions and pages do not include pages here. */
const AbsoluteReference = lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('url'), url: z.string() }),
    z.object({ kind: z.literal('file'), ...inSpace(), file: File() }),
    z.object({ kind: z.literal('page'), ...inSpace(), page: Page(), internalLocation: z.optional(InternalLocation()) }),
    z.object({ kind: z.literal('reusable-content'), ...inSpace(), reusableContent: ReusableContent() }),
    z.object({ kind: z.literal('user'), user: User() }),
    z.object({ kind: z.literal('collection'), organization: Organization(), collection: Collection() }),
    z.object({ kind: z.literal('space'), organization: Organization(), space: Space() }),
    z.object({ kind: z.literal('openapi'), organization: Organization(), openAPISpec: OpenAPISpec() }),
  ]),
);

export const linkStatuses = ['ok', 'broken', 'in-app'] as const;

export const LinkItem = lazy(() =>
  z.object({
    status: z.enum(linkStatuses),
    relation: z.enum(['reference', 'dependsOn']),
    targetReference: z.optional(AbsoluteReference()),
    locationReferences: z.array(AbsoluteReference()),
  }),
);

/** Envelope of a list of links: `stats` covers the whole list, whatever the filter. */
export const linkStats = () => ({
  stats: z.object({
    total: z.number(),
    broken: z.object({ total: z.number(), changeRequest: z.optional(z.number()) }),
  }),
});

/** What uses a page or a file. */
export const Backlink = lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('page'), ...inSpace(), page: Page(), file: z.optional(File()) }),
    z.object({
      kind: z.literal('reusable-content'),
      ...inSpace(),
      reusableContent: ReusableContent(),
      file: z.optional(File()),
    }),
  ]),
);
