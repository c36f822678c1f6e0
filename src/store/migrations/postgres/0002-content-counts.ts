/** As the migration of SQLite with this name. */
export const contentCounts = /* sql */ `
alter table organization add column collections integer not null default 0;
alter table organization add column top_collections integer not null default 0;
-- Spaces directly in it, and at any depth, without deleted ones; and collections at any depth.
alter table collection add column spaces integer not null default 0;
alter table collection add column spaces_below integer not null default 0;
alter table collection add column collections_below integer not null default 0;

drop index collection_in_order;
create index collection_in_order on collection (organization, parent, position, id);
create index collection_with_spaces on collection (organization, parent, position, id) where spaces_below > 0;
create index space_listed on space (organization, parent, position, id) where deleted_at is null;
create index space_by_created on space (organization, created_at, id) where deleted_at is null;
-- With "parent is null", the indexes above are not taken for the order.
create index collection_at_top on collection (organization, position, id) where parent is null;
create index space_at_top on space (organization, position, id) where parent is null;

-- Adds to the counts of a collection and of each one above it.
create function add_below(first text, collections integer, spaces integer) returns void language sql as $$
  update collection set collections_below = collections_below + $2, spaces_below = spaces_below + $3
    where id in (with recursive above(id) as (
      select $1 collate "C" union select c.parent from above a join collection c on c.id = a.id) select id from above)
$$;
-- Adds to the count of the spaces directly in a collection, and to those above.
create function add_spaces(first text, spaces integer) returns void language sql as $$
  update collection set spaces = spaces + $2 where id = $1;
  select add_below($1, 0, $2)
$$;

create function collection_spaces_insert() returns trigger language plpgsql as $$ begin
  perform add_spaces(new.parent, 1);
  return null;
end $$;
create trigger collection_spaces_insert after insert on space for each row when (new.parent is not null and new.deleted_at is null) execute function collection_spaces_insert();

create function collection_spaces_delete() returns trigger language plpgsql as $$ begin
  perform add_spaces(old.parent, -1);
  return null;
end $$;
create trigger collection_spaces_delete after delete on space for each row when (old.parent is not null and old.deleted_at is null) execute function collection_spaces_delete();

create function collection_spaces_update() returns trigger language plpgsql as $$ begin
  perform add_spaces(old.parent, -(old.deleted_at is null)::integer);
  perform add_spaces(new.parent, (new.deleted_at is null)::integer);
  return null;
end $$;
create trigger collection_spaces_update after update of parent, deleted_at on space for each row when (old.parent is distinct from new.parent or (old.deleted_at is null) <> (new.deleted_at is null)) execute function collection_spaces_update();

create function collection_count_insert() returns trigger language plpgsql as $$ begin
  perform add_below(new.parent, 1, 0);
  update organization set collections = collections + 1, top_collections = top_collections + (new.parent is null)::integer
    where id = new.organization;
  return null;
end $$;
create trigger collection_count_insert after insert on collection for each row execute function collection_count_insert();

create function collection_count_delete() returns trigger language plpgsql as $$ begin
  perform add_below(old.parent, -1, 0);
  update organization set collections = collections - 1, top_collections = top_collections - (old.parent is null)::integer
    where id = old.organization;
  return null;
end $$;
create trigger collection_count_delete after delete on collection for each row execute function collection_count_delete();

create function collection_count_move() returns trigger language plpgsql as $$ begin
  perform add_below(old.parent, -1 - old.collections_below, -old.spaces_below);
  perform add_below(new.parent, 1 + new.collections_below, new.spaces_below);
  return null;
end $$;
create trigger collection_count_move after update of parent on collection for each row when (old.parent is distinct from new.parent) execute function collection_count_move();

create function collection_count_update() returns trigger language plpgsql as $$ begin
  update organization set collections = collections - 1, top_collections = top_collections - (old.parent is null)::integer
    where id = old.organization;
  update organization set collections = collections + 1, top_collections = top_collections + (new.parent is null)::integer
    where id = new.organization;
  return null;
end $$;
create trigger collection_count_update after update of organization, parent on collection for each row execute function collection_count_update();
`;
