import type { Column } from '../cli/output/index.ts';

/** Columns that several groups show. */
export const id: Column = { key: 'id', title: 'ID', kind: 'id' };
export const title: Column = { key: 'title' };
export const created: Column = { key: 'createdAt', title: 'Created', kind: 'date', optional: true };
export const updated: Column = { key: 'updatedAt', title: 'Updated', kind: 'date', optional: true };
export const role: Column = { key: 'role', kind: 'role' };
export const app: Column = { key: 'urls.app', title: 'Address' };
export const published: Column = { key: 'urls.published', title: 'Published at' };

const visibilityTones = { public: 'good', unlisted: 'good', 'share-link': 'warn', 'visitor-auth': 'warn' } as const;
/** How open a space or a site is. */
export const visibility: Column = { key: 'visibility', kind: 'state', style: visibilityTones, optional: true };

/** A level that is null gives members nothing. */
export const defaultLevel: Column = {
  key: 'defaultLevel',
  title: 'Default level',
  value: ({ defaultLevel: level }) => level ?? 'none',
};

/** The first line of a comment, as far as it is Markdown. */
export const firstLine = ({ body }: { body?: { markdown?: string } }): string | undefined =>
  body?.markdown?.trim().split('\n')[0];

const spaceStyle = { live: 'good', locked: 'warn' } as const;
export const spaceColumns: Column[] = [
  title,
  visibility,
  { key: 'editMode', title: 'Edit mode', kind: 'state', style: spaceStyle, optional: true },
  { key: 'changeRequestsOpen', title: 'Open requests', kind: 'number', optional: true },
  { key: 'comments', kind: 'number', optional: true },
  updated,
  id,
];

/** Links of a page, a space or a change request. */
export const linkColumns: Column[] = [
  { key: 'status', kind: 'state', style: { ok: 'good', broken: 'bad', 'in-app': 'warn' } },
  { key: 'target', value: ({ targetReference }) => (targetReference ? placeOf(targetReference) : '') },
  { key: 'page', title: 'On page', value: ({ locationReferences: [first] }) => (first ? placeOf(first) : '') },
  {
    key: 'times',
    kind: 'number',
    value: ({ locationReferences }) => locationReferences.length,
    optional: true,
  },
  { key: 'relation', optional: true },
];

export const linkFailure = { key: 'status', words: ['broken', 'in-app'] };

/** Pages that use a page or a file. */
export const backlinkColumns: Column[] = [
  { key: 'page.title', title: 'Page', value: (item) => (item.page ?? item.reusableContent).title },
  { key: 'page.path', title: 'Path', optional: true },
  { key: 'kind', optional: true },
  { key: 'page.id', title: 'ID', kind: 'id', value: (item) => (item.page ?? item.reusableContent).id },
];

/** What a reference points at, as people write it. */
function placeOf(reference: any): string {
  const at = reference.internalLocation?.anchor;
  switch (reference.kind) {
    case 'url':
      return reference.url;
    case 'page':
      return `${reference.page.path ?? reference.page.title}${at === undefined ? '' : `#${at}`}`;
    case 'file':
      return reference.file.name;
    case 'user':
      return reference.user.displayName;
    case 'openapi':
      return reference.openAPISpec.slug;
    default:
      return (reference.space ?? reference.collection ?? reference.reusableContent).title;
  }
}

/** Hits of a search; those of an organization stand below their spaces. */
export const searchColumns: Column[] = [
  title,
  { key: 'path', optional: true },
  { key: 'text', value: ({ sections }) => sections?.[0]?.body, optional: true },
  id,
];
