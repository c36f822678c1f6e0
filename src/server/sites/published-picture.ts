import { LruCache } from '../../shared/lru-cache.ts';
import { lookOf } from '../../site/look.ts';
import type { SocialPictures } from '../../site/social/social-picture.ts';
import type { InstanceResponse } from '../engine/request.ts';
import type { PublishedEntry, PublishedSpace } from './published-outline.ts';
import { fileResponse } from './published-page.ts';
import { settingsOf, type SiteVisit } from './published-visit.ts';

const drawings = new LruCache<SocialPictures>(20);
const pictures = new LruCache<Uint8Array>(4_000_000, ({ length }) => length);

/** The picture of a page that other services show with a link to it. */
export function answerPicture(
  visit: SiteVisit,
  { siteSpace }: PublishedSpace,
  { title }: PublishedEntry,
): () => Promise<InstanceResponse> {
  const settings = settingsOf(visit, siteSpace);
  const site = { title: settings.title ?? visit.site.title, color: lookOf(settings).primaryColor.light };
  const look = JSON.stringify(site);
  const key = look + title;
  return async () => {
    const { SocialPictures: Pictures } = await import('../../site/social/social-picture.ts');
    const drawing = drawings.get(look) ?? new Pictures(site);
    drawings.set(look, drawing);
    // A title with letters that the font lacks cannot be drawn.
    const bytes = pictures.get(key) ?? drawing.draw(title) ?? drawing.draw(site.title) ?? drawing.draw('');
    if (bytes) pictures.set(key, bytes);
    return fileResponse('image/png', bytes ?? '');
  };
}
