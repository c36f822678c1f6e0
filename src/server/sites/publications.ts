import { type Publication, publicationsOf } from '../../store/publications.ts';
import type { Db } from '../../store/store.ts';
import { part, siteAddress } from './site-address.ts';

/** How far a space is open to readers, and where they find it. */
export interface PublicationState {
  visibility: 'public' | 'unlisted' | 'share-link' | 'visitor-auth' | 'private';
  urls: { published?: string; public?: string };
}

/**
 * Of each space, what the most open published site that it is in makes of it (open parts, 7).
 *
 * @param shareKey without the key of an active link, a site of visibility `share-link` tells no address
 */
export async function publicationState(
  { db, base }: { db: Db; base: string },
  spaces: string[],
  shareKey?: string,
): Promise<(space: string) => PublicationState> {
  const publications = await publicationsOf(db, spaces, shareKey);
  return (space) => {
    const publication = publications.get(space);
    if (!publication) return { visibility: 'private', urls: {} };
    const visibility = publication.visibility as PublicationState['visibility'];
    const address = addressOf(base, publication, shareKey);
    if (address === undefined) return { visibility, urls: {} };
    const anybody = visibility === 'public' || visibility === 'unlisted';
    return { visibility, urls: { published: address, ...(anybody ? { public: address } : {}) } };
  };
}

function addressOf(base: string, publication: Publication, shareKey: string | undefined): string | undefined {
  const { organization, organization_hostname, section_path, path } = publication;
  const site = siteAddress(base, { id: organization, hostname: organization_hostname }, publication);
  const below = part(section_path) + part(path);
  if (publication.visibility !== 'share-link') return site + below;
  return publication.opened === 1 ? site + part(shareKey!) + below : undefined;
}
