import type { Column } from '../../cli/output/index.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { sites } from '../../contract/sites.ts';
import { id, title } from '../shared/columns.ts';

type Structure = AnswerOf<typeof sites.structure>['structure'][number];
type Section = Extract<Structure, { object: 'site-section' }>;
type Part = Structure | Section['siteSpaces'][number];

/** "true" for the parts that readers see first, and empty for others. */
export const isDefault: Column = {
  key: 'default',
  kind: 'boolean',
  value: (part: { default?: boolean | undefined }) => part.default || undefined,
  optional: true,
};

export const titlesOf = (parts: readonly { title: string }[]): string[] => parts.map(({ title: text }) => text);

/** A line of the structure of a site: a section group, a section, or a space. */
export const structureColumns: Column<Part>[] = [
  title,
  { key: 'kind', value: ({ object }) => object.replace(/^site-/, '').replace('-', ' '), style: { space: 'dim' } },
  { key: 'path', optional: true },
  isDefault,
  { key: 'condition', optional: true },
  id,
];

/** The parts of a section group or a section; undefined for a space. */
export function partsOf(part: Part): Part[] | undefined {
  if ('sections' in part) return part.sections;
  return 'siteSpaces' in part ? part.siteSpaces : undefined;
}
