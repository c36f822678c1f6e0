/** The parts of the published address of a site. */
export interface AddressParts {
  hostname: string | null;
  proxy: string | null;
  basename: string;
}

interface Owner {
  id: string;
  hostname: string | null;
}

/** The address of a site on this instance. */
export const instanceAddress = (base: string, org: Owner, { basename }: Pick<AddressParts, 'basename'>): string =>
  `${base}/published/${pathPart(org.hostname ?? org.id)}${pathPart(basename)}`;

/** The address of a site for readers: its hostname, or else its proxy, or else this instance. */
export function siteAddress(base: string, org: Owner, site: AddressParts): string {
  if (site.hostname !== null) return `https://${site.hostname}/`;
  if (site.proxy !== null) return `https://${site.proxy}/`;
  return instanceAddress(base, org, site);
}

/** A part of a path with a slash after it; "" for a default, which has no part. */
export const pathPart = (path: string | null): string => (path === null ? '' : `${encodeURIComponent(path)}/`);
