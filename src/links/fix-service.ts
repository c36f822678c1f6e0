import type { ContentPort } from '../sync/read-remote.ts';
import type { PlacedFinding } from './check-links.ts';
import { withFixes } from './fix-folders.ts';
import type { ServiceWorld } from './service-world.ts';
import { type PageChange, type PageChanger, pathOf, planSpace, type SpaceChanges, stateOf } from './space-changes.ts';

/** The certain fixes of a space, as changes of its pages. */
export interface SpaceFixes {
  plan: SpaceChanges;
  changer: PageChanger;
  /** By page. */
  findings: ReadonlyMap<string, readonly PlacedFinding[]>;
  /** Fixes that the API cannot write. */
  impossible: { finding: PlacedFinding; reason: string }[];
}

/** Plans the certain fixes of findings, for a change request in each space. */
export async function planFixes(
  port: ContentPort,
  { spaces }: ServiceWorld,
  fixable: readonly PlacedFinding[],
  subject: string,
): Promise<SpaceFixes[]> {
  const certain = Map.groupBy(
    fixable.filter(({ fix }) => fix !== undefined),
    ({ text }) => text.space,
  );
  const all: SpaceFixes[] = [];
  for (const { id, name } of spaces) {
    const own = [...certain].flatMap(([space, findings]) => (space.id === id ? findings : []));
    if (own.length === 0) continue;
    const findings = Map.groupBy(
      own.filter(({ text }) => text.kind === 'page'),
      ({ text }) => text.key,
    );
    const impossible = own.flatMap((finding) => {
      const { kind } = finding.text;
      if (kind === 'page') return [];
      const what = kind === 'contents' ? 'the address of a link in the navigation' : 'a reusable text, which is a file';
      return [{ finding, reason: `the API cannot change ${what}` }];
    });
    const changer = fixer(findings, subject);
    const plan = await planSpace(port, { id, title: name }, changer);
    all.push({ plan, changer, findings, impossible });
  }
  return all;
}

const fixer = (only: ReadonlyMap<string, readonly PlacedFinding[]>, subject: string): PageChanger => ({
  subject,
  only,
  changeOf(page, text): ReturnType<PageChanger['changeOf']> {
    const after = withFixes(text, only.get(page.id) ?? []);
    if (after === undefined) return { reason: 'it has changed' };
    const before = stateOf(page, text);
    const change: PageChange = { id: page.id, path: pathOf(page), before, after: { ...before, text: after } };
    return { change };
  },
});
