import { day, type Demo, memberId } from './calls.ts';
import { certificate } from './texts.ts';

/** Teams with their ids. */
const teams: [id: string, title: string][] = [
  ['writers00001', 'Writers'],
  ['support00001', 'Support'],
  ['platform0001', 'Platform'],
  ['devrel000001', 'Developer relations'],
  ['design000001', 'Design'],
];

export async function addOrganization({ call, org }: Demo) {
  await call('PATCH', org, { body: { title: 'Lumen Docs', hostname: 'lumen', emailDomains: ['lumen.example'] } });
  for (const [number, [id, title]] of teams.entries()) {
    const people = Array.from({ length: 12 }, (_, place) => memberId(number * 12 + place + 1));
    const ago = day * (200 - number);
    await call('PUT', `${org}/teams`, { ids: [id], body: { title, members: people }, ago });
    await call('PUT', `${org}/teams/${id}/members/${people[0]}`, { body: { role: 'owner' }, ago });
  }
  await call('POST', `${org}/link-invites`, { ids: ['invite000001'], body: { role: 'read' } });
  await call('POST', `${org}/saml`, {
    ids: ['lumenid00001'],
    body: {
      label: 'Lumen ID',
      ssoURL: 'https://id.lumen.example/saml/sso',
      entityID: 'https://id.lumen.example/saml/metadata',
      certificate,
      defaultTeam: 'support00001',
      defaultRole: 'read',
    },
  });
}
