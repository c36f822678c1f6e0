import { isObject } from '../shared/is-object.ts';
import { jsonOf } from '../shared/json-of.ts';

/** A published address. */
export interface PublishedAddress {
  /** From the root of the site, decoded, without slashes at its ends. */
  address: string;
  /** The page: its file in the folder, or its reference in the service. */
  page: string;
  /** The IDs in the page that links can lead to; empty for a redirect. */
  anchors: readonly string[];
}

/** The published addresses of a site. */
export interface SiteAddresses {
  /** The folder of the site, or its ID in the service. */
  site: string;
  /** Where a site of the service is published, without a slash at the end. */
  url?: string;
  addresses: readonly PublishedAddress[];
}

/** Larger files are no snapshots. */
const maxAddresses = 1_000_000;

/** One line for each address, so that a change of one page is a change of one line. */
export function writeSnapshot(sites: readonly SiteAddresses[]): string {
  const texts = sites.map(({ site, url, addresses }) => {
    const sorted = addresses.toSorted((one, other) => (one.address < other.address ? -1 : 1));
    const lines = sorted.map(({ address, page, anchors }) => `   ${JSON.stringify({ address, page, anchors })}`);
    const head = JSON.stringify({ site, url }).slice(0, -1);
    return `  ${head},"addresses":[\n${lines.join(',\n')}\n  ]}`;
  });
  return `{\n "version": 1,\n "sites": [\n${texts.join(',\n')}\n ]\n}\n`;
}

/** Reads a snapshot. Undefined if the text is none. */
export function readSnapshot(text: string): SiteAddresses[] | undefined {
  const value = jsonOf(text);
  if (!isObject(value) || value.version !== 1 || !Array.isArray(value.sites)) return undefined;
  const sites: SiteAddresses[] = [];
  let count = 0;
  for (const entry of value.sites as unknown[]) {
    if (!isObject(entry) || typeof entry.site !== 'string' || !Array.isArray(entry.addresses)) return undefined;
    const addresses = (entry.addresses as unknown[]).map(addressIn);
    if (!addresses.every((each) => each !== undefined)) return undefined;
    count += addresses.length;
    sites.push({ site: entry.site, ...(typeof entry.url === 'string' && { url: entry.url }), addresses });
  }
  return count > maxAddresses ? undefined : sites;
}

function addressIn(value: unknown): PublishedAddress | undefined {
  if (!isObject(value)) return undefined;
  const { address, page, anchors } = value;
  if (typeof address !== 'string' || typeof page !== 'string' || !Array.isArray(anchors)) return undefined;
  return { address, page, anchors: anchors.filter((anchor) => typeof anchor === 'string') };
}
