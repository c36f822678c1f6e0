import type { ItemOf } from '../contract/endpoint.ts';
import type { sites } from '../contract/sites.ts';
import { html, type Html } from '../site/html.ts';

type Site = ItemOf<typeof sites.list>;

/** Whether a site is published, and for whom. */
export const siteState = ({ published, visibility }: Pick<Site, 'published' | 'visibility'>): Html =>
  published
    ? html`<span class="app-state app-good">published, ${visibilityTexts[visibility]}</span>`
    : html`<span class="app-state">not published</span>`;

const visibilityTexts: Record<Site['visibility'], string> = {
  public: 'for everybody',
  unlisted: 'for everybody, not in search engines',
  'share-link': 'with a share link',
  'visitor-auth': 'for visitors who sign in',
};
