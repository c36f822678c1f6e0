import { pathFrom, uniqueSlug } from '../../content/markdown/slug.ts';
import type { SiteFile } from '../files/schemas.ts';
import { kinds, pathOf } from '../parts.ts';
import type { Draft } from './draft.ts';

/** The basenames of sites: in the service, and those that the files have. */
export class Basenames {
  readonly #desired: readonly [name: string, site: SiteFile][];
  readonly #current: ReadonlyMap<string, SiteFile>;
  /** Basenames that no further site can get. */
  readonly #taken: Set<string>;

  constructor({ desired, current }: Draft['input']) {
    this.#desired = kinds.site.objects(desired) ?? [];
    this.#current = new Map(kinds.site.objects(current));
    const sites = [...this.#current.values(), ...this.#desired.map(([, site]) => site)];
    this.#taken = new Set(sites.flatMap(({ basename }) => basename ?? []));
  }

  /** Refuses a basename that two sites would have. A site whose file has none keeps its own. */
  refuseDouble(draft: Draft): void {
    const owners = new Map<string, string>();
    for (const [name, site] of this.#desired) {
      const basename = site.basename ?? this.#current.get(name)?.basename;
      const other = basename === undefined ? undefined : owners.get(basename);
      if (basename !== undefined) owners.set(basename, name);
      if (other === undefined) continue;
      const [at, owner] = site.basename === undefined ? [other, name] : [name, other];
      draft.refuse(pathOf('sites', at), ['basename'], `the site "${owner}" has this basename, too; choose another one`);
    }
  }

  /** The site of the files that has a basename. */
  siteWith(basename: string | undefined): string | undefined {
    return this.#desired.find(([, site]) => basename !== undefined && site.basename === basename)?.[0];
  }

  /** The basename of a new site whose file has none, if its automatic one may be that of another site. */
  chosenFor(name: string, { title = name, basename }: SiteFile): string | undefined {
    if (basename !== undefined || !this.#isWanted(name, title)) return undefined;
    const chosen = uniqueSlug(pathFrom(title, 'site'), this.#taken);
    this.#taken.add(chosen);
    return chosen;
  }

  /** Whether another site gets the basename that this one has until it gets its own. */
  isTakenOver(name: string, { title = name }: Pick<SiteFile, 'title'>): boolean {
    const before = this.#current.get(name);
    if (!before) return this.#isWanted(name, title);
    const other = this.siteWith(before.basename);
    return other !== undefined && other !== name;
  }

  /** Whether another site changes to a basename that the service may choose for a new site with this title. */
  #isWanted(name: string, title: string): boolean {
    const automatic = pathFrom(title, 'site');
    const isAutomatic = (basename: string) =>
      basename === automatic ||
      (basename.startsWith(`${automatic}-`) && /^\d+$/.test(basename.slice(automatic.length + 1)));
    return this.#desired.some(
      ([other, { basename }]) =>
        other !== name &&
        basename !== undefined &&
        basename !== this.#current.get(other)?.basename &&
        isAutomatic(basename),
    );
  }
}
