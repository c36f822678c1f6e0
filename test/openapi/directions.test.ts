import { describe, expect, test } from 'vitest';
import { compareDescriptions } from '../../src/openapi/index.ts';

/** The same choices, written in three ways. */
const notations = {
  anyOf: (types: string[]) => ({ anyOf: types.map((type) => ({ type })) }),
  oneOf: (types: string[]) => ({ oneOf: types.map((type) => ({ type })) }),
  type: (types: string[]) => ({ type: types }),
};
const narrow = ['string'];
const wide = ['string', 'boolean'];

function description(direction: string, schema: object) {
  const content = { 'application/json': { schema } };
  const operation =
    direction === 'request'
      ? { requestBody: { content }, responses: { 200: { description: '' } } }
      : { responses: { 200: { description: '', content } } };
  return {
    document: { openapi: '3.1.0', info: { title: 'Pets', version: '1' }, paths: { '/pets': { post: operation } } },
  };
}

// A request may allow more, and a response less.
describe.each([
  ['request', 'widened', 'info'],
  ['request', 'narrowed', 'breaking'],
  ['response', 'widened', 'breaking'],
  ['response', 'narrowed', 'info'],
] as const)('a choice in a %s that is %s is %s', (direction, change, level) => {
  const [before, after] = change === 'widened' ? [narrow, wide] : [wide, narrow];

  test.each(Object.entries(notations))('with %s', (_, notation) => {
    const changes = compareDescriptions(
      description(direction, notation(before)),
      description(direction, notation(after)),
    );

    expect(changes.map((each) => each.level)).toEqual([level]);
    expect(changes[0]!.rule).toContain(direction);
  });

  test.each(Object.entries(notations))('from %s to another notation', (from, notation) => {
    const others = Object.entries(notations).filter(([name]) => name !== from);

    for (const [, other] of others) {
      const changes = compareDescriptions(
        description(direction, notation(before)),
        description(direction, other(after)),
      );
      expect(changes.map((each) => each.level)).toEqual([level]);
    }
  });
});
