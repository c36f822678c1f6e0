import { describe, expect, test } from 'vitest';
import { parseFields } from '../../src/commands/api/fields.ts';

describe('fields of the command api', () => {
  test.for([
    ['a text', ['a=1'], { a: '1' }],
    ['an empty text', ['a='], { a: '' }],
    ['a value with equals signs and brackets', ['a=b=[c]'], { a: 'b=[c]' }],
    ['the last of several values', ['a=1', 'a=2'], { a: '2' }],
    ['nested fields', ['a[b][c]=1', 'a[d]=2'], { a: { b: { c: '1' }, d: '2' } }],
    ['a list', ['a[]=1', 'a[]=2'], { a: ['1', '2'] }],
    ['a list in a list', ['a[][]=1', 'a[][]=2'], { a: [['1'], ['2']] }],
    [
      'objects in a list: a key that comes again begins another',
      ['a[][b]=1', 'a[][c]=2', 'a[][b]=3'],
      { a: [{ b: '1', c: '2' }, { b: '3' }] },
    ],
    ['a key that every object inherits', ['constructor[x]=1'], { constructor: { x: '1' } }],
  ] as [string, string[], unknown][])('%s', ([, texts, expected]) => {
    expect(JSON.parse(JSON.stringify(parseFields(texts)))).toEqual(expected);
  });

  test('__proto__ changes no other object', () => {
    parseFields(['__proto__[polluted]=yes']);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  test.for([
    ['true', true],
    ['null', null],
    ['-1.5e3', -1500],
    ['007', '007'],
    ['1.', '1.'],
    ['truely', 'truely'],
    ['"1"', '1'],
    ['{"b":[1]}', { b: [1] }],
    ['', ''],
  ] as [string, unknown][])('-F reads %j', ([text, expected]) => {
    expect(parseFields([], [`a=${text}`]).a).toEqual(expected);
  });

  test.for([
    ['a', 'is not in the form key=value'],
    ['=1', 'is not in the form key=value'],
    ['a[=1', 'is not a valid key'],
    ['[a]=1', 'is not a valid key'],
    ['a[b]c=1', 'is not a valid key'],
  ])('%s is refused', ([text, message]) => {
    expect(() => parseFields([text!])).toThrow(message);
  });

  test.for([
    [['a=1', 'a[b]=1'], 'its key already has a value'],
    [['a[]=1', 'a[b]=1'], 'its key is a list'],
    [['a[b]=1', 'a[]=1'], 'its key has named fields'],
  ] as [string[], string][])('%j cannot be combined', ([texts, message]) => {
    expect(() => parseFields(texts)).toThrow(message);
  });
});
