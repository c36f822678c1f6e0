import { expect, test } from 'vitest';
import { randomPartsOf, templateOf, withParts } from '../../src/server/http/random-parts.ts';

const none = () => false;
const [first, second] = ['0b0b8f4e-1111-4aaa-8bbb-000000000001', '0b0b8f4e-1111-4aaa-8bbb-000000000002'];

test.for([
  ['uuid', `{"ref":"${first}"}`, `{"ref":"${second}"}`],
  ['time', '{"at":"2026-11-22T10:00:00Z"}', '{"at":"2027-01-02T03:04:05.678+01:00"}'],
  ['date', 'On 2026-11-22.', 'On 2027-01-02.'],
  ['hash', `"${'ab'.repeat(16)}"`, `"${'01'.repeat(16)}"`],
  ['slug', '"pumps-docsctl-1a2b3c4d"', '"pumps-docsctl-00000000"'],
  [
    'boundary',
    '--x1\r\nA: b\r\n\r\ntext\r\n--x1\r\n\r\n--x1--\r\n',
    '--other-2\r\nA: b\r\n\r\ntext\r\n--other-2\r\n\r\n--other-2--\r\n',
  ],
] as const)('a %s may be another one', ([, recorded, now]) => {
  expect(templateOf(recorded, none).text).toBe(templateOf(now, none).text);
});

test.for([
  ['other text', '{"a":1}', '{"a":2}'],
  ['a short word of hexadecimal digits', '"abcdef12"', '"abcdef13"'],
  ['a longer number', '12026-11-22', '12027-11-22'],
  ['another pattern of equal parts', `${first} ${first}`, `${first} ${second}`],
  ['another place', `{"a":"${first}","b":""}`, `{"a":"","b":"${first}"}`],
] as const)('%s is another request', ([, recorded, now]) => {
  expect(templateOf(recorded, none).text).not.toBe(templateOf(now, none).text);
});

test('parts that a service made keep their value', () => {
  expect(templateOf(`${first} ${second}`, (part) => part === first)).toEqual({
    text: [first, '\0' + '0\0'].join(' '),
    parts: [second],
  });
});

test('an answer gets the new values of whole parts only', () => {
  const values = new Map([
    ['2026-11-22', '2027-01-02'],
    [first, second],
  ]);

  expect(withParts(`2026-11-22 ${first} 2026-11-22T10:00:00Z 2026-11-2`, values)).toBe(
    `2027-01-02 ${second} 2026-11-22T10:00:00Z 2026-11-2`,
  );
  expect(randomPartsOf('none')).toEqual([]);
});
