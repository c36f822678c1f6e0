import { listByCreated } from './list-by-created.ts';
import { rowsById } from './rows.ts';
import type { Row } from './tables.ts';

export type TranslationRow = Row<'translation'>;

/** Newest first; all of them with a limit of `allRows`. */
export const { list: listTranslations, count: countTranslations } = listByCreated(
  'translation',
  'organization',
  'newest first',
);

export const {
  insert: createTranslation,
  change: changeTranslation,
  delete: deleteTranslation,
} = rowsById('translation');
