import type { AnswerOf } from '../../contract/endpoint.ts';
import { translations } from '../../contract/translations.ts';
import { jsonText, parseJson } from '../../store/json.ts';
import * as store from '../../store/translations.ts';
import { organizationAllows } from '../engine/access.ts';
import type { LoadedOrg } from '../engine/context.ts';
import { implement } from '../engine/implement.ts';
import { pagedByCreated } from '../engine/paging.ts';

const present = (base: string, org: LoadedOrg, row: store.TranslationRow): AnswerOf<typeof translations.view> => ({
  object: 'translation-settings',
  id: row.id,
  title: row.title,
  languages: parseJson(row.languages),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  permissions: { view: organizationAllows(org, 'read'), edit: organizationAllows(org, 'createContent') },
  urls: { location: `${base}/v1/orgs/${org.id}/translations/${row.id}` },
});

export const handlers = implement(translations, {
  list: ({ db, objects: { org }, page, base }) =>
    pagedByCreated({ db, page }, store.byCreated, org.id, (rows) => rows.map((row) => present(base, org, row))),

  async create({ db, objects: { org }, body, base, now }) {
    const row = await store.createTranslation(db, {
      organization: org.id,
      title: body.title,
      languages: jsonText(body.languages ?? ['en']),
      created_at: now,
      updated_at: now,
    });
    return present(base, org, row);
  },

  view: async ({ objects: { org, translation }, base }) => present(base, org, translation),

  async edit({ db, objects: { org, translation }, body, base, now }) {
    const row = await store.changeTranslation(db, translation.id, {
      title: body.title,
      languages: body.languages && jsonText(body.languages),
      updated_at: now,
    });
    return present(base, org, row);
  },

  delete: ({ db, objects: { translation } }) => store.deleteTranslation(db, translation.id),
});
