import { changeRequestContent } from '../../contract/change-request-content.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import { presentChangeRequests } from './change-requests/change-requests.ts';
import { changeHandlers } from './changes/apply-changes.ts';
import { family, listLinks } from './content.ts';
import { implement } from '../engine/implement.ts';
import { Resolver } from './links/links.ts';
import { pdf } from './pdf/pdf.ts';
import { requestContent } from './find-content.ts';

type Changed = Extract<AnswerOf<typeof changeRequestContent.change>, { changes: unknown }>;

export const handlers = implement(changeRequestContent, {
  ...family(requestContent),

  change: changeHandlers(requestContent, async ({ db, base, query }, { space, changeRequest }, done) => {
    const [presented] = await presentChangeRequests({ db, base }, space, [changeRequest!]);
    return query.compat ? presented! : ({ changeRequest: presented!, ...done } satisfies Changed);
  }),

  async links(context) {
    const resolver = await Resolver.over(context, await requestContent(context));
    return listLinks(context, resolver, resolver.outline.rows, context.query);
  },

  pdf,
});
