import { isAbsoluteAddress } from '../site/folder/folder-links.ts';
import type { LinkFinding } from './findings.ts';
import type { LinkedPage, Place } from './model.ts';
import { samePlace } from './proposals.ts';
import type { PublishedAddress, SiteAddresses } from './snapshot.ts';

/** The rules about addresses, with their descriptions. */
export const addressRules = {
  'lost-address': 'A published address that has neither a page nor a redirect.',
  'lost-anchor': 'A heading of a published page that no longer exists.',
  'reused-address': 'A published address that now has another page.',
  'moved-site': 'A site that was published at another address.',
  'redirect-chain': 'A redirect to an address that is redirected.',
  'redirect-loop': 'Redirects that lead to each other.',
} as const satisfies Record<string, string>;

/** A site as it is now, whose addresses are compared with those of a snapshot. */
export interface AddressedSite {
  /** As in the snapshot. */
  name: string;
  /** Where it is published, if the source knows it. */
  url?: string;
  pages: readonly LinkedPage[];
  /** @param address from the root of the site, decoded, without slashes at its ends */
  find(address: string): LinkedPage | 'redirect' | 'dead redirect' | undefined;
  /** An address for messages and redirects. */
  addressOf(page: LinkedPage): string;
  /** What a snapshot calls a page. */
  keyOf(page: LinkedPage): string;
  /** The page that a snapshot called like this. */
  pageNow(key: string): Promise<LinkedPage | undefined>;
  /** Where a finding about an address is. */
  placeOf(address: string): Place;
  /** Problems of the redirects themselves. */
  redirectProblems(): ProposedRedirect[];
}

/** A finding about a published address, with the redirect that keeps it alive. */
export interface ProposedRedirect {
  finding: LinkFinding;
  /** From the root of the site. */
  address: string;
  /** A page, or another website; undefined to remove the redirect, null if there is no certain one. */
  target: LinkedPage | string | undefined | null;
}

/** Compares the addresses of a site with those in a snapshot. */
export async function checkAddresses(site: AddressedSite, snapshot: SiteAddresses): Promise<ProposedRedirect[]> {
  const results: ProposedRedirect[] = [];
  if (site.url !== undefined && snapshot.url !== undefined && snapshot.url !== site.url) {
    const message = `The site was published at ${snapshot.url} and is now at ${site.url}. Redirect the old host.`;
    results.push({ ...problem(site, '', 'moved-site', message), target: null });
  }
  for (const published of snapshot.addresses) results.push(...(await checkAddress(site, published)));
  const reported = new Set(results.map(({ address }) => address));
  return [...results, ...site.redirectProblems().filter(({ address }) => !reported.has(address))];
}

async function checkAddress(site: AddressedSite, published: PublishedAddress): Promise<ProposedRedirect[]> {
  const { address, page: key } = published;
  const page = site.find(address);
  if (page === 'redirect') return [];
  if (page && page !== 'dead redirect') return checkPage(site, published, page);
  const message = `/${address} was published and ${page ? 'its redirect leads to no page' : 'has neither a page nor a redirect'}.`;
  const lost = (hint: string) => problem(site, address, 'lost-address', message + hint);
  if (isAbsoluteAddress(key)) return [certain(lost(` It led to ${key}.`), key, key)];
  const now = await site.pageNow(key);
  if (now) return [certain(lost(` Redirect it to ${site.addressOf(now)}.`), now, site.addressOf(now))];
  const near = samePlace(address, site.pages);
  return [{ ...lost(near ? ` Did you mean ${site.addressOf(near)}?` : ''), target: null }];
}

async function checkPage(
  site: AddressedSite,
  { address, page: key, anchors }: PublishedAddress,
  page: LinkedPage,
): Promise<ProposedRedirect[]> {
  const moved = site.keyOf(page) === key ? undefined : await site.pageNow(key);
  if (moved && moved !== page) {
    const message = `/${address} now shows "${page.title}". The page that was published there has moved to ${site.addressOf(moved)}.`;
    return [{ ...problem(site, address, 'reused-address', message), target: null }];
  }
  const present = anchors.length === 0 ? new Set() : await page.space.anchorsOf(page);
  return anchors.flatMap((anchor) => {
    if (present.has(anchor)) return [];
    const message = `/${address}#${anchor} was published, and the page has no such heading now.`;
    return [{ ...problem(site, address, 'lost-anchor', message), target: null }];
  });
}

function problem(site: AddressedSite, address: string, rule: keyof typeof addressRules, message: string) {
  const level = rule === 'lost-address' ? ('error' as const) : ('warning' as const);
  return { finding: { ...site.placeOf(address), rule, level, message, url: `/${address}` }, address };
}

const certain = (
  { finding, address }: Omit<ProposedRedirect, 'target'>,
  target: LinkedPage | string,
  destination: string,
): ProposedRedirect => ({ finding: { ...finding, target: destination, certain: true }, address, target });

/** A redirect to another redirect. @param targets addresses by those that are redirected */
export function chainProblem(
  source: string,
  targets: ReadonlyMap<string, string>,
  loops = loopsIn(targets),
): Pick<LinkFinding, 'rule' | 'level' | 'message'> | undefined {
  const next = sourceOf(targets.get(source) ?? '');
  if (!targets.has(next)) return undefined;
  if (loops.has(source)) {
    return { rule: 'redirect-loop', level: 'error', message: `The redirect of ${source} leads back to itself.` };
  }
  const message = `The redirect of ${source} leads to another redirect, of ${next} to ${targets.get(next)}. Redirect ${source} there.`;
  return { rule: 'redirect-chain', level: 'warning', message };
}

export const hiddenMessage = (source: string) => `The redirect of ${source} hides a page. Remove it.`;

/** The address that the target of a redirect names. */
export const sourceOf = (target: string): string => target.replace(/^\/+/, '').replace(/[?#].*$/s, '');

/** The sources of redirects that lead back to themselves. */
export function loopsIn(targets: ReadonlyMap<string, string>): ReadonlySet<string> {
  const visited = new Set<string>();
  const loops = new Set<string>();
  for (const source of targets.keys()) {
    const path: string[] = [];
    let next = source;
    for (; targets.has(next) && !visited.has(next); next = sourceOf(targets.get(next) ?? '')) {
      visited.add(next);
      path.push(next);
    }
    const start = path.indexOf(next);
    if (start >= 0) for (const each of path.slice(start)) loops.add(each);
  }
  return loops;
}
