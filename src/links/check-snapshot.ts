import { type AddressedSite, checkAddresses, type ProposedRedirect } from './check-addresses.ts';
import type { LinkFinding } from './findings.ts';
import type { AddressedFolder } from './folder-addresses.ts';
import type { SiteAddresses } from './snapshot.ts';
import { writeRedirects } from './write-redirects.ts';

export interface SnapshotCheck<Site extends AddressedSite = AddressedSite> {
  findings: LinkFinding[];
  pages: number;
  /** How many addresses were checked. */
  addresses: number;
  /** Those that are certain. */
  redirects: { site: Site; redirects: ProposedRedirect[] }[];
  /** Sites that were not checked. */
  others: SiteAddresses[];
}

/** The snapshot has no addresses of a site. */
export class UnknownSite extends Error {}

/**
 * Compares sites with a snapshot.
 *
 * @param lostSite the message about an address of a site that is gone, if these sites are all that are published
 * @throws UnknownSite
 */
export async function checkSnapshot<Site extends AddressedSite>(
  sites: readonly Site[],
  snapshot: readonly SiteAddresses[],
  lostSite: ((site: SiteAddresses, address: string) => string) | undefined,
): Promise<SnapshotCheck<Site>> {
  const result: SnapshotCheck<Site> = { findings: [], pages: 0, addresses: 0, redirects: [], others: [] };
  const checked = new Set<SiteAddresses>();
  for (const site of sites) {
    const only = sites.length === 1 && snapshot.length === 1 && site.url === undefined ? snapshot[0] : undefined;
    const own = snapshot.find((each) => each.site === site.name) ?? only;
    if (!own) throw new UnknownSite(`The snapshot has no addresses of ${site.url ?? site.name}.`);
    checked.add(own);
    const results = await checkAddresses(site, own);
    result.findings = [...result.findings, ...results.map(({ finding }) => finding)];
    result.addresses += own.addresses.length;
    result.pages += site.pages.length;
    result.redirects.push({ site, redirects: results.filter(({ target }) => target !== null) });
  }
  const others = snapshot.filter((site) => !checked.has(site));
  if (!lostSite) return { ...result, others };
  for (const each of others) {
    result.addresses += each.addresses.length;
    result.findings = [...result.findings, ...lostAddresses(each, lostSite)];
  }
  return result;
}

const lostAddresses = (
  lost: SiteAddresses,
  messageOf: (site: SiteAddresses, address: string) => string,
): LinkFinding[] =>
  lost.addresses.map(({ address }) => ({
    subject: lost.url ?? lost.site,
    rule: 'lost-address',
    level: 'error',
    message: messageOf(lost, address),
    url: `/${address}`,
  }));

/** Writes the certain redirects. @returns why those of a file were not written, by file */
export async function fixSnapshot(
  { redirects }: SnapshotCheck<AddressedFolder>,
  options: { dryRun: boolean },
): Promise<Map<string, string>> {
  const failed = new Map<string, string>();
  for (const { site, redirects: own } of redirects) {
    const written = own.flatMap((each) => site.redirectOf(each) ?? []);
    for (const each of await writeRedirects(site.site, written, options)) failed.set(...each);
  }
  return failed;
}

/** The redirects in the columns of an import. With several published sites, the sources have their hosts. */
export function redirectRows({ redirects }: SnapshotCheck): { source: string; destination: string }[] {
  const hasHosts = redirects.length > 1;
  return redirects.flatMap(({ site, redirects: own }) => {
    const host = hasHosts ? (site.url ?? '') : '';
    return own.flatMap(({ address, finding: { target: destination } }) =>
      destination === undefined ? [] : [{ source: `${host}/${address}`, destination }],
    );
  });
}

export interface NewSnapshot {
  sites: SiteAddresses[];
  /** Addresses of these sites that were in the snapshot before and have disappeared since. */
  lost: number;
}

/** The addresses of sites. Those that have disappeared since the snapshot before stay in it, as do other sites. */
export function takeSnapshot(now: readonly SiteAddresses[], before: readonly SiteAddresses[]): NewSnapshot {
  const sites: SiteAddresses[] = [];
  let lost = 0;
  for (const site of now) {
    const published = new Set(site.addresses.map(({ address }) => address));
    const former = before.find((each) => each.site === site.site)?.addresses ?? [];
    const gone = former.filter(({ address }) => !published.has(address));
    lost += gone.length;
    sites.push({ ...site, addresses: [...site.addresses, ...gone] });
  }
  const others = before.filter(({ site }) => sites.every((each) => each.site !== site));
  return { sites: [...sites, ...others], lost };
}
