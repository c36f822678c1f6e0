import { type Fields, listAt, entriesAt, objectAt, textsAt, valueText } from '../fields.ts';

/** The conditions of a schema beyond the type, in words. */
export function constraintsOf(node: Fields): string[] {
  const size = (least: string, most: string, unit: string, units: string) => {
    const [low, high] = [node[least], node[most]];
    if (typeof low === 'number' && low === high) return `exactly ${low} ${low === 1 ? unit : units}`;
    if (typeof low === 'number' && typeof high === 'number') return `${low} to ${high} ${units}`;
    if (typeof low === 'number') return low > 0 ? `at least ${low} ${low === 1 ? unit : units}` : undefined;
    return typeof high === 'number' ? `at most ${high} ${high === 1 ? unit : units}` : undefined;
  };
  const words = [
    ...limits(node),
    typeof node.multipleOf === 'number' ? `a multiple of ${node.multipleOf}` : undefined,
    size('minLength', 'maxLength', 'character', 'characters'),
    typeof node.pattern === 'string' ? `matches ${node.pattern}` : undefined,
    size('minItems', 'maxItems', 'item', 'items'),
    node.uniqueItems === true ? 'no two items are the same' : undefined,
    size('minContains', 'maxContains', 'matching item', 'matching items'),
    size('minProperties', 'maxProperties', 'field', 'fields'),
    node.additionalProperties === false || node.unevaluatedProperties === false ? 'no other fields' : undefined,
    typeof node.contentEncoding === 'string' ? `encoded as ${node.contentEncoding}` : undefined,
    typeof node.contentMediaType === 'string' ? `holds ${node.contentMediaType}` : undefined,
    ...dependencies(node),
  ];
  return words.filter((word) => word !== undefined);
}

/** In Swagger 2 and OpenAPI 3.0, `exclusiveMinimum: true` changes `minimum`. From OpenAPI 3.1, it is a separate limit. */
function limits(node: Fields): (string | undefined)[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = node;
  const lower = (value: unknown, word: string) => (typeof value === 'number' ? `${word} ${value}` : undefined);
  const isAbove = exclusiveMinimum === true;
  const isBelow = exclusiveMaximum === true;
  if (typeof minimum === 'number' && typeof maximum === 'number' && !isAbove && !isBelow) {
    return [`from ${minimum} to ${maximum}`];
  }
  return [
    lower(minimum, isAbove ? 'greater than' : 'at least'),
    lower(exclusiveMinimum, 'greater than'),
    lower(maximum, isBelow ? 'less than' : 'at most'),
    lower(exclusiveMaximum, 'less than'),
  ];
}

function dependencies(node: Fields): string[] {
  const dependent = objectAt(node, 'dependentRequired') ?? {};
  return Object.keys(dependent).flatMap((name) => {
    const needed = textsAt(dependent, name);
    return needed.length === 0 ? [] : [`${name} needs ${needed.join(', ')}`];
  });
}

/** The values that a schema allows, with their meanings. */
export function allowedValues(node: Fields): { value: string; description: string | undefined }[] {
  const meanings = new Map(entriesAt(node, 'x-enumDescriptions'));
  const list = listAt(node, 'x-enum-descriptions');
  const names = listAt(node, 'x-enum-varnames');
  return listAt(node, 'enum').map((value, index) => {
    const shown = valueText(value);
    const description = meanings.get(shown) ?? list[index] ?? names[index];
    return { value: shown, description: typeof description === 'string' ? description : undefined };
  });
}
