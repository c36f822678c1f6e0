import { expect, test } from 'vitest';
import { testInstance } from '../support/instance.ts';

test('callers see themselves, and those they share an organization with', async () => {
  const { call, as, user, admin, instance, org, join } = await testInstance();
  const ada = await user({ name: 'Ada', email: 'ada@lumen.example' });
  const expected = {
    object: 'user',
    id: ada,
    displayName: 'Ada',
    email: 'ada@lumen.example',
    urls: { location: `${instance.base}/v1/users/${ada}` },
  };

  expect((await as(ada)('GET', '/v1/user')).body).toEqual(expected);
  expect((await as(ada)('GET', `/v1/users/${ada}`)).body).toEqual(expected);
  expect((await call('GET', `/v1/users/${ada}`)).status).toBe(404);
  expect((await as(ada)('GET', `/v1/users/${admin}`)).status).toBe(404);
  await join(org, ada, null);
  expect((await call('GET', `/v1/users/${ada}`)).body).toEqual(expected);
  expect((await as(ada)('GET', `/v1/users/${admin}`)).status).toBe(200);
  expect((await call('GET', '/v1/users/nobody')).status).toBe(404);
});
