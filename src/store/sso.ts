import { listByCreated } from './list-by-created.ts';
import { rowsById } from './rows.ts';
import type { Row } from './tables.ts';

export type ProviderRow = Row<'saml_provider'>;

export const byCreated = listByCreated('saml_provider', 'organization', 'oldest first');

export const { insert: createProvider, change: changeProvider, delete: deleteProvider } = rowsById('saml_provider');
