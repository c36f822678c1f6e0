import type { InlineLink } from '../../contract/pages.ts';

/** A relative reference (API description, open parts, 1.5): what a link in a document's tree points at. */
export type Reference = InlineLink['data']['ref'];

const id = '[A-Za-z][A-Za-z0-9]{11}';
const inSpace = `(?:/spaces/(?<space>${id}))?`;
// slow-regexp: ids of 12 characters, and one run to the end
const address = (path: string) => new RegExp(`^${path}$`);
const shapes: [RegExp, (groups: Record<string, string | undefined>) => Reference][] = [
  [/^#(?<anchor>.+)$/, (g) => ({ kind: 'anchor', anchor: g['anchor']! })],
  [
    address(`${inSpace}/pages/(?<page>${id})(?:#(?<anchor>.+))?`),
    ({ page, anchor, space }) =>
      anchor === undefined
        ? { kind: 'page', page: page!, ...(space && { space }) }
        : { kind: 'anchor', anchor, page: page!, ...(space && { space }) },
  ],
  [address(`/files/(?<file>${id})`), (g) => ({ kind: 'file', file: g['file']! })],
  [address(`/users/(?<user>${id})`), (g) => ({ kind: 'user', user: g['user']! })],
  [address(`/collections/(?<collection>${id})`), (g) => ({ kind: 'collection', collection: g['collection']! })],
  [address(`/spaces/(?<space>${id})`), (g) => ({ kind: 'space', space: g['space']! })],
  [
    address(`${inSpace}/reusable-contents/(?<content>${id})`),
    ({ content, space }) => ({ kind: 'reusable-content', reusableContent: content!, ...(space && { space }) }),
  ],
  [/^\/openapi\/(?<spec>[a-z0-9]+(?:-[a-z0-9]+)*)$/, (g) => ({ kind: 'openapi', spec: g['spec']! })],
  [
    address(`/spaces/(?<space>${id})#(?<anchor>.+)`),
    (g) => ({ kind: 'anchor', anchor: g['anchor']!, space: g['space']! }),
  ],
];

/** What a Markdown address refers to; any that is no address of ours is a `url`. */
export function referenceOf(url: string): Reference {
  for (const [shape, make] of shapes) {
    const groups = shape.exec(url)?.groups;
    if (groups) return make(groups);
  }
  return { kind: 'url', url };
}

/** The address that `referenceOf` reads back. */
export function addressOf(reference: Reference): string {
  const space = 'space' in reference && reference.space ? `/spaces/${reference.space}` : '';
  switch (reference.kind) {
    case 'url':
      return reference.url;
    case 'file':
      return `/files/${reference.file}`;
    case 'page':
      return `${space}/pages/${reference.page}`;
    case 'anchor':
      return `${space}${reference.page ? `/pages/${reference.page}` : ''}#${reference.anchor}`;
    case 'space':
      return space;
    case 'user':
      return `/users/${reference.user}`;
    case 'collection':
      return `/collections/${reference.collection}`;
    case 'reusable-content':
      return `${space}/reusable-contents/${reference.reusableContent}`;
    case 'openapi':
      return `/openapi/${reference.spec}`;
  }
}
