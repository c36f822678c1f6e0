import { html, type Html } from '../site/html.ts';
import type { NavigationItem, SiteLink } from '../site/model.ts';
import type { Opened, Space } from './contents.ts';
import type { Frame } from './frame.ts';
import { organizationFrame } from './organization-frame.ts';
import { hrefOf, type Visit } from './visit.ts';

export const titleOf = ({ title }: Pick<Space, 'title'>): string => (title === '' ? 'Untitled' : title);

/** The frame of the pages of a space, with its tree of pages. @param current the ID of the current page */
export async function spaceFrame(visit: Visit, space: Space, opened?: Opened, current = ''): Promise<Frame> {
  const navigation = opened ? navigationOf(opened, current) : [];
  const { frame } = await organizationFrame(visit, space.organization, { tab: 'spaces', navigation });
  return frame;
}

function navigationOf({ content, changes }: Opened, current: string): NavigationItem[] {
  const { hrefOfEntry } = content;
  const contents = changes?.contents ?? content.contents;
  const items = contents.navigationFor(contents.find(current), hrefOfEntry);
  if (!changes) return items;
  return [...items, ...changes.deleted.navigationFor(changes.deleted.find(current), hrefOfEntry)];
}

export const spaceTrail = (visit: Visit, space: Space): SiteLink[] => [
  { title: 'Spaces', href: hrefOf(visit, space.organization) },
  { title: titleOf(space), href: hrefOf(visit, space.organization, 's', space.id) },
];

/** Links to what a space has besides pages. */
export function spaceBar(visit: Visit, { id, organization, changeRequestsOpen, comments }: Space): Html {
  const at = (...parts: string[]) => hrefOf(visit, organization, 's', id, ...parts);
  return html`<nav class="app-bar" aria-label="Space">
    <a href="${at()}">Pages</a>
    <a href="${at('~requests')}">Change requests${changeRequestsOpen > 0 && html` <b>${changeRequestsOpen}</b>`}</a>
    <a href="${at('~comments')}">Comments${comments > 0 && html` <b>${comments}</b>`}</a>
    <a href="${at('~revisions')}">Revisions</a>
  </nav>`;
}
