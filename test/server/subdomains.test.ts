import { expect, test } from 'vitest';
import { testInstance } from '../support/instance.ts';

test('a subdomain leads to the organization that has it as its hostname, and only members see it', async () => {
  const { call, orgPath, org, user, as, otherOrg } = await testInstance();
  const guest = await user({ role: null });
  const disabled = await user({ role: 'read', disabled: true });
  const other = await otherOrg();
  await call('PATCH', orgPath, { hostname: 'lumen-1' });

  const expected = {
    object: 'subdomain',
    subdomain: 'lumen-1',
    target: { type: 'organization', organization: org },
    isActive: true,
  };
  for (const who of [call, as(guest)]) expect((await who('GET', '/v1/subdomains/lumen-1')).body).toEqual(expected);
  expect((await other.call('GET', '/v1/subdomains/lumen-1')).status).toBe(404);
  expect((await as(disabled)('GET', '/v1/subdomains/lumen-1')).error.reason).toBe('member-disabled');
  expect((await call('GET', '/v1/subdomains/lumen-2')).status).toBe(404);
});

test('an invalid subdomain is refused', async () => {
  const { call } = await testInstance();

  const fault = async (subdomain: string) =>
    (await call('GET', `/v1/subdomains/${subdomain}`)).error.details?.map(
      (detail) => `${detail.in} ${detail.path} ${detail.rule}`,
    );
  expect(await fault('ab')).toContain('path subdomain minLength');
  expect(await fault('a'.repeat(33))).toContain('path subdomain maxLength');
  expect(await fault('Lumen')).toEqual(['path subdomain pattern']);
});
