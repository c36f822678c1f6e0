import type { SectionEntry, SiteFile, SiteSpaceEntry } from '../files/schemas.ts';
import type { SitePlan } from './site-plan.ts';

type Structure = NonNullable<SiteFile['structure']>;
type Path = readonly PropertyKey[];

interface Placed {
  at: Path;
  path?: string | undefined;
  isDefault?: boolean | undefined;
}

/** Refuses what no site can have, before anything is sent. @returns whether there was something */
export function refuseStructure({ draft, file }: SitePlan, structure: Structure): boolean {
  const count = draft.problems.length;
  const refuse = (at: Path, message: string) => draft.refuse(file, ['structure', ...at], message);
  const sections = [...sectionsIn(structure)];
  const lists = sections.map(({ entry, at }) => placed(entry.spaces, [...at, 'spaces']));
  if (sections.length === 0) {
    const group = structure.findIndex((entry) => 'group' in entry);
    if (group >= 0) refuse([group], 'a group is in a site with sections only: name a section in it, or leave it out');
    lists.push(placed(structure.filter((entry): entry is SiteSpaceEntry => 'space' in entry)));
  }
  for (const list of lists) {
    refuseTwice(
      list,
      ({ path }) => path,
      (at, path) => refuse([...at, 'path'], `the path "${path}" is there twice in one place`),
    );
    refuseTwice(list, oneDefault, (at) =>
      refuse([...at, 'default'], 'two spaces of one place cannot both be shown first'),
    );
  }
  refuseTwice(
    sections.map(({ entry, at }) => ({ at, isDefault: entry.default })),
    oneDefault,
    (at) => refuse([...at, 'default'], 'two sections cannot both be shown first'),
  );
  return draft.problems.length > count;
}

const oneDefault = ({ isDefault }: Placed) => (isDefault ? 'default' : undefined);

const placed = (spaces: readonly SiteSpaceEntry[], at: Path = []): Placed[] =>
  spaces.map(({ path, default: isDefault }, index) => ({ at: [...at, index], path, isDefault }));

function* sectionsIn(structure: Structure, above: Path = []): Generator<{ entry: SectionEntry; at: Path }> {
  for (const [index, entry] of structure.entries()) {
    const at = [...above, index];
    if ('group' in entry) yield* sectionsIn(entry.sections, [...at, 'sections']);
    else if ('section' in entry) yield { entry, at };
  }
}

function refuseTwice(
  list: readonly Placed[],
  keyOf: (item: Placed) => string | undefined,
  refuse: (at: Path, key: string) => void,
): void {
  const seen = new Set<string>();
  for (const item of list) {
    const key = keyOf(item);
    if (key === undefined) continue;
    if (seen.has(key)) refuse(item.at, key);
    seen.add(key);
  }
}
