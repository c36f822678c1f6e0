import type { InlineLink } from '../../contract/pages.ts';

/** What a link in a document tree points to. */
export type Reference = InlineLink['data']['ref'];

const id = '[A-Za-z][A-Za-z0-9]{11}';
const inSpace = `(?:/spaces/(?<space>${id}))?`;
// slow-regexp: IDs of 12 characters, and one run to the end
const address = (path: string) => new RegExp(`^${path}$`);
type Make = (id: string, space: string | undefined, anchor: string) => Reference;

/** The forms of an address, with the groups `id`, `space` and `anchor`, and the reference for each form. */
const shapes: [RegExp, Make][] = [
  [/^#(?<anchor>.+)$/, (_, __, anchor) => ({ kind: 'anchor', anchor })],
  [
    address(`${inSpace}/pages/(?<id>${id})(?:#(?<anchor>.+))?`),
    (page, space, anchor) =>
      anchor === ''
        ? { kind: 'page', page, ...(space && { space }) }
        : { kind: 'anchor', anchor, page, ...(space && { space }) },
  ],
  [address(`/files/(?<id>${id})`), (file) => ({ kind: 'file', file })],
  [address(`/users/(?<id>${id})`), (user) => ({ kind: 'user', user })],
  [address(`/collections/(?<id>${id})`), (collection) => ({ kind: 'collection', collection })],
  [address(`/spaces/(?<id>${id})`), (space) => ({ kind: 'space', space })],
  [
    address(`${inSpace}/reusable-contents/(?<id>${id})`),
    (reusableContent, space) => ({ kind: 'reusable-content', reusableContent, ...(space && { space }) }),
  ],
  [/^\/openapi\/(?<id>[a-z0-9]+(?:-[a-z0-9]+)*)$/, (spec) => ({ kind: 'openapi', spec })],
  [address(`/spaces/(?<id>${id})#(?<anchor>.+)`), (space, _, anchor) => ({ kind: 'anchor', anchor, space })],
];

/** Parses an address in Markdown. Addresses outside of this service become a `url`. */
export function referenceOf(url: string): Reference {
  for (const [shape, make] of shapes) {
    const groups = shape.exec(url)?.groups;
    if (groups) return make(groups['id'] ?? '', groups['space'], groups['anchor'] ?? '');
  }
  return { kind: 'url', url };
}

/** The address of a reference, as `referenceOf` parses it. */
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
