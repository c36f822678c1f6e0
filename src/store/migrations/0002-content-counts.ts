/**
 * Counts of spaces and collections, kept as they change, because every page of a list shows its count; and indexes in the
 * order of the lists.
 */
export const contentCounts = `
alter table organization add column collections integer not null default 0;
alter table organization add column top_collections integer not null default 0;
-- Spaces directly in it, and at any depth, without deleted ones; and collections at any depth.
alter table collection add column spaces integer not null default 0;
alter table collection add column spaces_below integer not null default 0;
alter table collection add column collections_below integer not null default 0;

update organization set
  collections = (select count(*) from collection c where c.organization = organization.id),
  top_collections = (select count(*) from collection c where c.organization = organization.id and c.parent is null);
update collection set spaces = (select count(*) from space s where s.parent = collection.id and s.deleted_at is null);
with recursive
  inside(root, id) as (select id, id from collection union select i.root, c.id from inside i join collection c on c.parent = i.id),
  total(root, collections, spaces) as (
    select i.root, count(*) - 1, sum(c.spaces) from inside i join collection c on c.id = i.id group by i.root)
update collection set collections_below = total.collections, spaces_below = total.spaces
  from total where total.root = collection.id;

drop index collection_in_order;
create index collection_in_order on collection (organization, parent, position, id);
create index collection_with_spaces on collection (organization, parent, position, id) where spaces_below > 0;
create index space_listed on space (organization, parent, position, id) where deleted_at is null;
create index space_by_created on space (organization, created_at, id) where deleted_at is null;

create trigger collection_spaces_insert after insert on space when new.parent is not null and new.deleted_at is null begin
  ${addSpaces('new.parent', '1')}
end;
create trigger collection_spaces_delete after delete on space when old.parent is not null and old.deleted_at is null begin
  ${addSpaces('old.parent', '-1')}
end;
create trigger collection_spaces_update after update of parent, deleted_at on space
  when old.parent is not new.parent or (old.deleted_at is null) <> (new.deleted_at is null) begin
  ${addSpaces('old.parent', '-(old.deleted_at is null)')}
  ${addSpaces('new.parent', '(new.deleted_at is null)')}
end;

create trigger collection_count_insert after insert on collection begin
  ${addBelow('new.parent', '1', '0')}
  update organization set collections = collections + 1, top_collections = top_collections + (new.parent is null)
    where id = new.organization;
end;
create trigger collection_count_delete after delete on collection begin
  ${addBelow('old.parent', '-1', '0')}
  update organization set collections = collections - 1, top_collections = top_collections - (old.parent is null)
    where id = old.organization;
end;
create trigger collection_count_move after update of parent on collection when old.parent is not new.parent begin
  ${addBelow('old.parent', '-1 - old.collections_below', '-old.spaces_below')}
  ${addBelow('new.parent', '1 + new.collections_below', 'new.spaces_below')}
end;
create trigger collection_count_update after update of organization, parent on collection begin
  update organization set collections = collections - 1, top_collections = top_collections - (old.parent is null)
    where id = old.organization;
  update organization set collections = collections + 1, top_collections = top_collections + (new.parent is null)
    where id = new.organization;
end;
`;

/** SQL that adds to the counts of a collection and of each one above it. */
function addBelow(collection: string, collections: string, spaces: string): string {
  return `update collection set collections_below = collections_below + (${collections}), spaces_below = spaces_below + (${spaces})
    where id in (with recursive above(id) as (
      select ${collection} union select c.parent from above a join collection c on c.id = a.id) select id from above);`;
}

/** SQL that adds to the count of the spaces directly in a collection, and to those above. */
function addSpaces(collection: string, spaces: string): string {
  return `update collection set spaces = spaces + (${spaces}) where id = ${collection};
  ${addBelow(collection, '0', spaces)}`;
}
