import type { Migration } from './dialects.ts';

/**
 * Marks pages whose text depends on the reader. The index has all of their text, so the search of a site must not use it for
 * them. Pages that only look adaptive are marked, too, until they change.
 */
export const adaptivePages: Migration = () => /* sql */ `
alter table searched_page add column adaptive integer not null default 0;
update searched_page set adaptive = 1 where exists (
  select 1 from page_version v join document d on d.id = v.document
  where v.space = searched_page.space and v.page = searched_page.page and v.line = '' and v.to_seq = 9007199254740991
    and (d.markdown like '%{\\%%if%' escape '\\' or lower(d.markdown) like '%<code%expression%'));
create index searched_page_adaptive on searched_page (space) where adaptive = 1;
`;
