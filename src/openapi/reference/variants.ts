import { isObject } from '../../shared/is-object.ts';
import { type Direction, exampleOf } from './example.ts';
import type { Content } from './operation.ts';
import type { Reference } from './reference.ts';
import { type Alternatives, readSchema } from './schema.ts';

/** One of the alternatives of a schema, with an example. */
export interface Variant {
  title: string;
  value: unknown;
}

/** Readers find nothing in a longer list. */
const maxVariants = 20;

/** Whether readers can choose between the alternatives. */
export const isChoice = ({ keyword, schemas }: Alternatives): boolean =>
  (keyword === 'oneOf' || keyword === 'anyOf') && schemas.length > 1 && schemas.length <= maxVariants;

/**
 * The variants of a body; empty if its schema has no alternatives. Each has the example in the description that belongs to
 * it, if the schema says so, or else a generated one.
 */
export function variantsOf(reference: Reference, { schema, examples }: Content, direction: Direction): Variant[] {
  if (schema === undefined) return [];
  const { alternatives, discriminator } = readSchema(reference, schema);
  const choices = alternatives.filter(isChoice);
  const [choice] = choices;
  if (!choice || choices.length > 1) return [];
  const stated = examples.filter(({ isGenerated, value }) => !isGenerated && value !== undefined);
  const property = discriminator?.property;
  const tagOf = (value: unknown) => (property !== undefined && isObject(value) ? value[property] : undefined);
  return choice.schemas.map(({ title }, index) => {
    const value = exampleOf(reference, schema, direction, index);
    const same = stated.find((example) => tagOf(value) !== undefined && tagOf(example.value) === tagOf(value));
    return { title: title ?? `Variant ${index + 1}`, value: same?.value ?? value };
  });
}

/** The variant that the first example belongs to. */
export const firstVariant = (variants: readonly Variant[], { examples }: Content): number =>
  Math.max(
    0,
    variants.findIndex(({ value }) => value === examples[0]?.value),
  );
