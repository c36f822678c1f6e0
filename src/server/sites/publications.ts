import { type Publication, publicationsOf } from '../../store/publications.ts';
import type { Db } from '../../store/store.ts';
import { pathPart, siteAddress } from './site-address.ts';

/** Who can read a space, and at which address. */
export interface PublicationState {
  visibility: Publication['visibility'] | 'private';
  urls: { published?: string | undefined; public?: string | undefined };
}

/**
 * For each space, the state in its most widely visible published site.
 *
 * @param shareKey without the key of an active link, a site of visibility `share-link` has no address here
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
    const { visibility } = publication;
    const address = addressOf(base, publication, shareKey);
    if (address === undefined) return { visibility, urls: {} };
    const isForAnybody = visibility === 'public' || visibility === 'unlisted';
    return { visibility, urls: { published: address, public: isForAnybody ? address : undefined } };
  };
}

function addressOf(base: string, publication: Publication, shareKey: string | undefined): string | undefined {
  const { organization, organization_hostname, section_path, path } = publication;
  const site = siteAddress(base, { id: organization, hostname: organization_hostname }, publication);
  const below = pathPart(section_path) + pathPart(path);
  if (publication.visibility !== 'share-link') return site + below;
  return publication.opened === 1 && shareKey !== undefined ? site + pathPart(shareKey) + below : undefined;
}
