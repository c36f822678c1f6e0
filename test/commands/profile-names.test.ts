import { describe, expect, test } from 'vitest';
import { nameFor } from '../../src/commands/auth/login.ts';
import { isUnencrypted, normalizedAddress } from '../../src/commands/shared/profile-address.ts';

describe('the profile of a new sign-in', () => {
  const other = { url: 'https://other.example' };

  test.for([
    ['the first one is "default"', 'https://docs.example', {}, 'default'],
    [
      'one with the same address is used again',
      'https://docs.example',
      { work: { url: 'https://docs.example' } },
      'work',
    ],
    ['another one is called like its host', 'https://docs.example/x', { default: other }, 'docs.example'],
    [
      'a name that is taken gets a number',
      'https://docs.example',
      { default: other, 'docs.example': other },
      'docs.example-2',
    ],
    ['an embedded instance is "local"', 'embedded:a.db', { default: other }, 'local'],
  ] as const)('%s', ([, url, profiles, expected]) => {
    expect(nameFor(url, profiles)).toBe(expected);
  });
});

describe('addresses', () => {
  test.for([
    ['docs.example/', 'https://docs.example'],
    ['localhost:4000', 'http://localhost:4000'],
    ['127.0.0.1:4000/base/', 'http://127.0.0.1:4000/base'],
    ['http://docs.example', 'http://docs.example'],
    ['embedded:a.db', 'embedded:a.db'],
  ])('%s becomes %s', ([text, expected]) => {
    expect(normalizedAddress(text!)).toBe(expected);
  });

  test.for(['ftp://docs.example', 'https://docs.example?x=1', 'https://user@docs.example', ''])(
    '%j is refused',
    (text) => {
      expect(() => normalizedAddress(text)).toThrow(expect.objectContaining({ exitCode: 2 }));
    },
  );

  test.for([
    ['http://docs.example', true],
    ['http://127.0.0.1:4000', false],
    ['http://localhost', false],
    ['http://localhost.example', true],
    ['https://docs.example', false],
    ['embedded:', false],
  ] as const)('whether %s is sent unencrypted: %s', ([url, expected]) => {
    expect(isUnencrypted(url)).toBe(expected);
  });
});
