import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { serve, serveTls } from '../client/support.ts';
import { certificates, federation, keycloak, okta, pem, provider, service } from '../saml/documents.ts';
import type { Home } from '../support/cli.ts';
import { test } from '../support/in-process.ts';
import { listen } from '../support/service.ts';

const write = async (home: Home, text: string, name = 'metadata.xml') => {
  const file = join(home.dir, name);
  await writeFile(file, text);
  return file;
};
const count = async (home: Home) =>
  (await home.docsctl('sso', 'providers', 'list', '-o', 'id')).stdout.split('\n').length;

test("Keycloak's metadata at an address become a provider, and the values to enter there are printed", async ({
  docsctl,
}) => {
  const url = await listen((_, response) => {
    response.setHeader('content-type', 'application/xml');
    response.end(keycloak(certificates.signing));
  });

  const run = await docsctl('sso', 'setup', '--metadata', `${url}/realms/lumen/protocol/saml/descriptor`, '--json');

  expect(run.exitCode).toBe(0);
  const { provider: made, enter, command } = run.json;
  expect(made).toMatchObject({
    label: 'Keycloak',
    entityID: 'https://id.lumen.example/realms/lumen',
    ssoURL: 'https://id.lumen.example/realms/lumen/protocol/saml',
    certificate: pem(certificates.signing),
  });
  expect(enter.fields).toContainEqual({ field: 'Client ID', value: made.service.entityID });
  expect(enter.fields).toContainEqual({ field: 'Valid redirect URIs', value: made.service.acsURL });
  expect(run.stderr).toContain('SHA-256     44:9D:CB:EE');
  expect(run.stderr).toContain(`${command}\n`);
});

test('the printed command changes nothing when it is run again, and a new certificate changes the same provider', async ({
  home,
  docsctl,
}) => {
  const file = await write(home, okta(certificates.signing));
  const created = (await docsctl('sso', 'setup', '--metadata', file, '--default-role', 'comment', '--json')).json;
  const before = await count(home);

  const again = (await docsctl(...created.command.split(' ').slice(1), '--json')).json;
  await write(home, okta(certificates.next));
  const plan = await docsctl('sso', 'setup', '--metadata', file, '--dry-run');
  const changed = (await docsctl('sso', 'setup', '--metadata', file, '--json')).json;

  expect([created.result, again.result, changed.result]).toEqual(['created', 'unchanged', 'changed']);
  expect([again.provider.id, changed.provider.id]).toEqual([created.provider.id, created.provider.id]);
  expect(changed.provider).toMatchObject({
    label: 'Okta',
    defaultRole: 'comment',
    certificate: pem(certificates.next),
  });
  expect(plan.stdout).toMatch(/^PATCH [^\n]*\n\{\n {2}"certificate": [^\n]*\n\}\n$/);
  expect(await count(home)).toBe(before);
});

test('of several certificates the first valid one for signing is used, unless a fingerprint selects another', async ({
  home,
  docsctl,
}) => {
  const file = await write(
    home,
    provider('https://a.example', [
      ['encryption', certificates.encryption],
      ['signing', certificates.expired],
      ['signing', certificates.signing],
      ['signing', certificates.next],
    ]),
  );
  const setUp = (...more: string[]) => docsctl('sso', 'setup', '--metadata', file, '--dry-run', '--json', ...more);

  expect((await setUp()).json.body.certificate).toBe(pem(certificates.signing));
  expect((await setUp('--certificate', pem(certificates.next))).json.body.certificate).toBe(pem(certificates.next));
  const unknown = await setUp('--fingerprint', '0123456789');
  expect(unknown.exitCode).toBe(2);
  expect(unknown.stderr).toContain('CN=id.lumen.example next');
  const named = /([0-9A-F:]{95}) {2}CN=id.lumen.example next/.exec(JSON.parse(unknown.stderr).error.hint)![1]!;
  expect((await setUp('--fingerprint', named)).json.body.certificate).toBe(pem(certificates.next));
});

test('an expired certificate is reported as expired', async ({ home, docsctl }) => {
  const file = await write(home, provider('https://old.example', [['signing', certificates.expired]]));

  const run = await docsctl('sso', 'setup', '--metadata', file);

  expect(run.stderr).toContain('The certificate expired on 2016-01-01, so nobody can sign in with it.');
});

test('of a federation the provider is named, and unknown ones are refused', async ({ home, docsctl }) => {
  const keys: [string, string][] = [['signing', certificates.signing]];
  const file = await write(home, federation(provider('https://a.example', keys), provider('https://b.example', keys)));
  const setUp = (...more: string[]) => docsctl('sso', 'setup', '--metadata', file, ...more);

  expect((await setUp('--entity-id', 'https://b.example', '--json')).json.provider.entityID).toBe('https://b.example');
  expect((await setUp()).stderr).toContain('The metadata contains 2 identity providers.');
  expect((await setUp('--entity-id', 'https://c.example')).exitCode).toBe(2);
});

test('a provider can be made for its addresses first, and completed later', async ({ home, docsctl }) => {
  const file = await write(home, okta(certificates.signing));

  const first = await docsctl('sso', 'setup', '--label', 'Lumen', '--idp', 'okta', '--json');
  const { id } = first.json.provider;
  const then = await docsctl('sso', 'setup', '--provider', id, '--metadata', file, '--json');

  expect(first.stderr).toContain('Nobody can sign in yet: it has no entity ID, no sign-in address, no certificate.');
  expect(first.json.enter.name).toBe('Okta');
  expect(then.json.provider).toMatchObject({ id, label: 'Lumen', entityID: 'http://www.okta.com/exk1lumen' });
  const logins = (await docsctl('sso', 'logins', '--json')).json;
  expect(logins).toContainEqual(expect.objectContaining({ id, label: 'Lumen' }));
});

test('fields can be given one by one, the certificate as a file or bare', async ({ home, docsctl }) => {
  const fields = [
    '--label',
    'Manual',
    '--entity-id',
    'urn:a',
    '--sso-url',
    'https://a.example/sso',
    '--dry-run',
    '--json',
  ];
  const setUp = (certificate: string) => docsctl('sso', 'setup', ...fields, '--certificate', certificate);
  const file = await write(home, pem(certificates.signing), 'cert.pem');

  for (const certificate of [file, `@${file}`, certificates.signing, pem(certificates.signing)])
    expect((await setUp(certificate)).json.body).toMatchObject({
      label: 'Manual',
      certificate: pem(certificates.signing),
    });
});

test.for([
  ['metadata of a service', service, 'not of an identity provider'],
  ['a web page', '<!DOCTYPE html><html><body>Sign in</body></html>', 'It is a web page.'],
  [
    'no certificate',
    provider('https://a.example', [['encryption', certificates.encryption]]),
    'no signing certificate',
  ],
  [
    'a document type with entities',
    `<!DOCTYPE a [<!ENTITY a "aaaa"><!ENTITY b SYSTEM "file:///etc/passwd">]>${keycloak('&b;')}`,
    'It has a document type',
  ],
  [
    'an address that runs a script',
    keycloak(certificates.signing).replaceAll(
      /(SSOService|SingleSignOnService)([^>]*Location=")[^"]*/g,
      '$1$2javascript:alert(1)',
    ),
    'Pass it with --sso-url.',
  ],
  [
    '1 MB of namespaces',
    Array.from({ length: 40_000 }, (_, index) => `<a${index} xmlns:n${index}="u">`).join(''),
    'nested deeper than 100 levels',
  ],
  ['no address', provider('https://a.example', [['signing', certificates.signing]], 'SOAP'), 'Pass it with --sso-url.'],
] as const)('%s is refused before anything is sent', async ([, text, reason], { home, docsctl }) => {
  const before = await count(home);

  const run = await docsctl('sso', 'setup', '--metadata', await write(home, text));

  expect(run.exitCode).toBe(2);
  expect(run.stderr).toContain(reason);
  expect(await count(home)).toBe(before);
});

test('texts of the metadata are printed without control characters', async ({ home, docsctl }) => {
  const file = await write(home, provider('https://a.example/&#x9b;31m&#x202e;', [['signing', certificates.signing]]));

  const run = await docsctl('sso', 'setup', '--metadata', file, '--label', 'A', '-o', 'table');

  expect(run.stderr).toContain('https://a.example/\\u009b31m\\u202e');
  // oxlint-disable-next-line no-control-regex
  expect(run.stdout + run.stderr).not.toMatch(/[\u0080-\u009f\u202e]/);
});

test('metadata that cannot be fetched are status 7', async ({ docsctl }) => {
  const url = await listen((_, response) => {
    response.statusCode = 404;
    response.end('secret page');
  });

  const run = await docsctl('sso', 'setup', '--metadata', `${url}/saml`);

  expect(run.exitCode).toBe(7);
  expect(run.stderr).toContain(`The metadata at ${url}/saml cannot be read`);
  expect(run.stderr).not.toContain('secret page');
});

test.for(['javascript:alert(1)', 'https://login.example@evil.example/', 'https://'])(
  '--sso-url %s is refused beside metadata too',
  async (address, { home, docsctl }) => {
    const file = await write(home, okta(certificates.signing));

    const run = await docsctl('sso', 'setup', '--metadata', file, '--sso-url', address, '--dry-run');

    expect([run.exitCode, run.stdout]).toEqual([2, '']);
    expect(run.stderr).toContain('error: --sso-url: It must be an http or https address');
  },
);

test('a large file is refused without being read', async ({ home, docsctl }) => {
  const file = await write(home, 'x');
  // With nothing in it: it takes no room on the disk, but more than a string can hold.
  await truncate(file, 600 * 1024 * 1024);

  const run = await docsctl('sso', 'setup', '--metadata', file);

  expect(run.exitCode).toBe(2);
  expect(run.stderr).toContain('cannot be used as metadata. It is larger than 10 MiB.');
});

test('an answer that does not end is cut off', async ({ docsctl }) => {
  const url = await listen((_, response) => {
    // Without an end.
    const more = () => void (response.destroyed || response.write(Buffer.alloc(1024 * 1024, '<a/>'), more));
    more();
  });

  const run = await docsctl('sso', 'setup', '--metadata', url, { timeout: 60_000 });

  expect(run.exitCode).toBe(7);
  expect(run.stderr).toContain('The response is too large.');
});

test('metadata at an https address cannot redirect to http', async ({ docsctl }) => {
  await using plain = await serve((_, response) => void response.end(keycloak(certificates.signing)));
  await using secure = await serveTls('localhost', (response) => {
    response.writeHead(302, { location: plain.url }).end();
  });
  const address = secure.url.replace('127.0.0.1', 'localhost');

  const run = await docsctl('sso', 'setup', '--metadata', address, {
    env: { NODE_EXTRA_CA_CERTS: secure.certificateFile },
  });
  const unencrypted = await docsctl('sso', 'setup', '--metadata', plain.url, '--dry-run');

  expect(run.exitCode).toBe(7);
  expect(run.stderr).toContain('The address redirects from https to http.');
  expect(plain.requests).toHaveLength(1);
  expect(unencrypted.exitCode).toBe(0);
  expect(unencrypted.stderr).toContain('The metadata was not encrypted in transit (http). Compare the fingerprint');
});

test('of many certificates that cannot be read, a few are reported, with their number', async ({ home, docsctl }) => {
  const bad = Array.from({ length: 50 }, (): [string, string] => ['signing', 'bm90']);
  const file = await write(home, provider('https://a.example', [...bad, ['signing', certificates.signing]]));

  const run = await docsctl('sso', 'setup', '--metadata', file, '--dry-run');

  expect(run.exitCode).toBe(0);
  expect(run.stderr.match(/A certificate in the metadata was skipped/g)).toHaveLength(3);
  expect(run.stderr).toContain('47 more were skipped.');
});

/** As the API describes a provider. */
const described = '-----BEGIN CERTIFICATE-----\nMIIBinvented\n-----END CERTIFICATE-----';

test.for([
  [described, 'This is not an X.509 certificate, or it is incomplete.'],
  ['hello!', 'This is not a certificate: neither PEM nor Base64.'],
  [certificates.expired, 'The certificate expired on 2016-01-01'],
] as const)('providers may have any certificate (%#), with a warning', async ([certificate, warning], { docsctl }) => {
  const made = await docsctl('sso', 'providers', 'create', '--label', 'Lumen', '--certificate', certificate, '--json');
  const changed = await docsctl('sso', 'providers', 'edit', made.json.id, '--certificate', certificate);
  const planned = await docsctl('sso', 'providers', 'edit', made.json.id, '--certificate', certificate, '--dry-run');

  expect(made.json.certificate).toBe(certificate);
  expect([made.exitCode, changed.exitCode, planned.exitCode]).toEqual([0, 0, 0]);
  for (const run of [made, changed, planned]) expect(run.stderr).toContain(`warning: --certificate: ${warning}`);
});

test('a certificate that is valid, or removed, gets no warning', async ({ docsctl }) => {
  const made = await docsctl('sso', 'providers', 'create', '--label', 'a', '--certificate', pem(certificates.signing));
  const id = (await docsctl('sso', 'providers', 'list', '-o', 'id')).stdout.trim().split('\n').at(-1)!;
  const changed = await docsctl('sso', 'providers', 'edit', id, '--certificate', '');

  expect([made.stderr, changed.stderr]).toEqual(['', '']);
});

test('the name of a file is not a certificate, and the warning says how to pass what is in it', async ({
  home,
  docsctl,
}) => {
  await write(home, pem(certificates.signing), 'idp.pem');

  const run = await docsctl('sso', 'providers', 'create', '--label', 'a', '--certificate', 'idp.pem', '--dry-run');

  expect(run.stderr).toContain('Pass its contents: --certificate "$(cat idp.pem)".');
});

test('a private key is sent to nobody', async ({ home, docsctl }) => {
  const before = await count(home);
  const key = '-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----';

  const runs = [
    await docsctl('sso', 'providers', 'create', '--label', 'a', '--certificate', key),
    await docsctl('sso', 'setup', '--label', 'a', '--certificate', key),
  ];

  for (const run of runs) {
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain('This is a private key.');
    expect(run.stderr).not.toContain('MIIB');
  }
  expect(await count(home)).toBe(before);
});

test('setup saves a certificate that cannot be read, with a warning', async ({ home, docsctl }) => {
  const file = await write(home, described, 'idp.pem');
  const setUp = (certificate: string) =>
    docsctl('sso', 'setup', '--label', 'a', '--certificate', certificate, '--json');

  for (const given of [described, file]) {
    const run = await setUp(given);
    expect(run.json.provider.certificate).toBe(described);
    expect(run.stderr).toMatch(/warning: .*This is not an X.509 certificate.*Nobody can sign in with it/);
  }
  expect((await setUp(await write(home, '\0\0', 'idp.der'))).exitCode).toBe(2);
});
