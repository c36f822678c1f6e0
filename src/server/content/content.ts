import { content } from '../../contract/content.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import { type Handlers, implement } from '../engine/implement.ts';
import { changeHandlers } from './changes/apply-changes.ts';
import { importHandlers } from './changes/import.ts';
import { type ContentOf, getFile, getPage, mainContent } from './find-content.ts';
import { listBacklinks, listLinks } from './links/list-links.ts';
import { Resolver } from './links/resolver.ts';
import { reads } from './read-content.ts';
import { presentSpace } from './spaces/spaces.ts';

type Family = Omit<Handlers<typeof content>, 'change' | 'links'>;

/** Handlers that main content and the content of a change request share. */
export const family = (contentOf: ContentOf): Family => ({
  ...reads(contentOf),
  import: importHandlers(contentOf),

  async fileBacklinks(context) {
    const current = await contentOf(context);
    return listBacklinks(context, current, { file: await getFile(context, current.snapshot) });
  },

  async pageLinks(context) {
    const current = await contentOf(context);
    const page = await getPage(context, current.snapshot);
    return listLinks(context, await Resolver.over(context, current), [page], context.query);
  },

  async pageBacklinks(context) {
    const current = await contentOf(context);
    return listBacklinks(context, current, { page: await getPage(context, current.snapshot) });
  },
});

type Changed = Extract<AnswerOf<typeof content.change>, { changes: unknown }>;

export const handlers = implement(content, {
  ...family(mainContent),

  change: changeHandlers(mainContent, async ({ db, base, query }, { space }, outcome) => {
    const presented = await presentSpace({ db, base }, space);
    return query.compat ? presented : ({ space: presented, ...outcome } satisfies Changed);
  }),

  async links(context) {
    const resolver = await Resolver.over(context, await mainContent(context));
    return listLinks(context, resolver, resolver.outline.rows, context.query);
  },
});
