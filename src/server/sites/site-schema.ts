import type { AnswerOf } from '../../contract/endpoint.ts';
import { siteSchema } from '../../contract/site-schema.ts';
import { jsonText, parseJson } from '../../store/json.ts';
import { changeSite, type SiteRow } from '../../store/sites.ts';
import { DomainError } from '../engine/errors.ts';
import { implement } from '../engine/implement.ts';

type AdaptiveSchema = AnswerOf<typeof siteSchema.view>;

/** @throws DomainError `not-found` if no schema was set */
function present({ adaptive_schema, adaptive_schema_updated_at }: SiteRow): AdaptiveSchema {
  if (adaptive_schema === null || adaptive_schema_updated_at === null)
    throw new DomainError('not-found', 'This site has no adaptive schema yet. Set one with PUT.');
  return {
    object: 'site-adaptive-schema',
    jsonSchema: parseJson(adaptive_schema),
    updatedAt: adaptive_schema_updated_at,
  };
}

export const handlers = implement(siteSchema, {
  view: async ({ objects: { site } }) => present(site),
  set: async ({ db, objects: { site }, body, now }) =>
    present(
      await changeSite(db, site.id, { adaptive_schema: jsonText(body.jsonSchema), adaptive_schema_updated_at: now }),
    ),
});
