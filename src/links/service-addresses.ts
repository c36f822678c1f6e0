import { decodeAddress } from '../shared/decode.ts';
import { trimSlashes } from '../shared/trim-slashes.ts';
import { spacesAt } from '../site/contents.ts';
import {
  type AddressedSite,
  chainProblem,
  hiddenMessage,
  loopsIn,
  type ProposedRedirect,
  sourceOf,
} from './check-addresses.ts';
import type { LinkedPage, Place, PublishedPlace } from './model.ts';
import type { KnownRedirect } from './redirect-file.ts';
import type { SiteAddresses } from './snapshot.ts';

const keyOf = ({ space, key }: LinkedPage) => `/spaces/${space.id}/pages/${key}`;

const addressIn = ({ address }: PublishedPlace, page: LinkedPage) => [address, page.address].filter(Boolean).join('/');

/** The published sites of an organization, in the order of their places. */
export const publishedSites = (places: readonly PublishedPlace[]): PublishedPlace[][] => [
  ...Map.groupBy(places, ({ site }) => site.id).values(),
];

/** All addresses of a published site, with their anchors. */
export async function addressesOfSite(places: readonly PublishedPlace[]): Promise<SiteAddresses> {
  const addresses: SiteAddresses['addresses'][number][] = [];
  for (const place of places) {
    for (const page of place.space.pages) {
      const anchors = [...(await page.space.anchorsOf(page))].toSorted();
      addresses.push({ address: addressIn(place, page), page: keyOf(page), anchors });
    }
  }
  const [{ site } = { site: { id: '', url: '' } }] = places;
  return { site: site.id, url: site.url, addresses };
}

interface SitesToCheck {
  /** Also of other sites. */
  all: readonly PublishedPlace[];
  redirects: readonly KnownRedirect[];
  /** Whether redirects without a host are those of this site. */
  isOnly: boolean;
}

/** A published site of the service. Its redirects cannot be read there, so that they come from a file. */
export class AddressedService implements AddressedSite {
  readonly name: string;
  readonly url: string;
  readonly pages: readonly LinkedPage[];
  readonly #places: readonly PublishedPlace[];
  readonly #all: readonly PublishedPlace[];
  readonly #redirects = new Map<string, KnownRedirect>();

  constructor(places: readonly PublishedPlace[], { all, redirects, isOnly }: SitesToCheck) {
    const [{ site } = { site: { id: '', url: '' } }] = places;
    this.name = site.id;
    this.url = site.url;
    this.pages = places.flatMap(({ space }) => space.pages);
    this.#places = places;
    this.#all = all;
    for (const redirect of redirects) {
      const path = this.#pathOf(redirect.source, isOnly);
      if (path !== undefined) this.#redirects.set(path, redirect);
    }
  }

  find(address: string): LinkedPage | 'redirect' | 'dead redirect' | undefined {
    const page = this.#pageAt(address);
    if (page) return page;
    if (!this.#redirects.has(address)) return undefined;
    const visited = new Set<string>();
    let next = address;
    for (
      let redirect = this.#redirects.get(next);
      redirect && !visited.has(next);
      redirect = this.#redirects.get(next)
    ) {
      visited.add(next);
      const path = this.#pathOf(redirect.destination, true);
      if (path === undefined || this.#pageAt(path)) return 'redirect';
      next = path;
    }
    return 'dead redirect';
  }

  addressOf(page: LinkedPage): string {
    const own = this.#places.find(({ space }) => space === page.space);
    if (own) return `/${encodeURI(addressIn(own, page))}`;
    const other = this.#all.find(({ space }) => space === page.space);
    return other ? [other.site.url, encodeURI(addressIn(other, page))].join('/') : '';
  }

  keyOf(page: LinkedPage): string {
    return keyOf(page);
  }

  async pageNow(key: string): Promise<LinkedPage | undefined> {
    const [, id, page = ''] = /^\/spaces\/([^/]+)\/pages\/([^/]+)$/.exec(key) ?? [];
    const isOwn = (place: PublishedPlace) => place.space.id === id;
    return (this.#places.find(isOwn) ?? this.#all.find(isOwn))?.space.pageOf(page);
  }

  placeOf(): Place {
    return { subject: this.url };
  }

  redirectProblems(): ProposedRedirect[] {
    const targets = new Map(
      [...this.#redirects].map(([source, { destination }]) => [source, this.#pathOf(destination, true) ?? destination]),
    );
    const loops = loopsIn(targets);
    return [...this.#redirects].flatMap(([source, { file, line }]): ProposedRedirect[] => {
      const target = sourceOf(targets.get(source) ?? '');
      const add = (finding: Pick<ProposedRedirect['finding'], 'rule' | 'level' | 'message'>): ProposedRedirect[] => [
        { finding: { file, line, url: `/${source}`, ...finding }, address: source, target: null },
      ];
      if (this.#pageAt(source)) {
        return add({ rule: 'redirect-hides-page', level: 'error', message: hiddenMessage(source) });
      }
      if (this.#pageAt(target) || /^https?:/i.test(target)) return [];
      const chain = chainProblem(source, targets, loops);
      const message = `The redirect of ${source} leads to /${target}, which has no page.`;
      return add(chain ?? { rule: 'redirect-target', level: 'error', message });
    });
  }

  #pageAt(address: string): LinkedPage | undefined {
    for (const [{ space }, rest] of spacesAt(this.#places, address)) {
      const page = space.pageAt(rest);
      if (page) return page;
    }
    return undefined;
  }

  /** The path of an address of this site. @param isOwn whether paths without a host are those of this site */
  #pathOf(address: string, isOwn: boolean): string | undefined {
    const path = address.startsWith(`${this.url}/`) ? address.slice(this.url.length) : address;
    if (/^https?:/i.test(path) || (path === address && !isOwn)) return undefined;
    return decodeAddress(trimSlashes(path.replace(/[?#].*$/s, '')));
  }
}
