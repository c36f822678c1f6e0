import { listByCreated } from './list-by-created.ts';
import { rowsById } from './rows.ts';
import type { Row } from './tables.ts';

export type TranslationRow = Row<'translation'>;

export const byCreated = listByCreated('translation', 'organization', 'newest first');

export const {
  insert: createTranslation,
  change: changeTranslation,
  delete: deleteTranslation,
} = rowsById('translation');
