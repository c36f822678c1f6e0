import type { ReadFolder } from './folder-world.ts';
import { addressesOf, checkAddresses, type ProposedRedirect } from './check-addresses.ts';
import type { LinkFinding } from './findings.ts';
import type { SiteAddresses } from './snapshot.ts';
import { writeRedirects } from './write-redirects.ts';

export interface SnapshotCheck {
  findings: LinkFinding[];
  pages: number;
  /** How many addresses were checked. */
  addresses: number;
  redirects: { folder: ReadFolder; redirects: ProposedRedirect[] }[];
  /** Sites that were not checked. */
  others: SiteAddresses[];
}

/** The snapshot has no addresses of a folder. */
export class UnknownSite extends Error {}

/**
 * Compares folders with a snapshot.
 *
 * @param isWhole whether the folders are all that are published
 * @throws UnknownSite
 */
export async function checkSnapshot(
  folders: readonly ReadFolder[],
  snapshot: readonly SiteAddresses[],
  isWhole: boolean,
): Promise<SnapshotCheck> {
  const result: SnapshotCheck = { findings: [], pages: 0, addresses: 0, redirects: [], others: [] };
  const checked = new Set<SiteAddresses>();
  for (const folder of folders) {
    const { name } = folder.docs;
    const only = folders.length === 1 && snapshot.length === 1 ? snapshot[0] : undefined;
    const own = snapshot.find(({ site }) => site === name) ?? only;
    if (!own) throw new UnknownSite(`The snapshot has no addresses of ${name}.`);
    checked.add(own);
    const { findings, addresses, redirects } = await checkAddresses(folder, own);
    result.findings = [...result.findings, ...findings];
    result.addresses += addresses;
    result.pages += folder.spaces.reduce((sum, { pages }) => sum + pages.length, 0);
    result.redirects.push({ folder, redirects: [...redirects.values()] });
  }
  const others = snapshot.filter((site) => !checked.has(site));
  if (!isWhole) return { ...result, others };
  for (const each of others) {
    result.addresses += each.addresses.length;
    result.findings = [...result.findings, ...lostSite(each)];
  }
  return result;
}

const lostSite = ({ site, addresses }: SiteAddresses): LinkFinding[] =>
  addresses.map(({ address }) => ({
    subject: site,
    rule: 'lost-address',
    level: 'error',
    message: `/${address} of ${site} was published, and ${site} is not under "content:".`,
    url: `/${address}`,
  }));

/** Writes the certain redirects. @returns why those of a file were not written, by file */
export async function fixSnapshot(
  { redirects }: SnapshotCheck,
  options: { dryRun: boolean },
): Promise<Map<string, string>> {
  const failed = new Map<string, string>();
  for (const { folder, redirects: own } of redirects) {
    for (const each of await writeRedirects(folder.site, own, options)) failed.set(...each);
  }
  return failed;
}

/** The redirects in the columns of an import. */
export const redirectRows = ({ redirects }: SnapshotCheck): { source: string; destination: string }[] =>
  redirects.flatMap((each) =>
    each.redirects.flatMap(({ address: source, destination, target }) =>
      target === undefined ? [] : [{ source, destination }],
    ),
  );

export interface NewSnapshot {
  sites: SiteAddresses[];
  /** Addresses of these folders that were in the snapshot before and have disappeared since. */
  lost: number;
}

/** The addresses of folders. Those that have disappeared since the snapshot before stay in it, as do other sites. */
export async function takeSnapshot(
  folders: readonly ReadFolder[],
  before: readonly SiteAddresses[],
): Promise<NewSnapshot> {
  const sites: SiteAddresses[] = [];
  let lost = 0;
  for (const folder of folders) {
    const now = await addressesOf(folder);
    const published = new Set(now.addresses.map(({ address }) => address));
    const former = before.find(({ site }) => site === now.site)?.addresses ?? [];
    const gone = former.filter(({ address }) => !published.has(address));
    lost += gone.length;
    sites.push({ ...now, addresses: [...now.addresses, ...gone] });
  }
  const others = before.filter(({ site }) => sites.every((each) => each.site !== site));
  return { sites: [...sites, ...others], lost };
}
