import { expect, test } from 'vitest';
import type { Client } from '../../src/client/client.ts';
import { Answers, Reader } from '../../src/journal/inverse/inverse.ts';
import { commandWithoutSecrets, withoutSecrets } from '../../src/journal/hide.ts';
import { inverses, isIrreversible } from '../../src/journal/inverse/inverses.ts';
import * as groups from '../../src/contract/all.ts';
import type { Endpoint } from '../../src/contract/endpoint.ts';

const changing = Object.values(groups)
  .flatMap((group): Endpoint[] => Object.values(group))
  .filter(({ method }) => method !== 'GET')
  .map(({ name }) => name);

test('each endpoint that changes something has an inverse, or a reason why it has none', () => {
  expect(Object.keys(inverses).toSorted()).toEqual(changing.toSorted());
  for (const name of changing) {
    const inverse = inverses[name]!;
    if (isIrreversible(inverse)) expect(inverse.never, name).toMatch(/^\w.*[^.]$/);
    else expect(typeof inverse.undo, name).toBe('function');
  }
});

test('secrets are not kept', () => {
  const kept = JSON.stringify([
    withoutSecrets({
      password: 'p4ssw0rd',
      nested: [{ apiKey: 'k3y-of-the-api' }],
      url: 'https://ada:l0vel4ce@docs.example/a?token=t0k3n-of-ada&page=2',
    }),
    commandWithoutSecrets([
      'api',
      'POST',
      '/v1/x',
      '-H',
      'Authorization: Bearer s3cr3t-bearer',
      '-f',
      'token=t0k3n-of-ada',
    ]),
    commandWithoutSecrets(['content', 'import', 'https://docs.example/a.zip?signature=s1gn4ture']),
    commandWithoutSecrets(['orgs', 'edit', '--data', '{"secret":"s3cr3t-of-data","title":"Lumen"}']),
  ]);

  for (const secret of ['p4ssw0rd', 'k3y-of', 'l0vel4ce', 't0k3n', 's3cr3t', 's1gn4ture'])
    expect(kept).not.toContain(secret);
  for (const plain of ['docs.example', 'page=2', 'Lumen', '/v1/x']) expect(kept).toContain(plain);
});

test('what an undo reads is read once, until something may have changed', async () => {
  const reader = new Reader({} as Client);
  const answers = new Answers<number>();
  let reads = 0;
  const get = (key: string) => answers.get(reader, key, async () => ++reads);

  expect(await Promise.all([get('one'), get('one'), get('other')])).toEqual([1, 1, 2]);
  expect(await get('one')).toBe(1);
  reader.forget();
  expect(await get('one')).toBe(3);
});
