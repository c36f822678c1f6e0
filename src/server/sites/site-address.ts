/** What the published address of a site is made of. */
export interface Addressed {
  hostname: string | null;
  proxy: string | null;
  basename: string;
}

interface Owner {
  id: string;
  hostname: string | null;
}

/** Where the instance itself answers for a site. */
export const ownAddress = (base: string, org: Owner, { basename }: Pick<Addressed, 'basename'>): string =>
  `${base}/published/${part(org.hostname ?? org.id)}${part(basename)}`;

/** Where readers find a site: its hostname, else what a proxy serves it under, else the instance (open parts, 7). */
export function siteAddress(base: string, org: Owner, site: Addressed): string {
  if (site.hostname !== null) return `https://${site.hostname}/`;
  if (site.proxy !== null) return `https://${site.proxy}/`;
  return ownAddress(base, org, site);
}

/** One part of an address with the slash after it; nothing for what has none, as a default has. */
export const part = (path: string | null): string => (path === null ? '' : `${encodeURIComponent(path)}/`);
