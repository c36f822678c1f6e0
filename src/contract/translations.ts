import * as z from 'zod/mini';
import { dateTime, flags, lazy, text } from './common.ts';
import { endpoints } from './endpoint.ts';
import { distinct } from './schema.ts';
import { knownWords } from '../shared/words.ts';

/** Codes of the languages that content is translated to. */
export const languageCodes = knownWords(
  'en fr de es it pt ru ja zh ko ar hi nl pl tr sv no da fi el cs hu ro th vi id ms he uk sk bg hr lt lv et sl',
);

export const TranslationSettings = lazy(() =>
  z.object({
    object: z.literal('translation-settings'),
    id: z.string(),
    title: z.string(),
    languages: z.array(z.enum(languageCodes)),
    createdAt: dateTime(),
    updatedAt: dateTime(),
    permissions: flags('view', 'edit'),
    urls: z.object({ location: z.string() }),
  }),
);

const settings = (kept: string) =>
  z.object({
    title: text({ min: 1, max: 100 }, 'Title, 1 to 100 characters.'),
    languages: z.optional(
      z
        .array(z.enum(languageCodes))
        .check(
          z.minLength(1),
          z.maxLength(languageCodes.length),
          distinct(),
          z.meta({ description: `Languages by their codes; ${kept} when not given.`, uniqueItems: true }),
        ),
    ),
  });

export const translations = endpoints('translations', {
  list: {
    route: 'GET /v1/orgs/{orgId}/translations',
    summary: 'List the translation settings of an organization.',
    access: 'organization.read',
    items: TranslationSettings,
  },
  create: {
    route: 'POST /v1/orgs/{orgId}/translations',
    summary: 'Create translation settings.',
    access: 'organization.createContent',
    body: () => settings('English'),
    response: TranslationSettings,
    status: 201,
  },
  view: {
    route: 'GET /v1/orgs/{orgId}/translations/{translationSettingsId}',
    summary: 'Show translation settings.',
    access: 'organization.read',
    response: TranslationSettings,
  },
  edit: {
    route: 'PUT /v1/orgs/{orgId}/translations/{translationSettingsId}',
    summary: 'Edit translation settings.',
    access: 'organization.createContent',
    repeatable: true,
    body: () => settings('those it has'),
    response: TranslationSettings,
  },
  delete: {
    route: 'DELETE /v1/orgs/{orgId}/translations/{translationSettingsId}',
    summary: 'Delete translation settings.',
    access: 'organization.createContent',
    status: 205,
  },
});
