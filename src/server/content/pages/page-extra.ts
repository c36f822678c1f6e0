import type { PageRow } from '../../../store/content.ts';
import { parseJson } from '../../../store/json.ts';
import type { PageExtra } from '../../../store/tables.ts';

export const extraOf = (row: Pick<PageRow, 'extra'>): PageExtra => (row.extra === null ? {} : parseJson(row.extra));
