import { isObject } from '../../shared/is-object.ts';
import type { Column } from '../../cli/output/index.ts';
import type { content } from '../../contract/content.ts';
import type { ItemOf } from '../../contract/endpoint.ts';
import type { search } from '../../contract/search.ts';
import { linkingPageOf, targetOf } from '../../change-requests/link-places.ts';

export const id: Column = { key: 'id', title: 'ID', kind: 'id' };
export const title: Column = { key: 'title' };
export const created: Column = { key: 'createdAt', title: 'Created', kind: 'date', optional: true };
export const updated: Column = { key: 'updatedAt', title: 'Updated', kind: 'date', optional: true };
export const role: Column = { key: 'role', kind: 'role' };
export const app: Column = { key: 'urls.app', title: 'Address' };
export const published: Column = { key: 'urls.published', title: 'Published at' };

/** The possible results of a row in a file of people, in the order of a summary. */
export const outcomeStyle = {
  invited: 'good',
  changed: 'good',
  created: 'good',
  removed: 'warn',
  unchanged: 'dim',
  'member already': 'dim',
  repeated: 'dim',
  'not changed': 'bad',
  refused: 'bad',
  failed: 'bad',
  unknown: 'bad',
  'not sent': 'warn',
  'not tried': 'warn',
} as const;

/** The result of a row, why it failed, and its place in the file. */
export const resultColumns: Column[] = [
  { key: 'outcome', kind: 'state', style: outcomeStyle },
  { key: 'reason' },
  { key: 'line', kind: 'number', optional: true },
];

const visibilityTones = { public: 'good', unlisted: 'good', 'share-link': 'warn', 'visitor-auth': 'warn' } as const;
/** Who can see a space or a site. */
export const visibility: Column = { key: 'visibility', kind: 'state', style: visibilityTones, optional: true };

export const defaultLevel: Column = {
  key: 'defaultLevel',
  title: 'Default level',
  value: ({ defaultLevel: level }: { defaultLevel?: unknown }) => level ?? 'none',
};

/** The first line of a Markdown comment; undefined if the comment is a document. */
export const firstLine = ({ body }: { body: { markdown: string } | { document: unknown } }): string | undefined =>
  'markdown' in body ? body.markdown.trim().split('\n')[0] : undefined;

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

type Link = ItemOf<typeof content.links>;
export const linkColumns: Column<Link>[] = [
  { key: 'status', kind: 'state', style: { ok: 'good', broken: 'bad', 'in-app': 'warn' } },
  { key: 'target', value: targetOf },
  { key: 'page', title: 'On page', value: linkingPageOf },
  { key: 'times', kind: 'number', value: ({ locationReferences }) => locationReferences.length, optional: true },
  { key: 'relation', optional: true },
];

export const linkFailure = { key: 'status', words: ['broken', 'in-app'] };

type Backlink = ItemOf<typeof content.pageBacklinks>;

export const backlinkColumns: Column<Backlink>[] = [
  { key: 'page.title', title: 'Page', value: (backlink) => sourceOf(backlink).title },
  { key: 'page.path', title: 'Path', optional: true },
  { key: 'kind', optional: true },
  { key: 'page.id', title: 'ID', kind: 'id', value: (backlink) => sourceOf(backlink).id },
];

const sourceOf = (backlink: Backlink) => (backlink.kind === 'page' ? backlink.page : backlink.reusableContent);

type SpaceHits = ItemOf<typeof search.organization>;
type PageHit = ItemOf<typeof search.space>;

const text: Column<SpaceHits | PageHit> = {
  key: 'text',
  value: (hit) => ('sections' in hit ? hit.sections[0]?.body : undefined),
  optional: true,
};

/** Corrects misspelled words of a search. */
export const searchNote = (answer: unknown): string | undefined =>
  isObject(answer) && typeof answer['suggestion'] === 'string' ? `Did you mean "${answer['suggestion']}"?` : undefined;

export const searchColumns: Column<SpaceHits | PageHit>[] = [title, { key: 'path', optional: true }, text, id];

/** The matching pages of an organization, each with its space. */
export const pageHits = {
  columns: [title, { key: 'path' }, { key: 'space.title', title: 'Space' }, text, id],
  of: ({ pages, id: spaceId, title: spaceTitle }: SpaceHits) =>
    pages.map((page) => ({ ...page, space: { id: spaceId, title: spaceTitle } })),
};
