import type { Structure } from '../files/references.ts';
import type { CollectionNode, SectionEntry, SiteSpaceEntry } from '../files/schemas.ts';
import { type ChangeKind, collectionsIn, kinds, type Organization } from '../parts.ts';
import type { Baseline } from '../state/baseline.ts';
import { divided } from '../state/hashes.ts';

/**
 * The files with the values of the service in all fields that only the service changed, so that a plan keeps them. Objects
 * that only one side has, and places of spaces and collections, are left to the plan.
 */
export function withDrift(files: Organization, current: Organization, baseline: Baseline): Organization {
  const merged = structuredClone(files);
  const { organization: settings, members = [], collections } = merged;
  const take = (
    kind: ChangeKind,
    name: string,
    after: object,
    before: object | undefined,
    fields = Object.keys(after),
  ) => {
    if (!before) return;
    for (const field of fields) {
      const value: unknown = Reflect.get(before, field);
      if (Reflect.get(after, field) === undefined || !baseline.isUnchanged(kind, name, field)) continue;
      if (value === undefined) Reflect.deleteProperty(after, field);
      else Reflect.set(after, field, value);
    }
  };
  if (settings && current.organization) {
    const { customFields = [], ...others } = settings;
    take('organization', '', settings, current.organization, Object.keys(others));
    const present = new Map(current.organization.customFields?.map((field) => [field.name, field]));
    for (const field of customFields) take('custom field', field.name, field, present.get(field.name));
  }
  const rows = new Map(current.members?.map((row) => [row.email, row]));
  for (const row of members) take('member', row.email, row, rows.get(row.email), ['role', 'sso']);
  const nodes = new Map(
    [...collectionsIn(current.collections?.collections)].map(({ node }): [string, CollectionNode] => [node.name, node]),
  );
  for (const { node } of collectionsIn(collections?.collections))
    take('collection', node.name, node, nodes.get(node.name), ['title', 'description', 'defaultLevel']);
  for (const kind of ['team', 'SSO provider', 'space', 'site'] as const) {
    const present = new Map<string, object>(kinds[kind].objects(current));
    for (const [name, object] of kinds[kind].objects(merged) ?? []) {
      const before = present.get(name);
      const fields = Object.keys(object).filter((field) => field !== divided[kind]);
      take(kind, name, object, before, fields);
      if (before) mergeRecord(kind, name, { object, before, field: divided[kind], baseline });
    }
  }
  // A space that somebody deleted in the service stays deleted, also in sites that were changed in the files.
  const isDeleted = (name: string) =>
    merged.spaces?.has(name) === true && !current.spaces?.has(name) && baseline.isUnchanged('space', name);
  for (const site of merged.sites?.values() ?? [])
    if (site.structure) site.structure = withoutSpaces(site.structure, isDeleted);
  return merged;
}

/** The structure of a site without these spaces, and without what contained only them. */
function withoutSpaces(structure: Structure, isDeleted: (name: string) => boolean): Structure {
  const left = (spaces: SiteSpaceEntry[]) => spaces.filter(({ space }) => !isDeleted(space));
  if (hasOnlySpaces(structure)) return left(structure);
  const reduced = (section: SectionEntry) => {
    const spaces = left(section.spaces);
    return spaces.length === 0 ? [] : [{ ...section, spaces }];
  };
  return structure.flatMap((entry): (typeof entry)[] => {
    if ('section' in entry) return reduced(entry);
    const sections = entry.sections.flatMap(reduced);
    return sections.length === 0 ? [] : [{ ...entry, sections }];
  });
}

const hasOnlySpaces = (structure: Structure): structure is SiteSpaceEntry[] =>
  structure.every((entry) => 'space' in entry);

interface RecordMerge {
  object: object;
  before: object;
  field: string | undefined;
  baseline: Baseline;
}

/** Keeps the entries of a record that only the service has, lacks or changed. */
function mergeRecord(kind: ChangeKind, name: string, { object, before, field, baseline }: RecordMerge): void {
  if (field === undefined) return;
  const [after, current] = [entriesOf(object, field), entriesOf(before, field)];
  if (!after || !current) return;
  const keys = new Map([...Object.keys(current), ...Object.keys(after)].map((key) => [key.toLowerCase(), key]));
  const inFile = new Map(Object.entries(after).map(([key, value]) => [key.toLowerCase(), value]));
  const merged: Record<string, unknown> = {};
  for (const [lower, key] of keys) {
    const [value, old] = [inFile.get(lower), current[key] ?? current[lower]];
    const isDrift = value !== old && baseline.isDrift(kind, name, `${field}.${lower}`, old);
    const kept = isDrift ? old : value;
    if (kept !== undefined) merged[key] = kept;
  }
  Reflect.set(object, field, merged);
}

function entriesOf(object: object, field: string): Record<string, unknown> | undefined {
  const record: unknown = Reflect.get(object, field);
  return typeof record === 'object' && record !== null ? (record as Record<string, unknown>) : undefined;
}
