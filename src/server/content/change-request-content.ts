import { changeRequestContent } from '../../contract/change-request-content.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import { implement } from '../engine/implement.ts';
import { presentChangeRequest } from './change-requests/present-change-requests.ts';
import { changeHandlers } from './changes/apply-changes.ts';
import { family } from './content.ts';
import { requestContent } from './find-content.ts';
import { listLinks } from './links/list-links.ts';
import { Resolver } from './links/resolver.ts';
import { pdf } from './pdf/pdf.ts';

type Changed = Extract<AnswerOf<typeof changeRequestContent.change>, { changes: unknown }>;

export const handlers = implement(changeRequestContent, {
  ...family(requestContent),

  change: changeHandlers(requestContent, async ({ db, base, query }, { space, changeRequest }, outcome) => {
    const presented = await presentChangeRequest({ db, base }, space, changeRequest);
    return query.compat ? presented : ({ changeRequest: presented, ...outcome } satisfies Changed);
  }),

  async links(context) {
    const resolver = await Resolver.over(context, await requestContent(context));
    return listLinks(context, resolver, resolver.outline.rows, context.query);
  },

  pdf,
});
