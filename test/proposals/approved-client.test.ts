import { expect, test } from 'vitest';
import type { Client } from '../../src/client/client.ts';
import { members } from '../../src/contract/members.ts';
import { teams } from '../../src/contract/teams.ts';
import { approvedClient } from '../../src/proposals/approved-client.ts';

/** A client that answers with what it is asked to send. */
function recorder() {
  const sent: string[] = [];
  const call = async ({ name }: { name: string }, { params }: { params: object }) => {
    sent.push(`${name} ${Object.values(params).join(' ')}`);
    return name === 'teams.create' ? { id: 'team00000042' } : {};
  };
  const request = async (method: string, path: string) => {
    sent.push(`${method} ${path}`);
    return { status: 200, headers: {}, body: {}, text: '', bytes: new Uint8Array() };
  };
  return { sent, client: { call, request } as unknown as Client };
}

const approved = approvedClient([
  ['PUT /v1/orgs/org000000001/teams -> 201', ''],
  ['PUT /v1/orgs/org000000001/teams/new/members/user00000001 -> 204', ''],
  ['DELETE /v1/orgs/org000000001/members/user00000002 -> 204', ''],
  // The name of an object may look like a request.
  ['DELETE /v1/orgs/org000000001/members/user00000003 -> 204', 'hash of a space with this name'],
]);
const org = { orgId: 'org000000001' };

test('what was rehearsed is sent, also about an object that the run has created', async () => {
  const { sent, client } = recorder();
  const wrapped = approved(client);

  await wrapped.call(teams.create, { params: org, body: { title: 'Team' } });
  await wrapped.call(teams.setMember, {
    params: { ...org, teamId: 'team00000042', userId: 'user00000001' },
    body: { role: 'member' },
  });
  await wrapped.request('delete', '/v1/orgs/org000000001/members/user00000002');

  expect(sent).toEqual([
    'teams.create org000000001',
    'teams.setMember org000000001 team00000042 user00000001',
    'delete /v1/orgs/org000000001/members/user00000002',
  ]);
});

test.for([
  ['another person', (client: Client) => client.call(members.remove, { params: { ...org, userId: 'user00000009' } })],
  [
    'another endpoint',
    (client: Client) =>
      client.call(members.edit, { params: { ...org, userId: 'user00000002' }, body: { role: 'admin' } }),
  ],
  ['a name like a request', (client: Client) => client.request('DELETE', '/v1/orgs/org000000001/members/user00000003')],
  ['an address without an endpoint', (client: Client) => client.request('POST', '/v1/elsewhere')],
  [
    'an escaped ID',
    (client: Client) => client.request('DELETE', '/v1/orgs/org000000001/members/user0000000%39', { body: {} }),
  ],
] as const)('nothing else is sent: %s', async ([, send]) => {
  const { sent, client } = recorder();

  await expect(send(approved(client))).rejects.toMatchObject({
    message: expect.stringContaining('The rehearsal did not contain this request, so it was not sent: '),
  });
  expect(sent).toEqual([]);
});

test('reads, and what docsctl notes for itself, are not held back', async () => {
  const { sent, client } = recorder();
  const wrapped = approved(client);

  await wrapped.call(members.view, { params: { ...org, userId: 'user00000009' } });
  await wrapped.call(members.remove, { params: { ...org, userId: 'user00000009' }, unrecorded: true });

  expect(sent).toHaveLength(2);
});
