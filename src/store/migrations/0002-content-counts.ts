import type { Migration } from './dialects.ts';

/**
 * Triggers maintain counts of spaces and collections, because each page of a list includes the count. The indexes have the
 * order of the lists.
 */
export const contentCounts: Migration = (only) => {
  /** Adds to the counts of a collection and of those above it. */
  const addBelow = (collection: string, collections: string, spaces: string) =>
    only({
      sqlite: `update collection set collections_below = collections_below + (${collections}), spaces_below = spaces_below + (${spaces})
    where id in (with recursive above(id) as (
      select ${collection} union select c.parent from above a join collection c on c.id = a.id) select id from above);`,
      postgres: `perform add_below(${collection}, ${collections}, ${spaces});`,
    });
  /** Adds to the number of spaces directly in a collection, and to the counts of those above it. */
  const addSpaces = (collection: string, spaces: string) =>
    only({
      sqlite: `update collection set spaces = spaces + (${spaces}) where id = ${collection};
  ${addBelow(collection, '0', spaces)}`,
      postgres: `perform add_spaces(${collection}, ${spaces});`,
    });
  return /* sql */ `
alter table organization add column collections integer not null default 0;
alter table organization add column top_collections integer not null default 0;
-- Spaces directly in it and at any depth, without deleted ones, and collections at any depth.
alter table collection add column spaces integer not null default 0;
alter table collection add column spaces_below integer not null default 0;
alter table collection add column collections_below integer not null default 0;

${only({
  sqlite: `
update organization set
  collections = (select count(*) from collection c where c.organization = organization.id),
  top_collections = (select count(*) from collection c where c.organization = organization.id and c.parent is null);
update collection set spaces = (select count(*) from space s where s.parent = collection.id and s.deleted_at is null);
with recursive
  inside(root, id) as (select id, id from collection union select i.root, c.id from inside i join collection c on c.parent = i.id),
  total(root, collections, spaces) as (
    select i.root, count(*) - 1, sum(c.spaces) from inside i join collection c on c.id = i.id group by i.root)
update collection set collections_below = total.collections, spaces_below = total.spaces
  from total where total.root = collection.id;`,
  postgres: `
-- Adds to the counts of a collection and of those above it.
create function add_below(first text, collections integer, spaces integer) returns void language sql as $$
  update collection set collections_below = collections_below + $2, spaces_below = spaces_below + $3
    where id in (with recursive above(id) as (
      select $1 collate "C" union select c.parent from above a join collection c on c.id = a.id) select id from above)
$$;
-- Adds to the number of spaces directly in a collection, and to the counts of those above it.
create function add_spaces(first text, spaces integer) returns void language sql as $$
  update collection set spaces = spaces + $2 where id = $1;
  select add_below($1, 0, $2)
$$;`,
})}
drop index collection_in_order;
create index collection_in_order on collection (organization, parent, position, id);
create index collection_with_spaces on collection (organization, parent, position, id) where spaces_below > 0;
create index space_listed on space (organization, parent, position, id) where deleted_at is null;
create index space_by_created on space (organization, created_at, id) where deleted_at is null;
${only({
  // With "parent is null", PostgreSQL does not use the indexes above for the order.
  postgres: `
create index collection_at_top on collection (organization, position, id) where parent is null;
create index space_at_top on space (organization, position, id) where parent is null;`,
})}

create trigger collection_spaces_insert after insert on space when new.parent is not null and new.deleted_at is null begin
  ${addSpaces('new.parent', '1')}
end;
create trigger collection_spaces_delete after delete on space when old.parent is not null and old.deleted_at is null begin
  ${addSpaces('old.parent', '-1')}
end;
create trigger collection_spaces_update after update of parent, deleted_at on space
  when old.parent is not new.parent or (old.deleted_at is null) <> (new.deleted_at is null) begin
  ${addSpaces('old.parent', '-(old.deleted_at is null)::integer')}
  ${addSpaces('new.parent', '(new.deleted_at is null)::integer')}
end;

create trigger collection_count_insert after insert on collection begin
  ${addBelow('new.parent', '1', '0')}
  update organization set collections = collections + 1, top_collections = top_collections + (new.parent is null)::integer
    where id = new.organization;
end;
create trigger collection_count_delete after delete on collection begin
  ${addBelow('old.parent', '-1', '0')}
  update organization set collections = collections - 1, top_collections = top_collections - (old.parent is null)::integer
    where id = old.organization;
end;
create trigger collection_count_move after update of parent on collection when old.parent is not new.parent begin
  ${addBelow('old.parent', '-1 - old.collections_below', '-old.spaces_below')}
  ${addBelow('new.parent', '1 + new.collections_below', 'new.spaces_below')}
end;
create trigger collection_count_update after update of organization, parent on collection begin
  update organization set collections = collections - 1, top_collections = top_collections - (old.parent is null)::integer
    where id = old.organization;
  update organization set collections = collections + 1, top_collections = top_collections + (new.parent is null)::integer
    where id = new.organization;
end;
`;
};
