import { type FlatSpace, spaceKey } from './site-structure.ts';
import type { SitePlan } from './site-plan.ts';

/** Ids of the parts of a site, or placeholders of those that the plan makes. */
export class StructureIds {
  readonly #plan: SitePlan;
  /** Keys of site spaces that got into a section, by the keys that they have there. */
  readonly #gathered = new Map<string, string>();

  constructor(plan: SitePlan) {
    this.#plan = plan;
  }

  section(path: string): string {
    return this.#plan.draft.otherId(`section/${this.#plan.name}/${path}`);
  }

  group(title: string): string {
    return this.#plan.draft.otherId(`group/${this.#plan.name}/${title}`);
  }

  space(space: Pick<FlatSpace, 'section' | 'space'>): string {
    const key = spaceKey(space);
    return this.#plan.draft.otherId(`site space/${this.#plan.name}/${this.#gathered.get(key) ?? key}`);
  }

  /** Says that a site space outside sections comes into a section, with its id. */
  gather(space: FlatSpace, section: string): FlatSpace {
    const gathered = { ...space, section };
    this.#gathered.set(spaceKey(gathered), spaceKey(space));
    return gathered;
  }

  /** Placeholders without braces. */
  made(kind: 'section' | 'group' | 'site space', key: string): string {
    return `${kind}/${this.#plan.name}/${key}`;
  }
}
