import type { Migration } from './dialects.ts';

/**
 * Lists the words of the search index, to correct misspelled words; PostgreSQL reads them from the index.
 * Marks the pages that an earlier version indexed, without the parts of names and with letters such as `ß`.
 */
export const searchVocabulary: Migration = (only) => /* sql */ `
${only({ sqlite: `create virtual table page_word using fts5vocab (page_search, 'row');` })}
alter table searched_page add column outdated integer not null default 0;
update searched_page set outdated = 1;
create index searched_page_outdated on searched_page (seq) where outdated = 1;
`;
