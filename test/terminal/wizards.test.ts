import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { certificates, keycloak, okta, pem, provider } from '../saml/documents.ts';
import { test } from '../support/cli.ts';
import { listen } from '../support/service.ts';
import { openScreen } from './screen.ts';

test('five people are invited from a paste with one bad address', async ({ demo }) => {
  await demo.docsctl('invites', 'send', 'old@lumen.example');
  const screen = await openScreen(demo, ['invites', 'send']);

  await screen.shows('Who do you want to invite?');
  await screen.press('Enter');
  await screen.shows('an empty line ends the list:');
  await screen.paste(
    'Ada Lovelace <ada@lumen.example>, bob@lumen.example\ncarl@other.example; dan@@lumen.example\neve@lumen.example old@lumen.example BOB@lumen.example\n',
  );
  const checked = await screen.shows('= BOB@lumen.example is already in the list');
  await screen.answer('');
  await screen.shows('What may they do?');
  await screen.press('Down', 'Down', 'Down', 'Down');
  await screen.shows('edit content, live or through change requests');
  await screen.press('Enter');
  await screen.shows('Will they sign in through SSO (Lumen ID)?');
  await screen.answer('y');
  await screen.shows('): carl@other.example');
  await screen.shows(/People: +4/);
  await screen.shows('Send the invites?');
  await screen.press('Enter');

  expect(await screen.ends()).toBe(8);
  expect(checked).toContain('! dan@@lumen.example is not an email address and was skipped');
  expect(checked).toContain('= old@lumen.example is already a member (guest) and was skipped');
  const end = await screen.text();
  expect(end).toMatch(/ada@lumen\.example +edit +yes +invited/);
  expect(end).toMatch(/carl@other\.example +edit +yes +refused +no SSO for its domain/);
  expect(end).toContain('3 invited, 1 refused.');
  expect(end).toContain(
    'docsctl invites send ada@lumen.example bob@lumen.example carl@other.example eve@lumen.example --role edit --sso',
  );
  const ada = await demo.docsctl('members', 'list', '--search', 'ada@lumen.example', '--json');
  expect(ada.json).toMatchObject([{ role: 'edit', sso: true }]);
});

test.for(['xterm', 'dumb'])('people come from a file, in a window of 60 columns (TERM=%s)', async (TERM, { demo }) => {
  await writeFile(join(demo.dir, 'people.csv'), 'email,role\nada@lumen.example,edit\nbad,\nbob@lumen.example,\n');
  const screen = await openScreen(demo, ['invites', 'send'], { width: 60, env: { TERM } });
  const isPlain = TERM === 'dumb';

  await screen.shows('Who do you want to invite?');
  if (isPlain) await screen.answer('2');
  else await screen.press('Down', 'Enter');
  await screen.shows('Path of the file:');
  await screen.answer('nowhere.csv');
  await screen.shows('There is no file nowhere.csv.');
  if (!isPlain) await screen.press('C-u');
  await screen.answer('people.csv');
  await screen.shows('What may they do?');
  if (isPlain) await screen.answer('7');
  else {
    await screen.type('guest');
    await screen.press('Enter');
  }
  await screen.shows('through SSO');
  await screen.answer('n');
  await screen.shows('Send the invites?');
  await screen.answer('y');

  expect(await screen.ends()).toBe(8);
  const text = await screen.text();
  expect(text).toMatch(/2 invited, 1 refused\./);
  expect(text).toContain('not an email address');
  if (isPlain) {
    // oxlint-disable-next-line no-control-regex
    expect(await screen.printed()).not.toMatch(/\u001b/);
  }
});

test('leaving the wizard before the last answer sends nothing', async ({ demo }) => {
  const screen = await openScreen(demo, ['invites', 'send', '--role', 'read', '--no-sso']);
  await screen.shows('Who do you want to invite?');
  await screen.press('Enter');
  await screen.shows('an empty line ends the list:');
  await screen.answer('ada@lumen.example');
  await screen.shows('+ ada@lumen.example');
  await screen.answer('');
  await screen.shows('Send the invites?');
  await screen.press('C-c');

  expect(await screen.ends()).toBe(130);
  expect((await demo.docsctl('members', 'list', '--search', 'ada@lumen.example')).stdout).toBe('');
});

test('an interrupt while invites are being sent ends the command at once, and lists those that were sent', async ({
  home,
}) => {
  const url = await listen((request, response) => {
    // Invites are never answered.
    if (request.method === 'POST') return;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ count: 0, items: [] }));
  });
  const screen = await openScreen(home, ['invites', 'send', 'ada@lumen.example'], {
    env: { DOCSCTL_URL: url, DOCSCTL_TOKEN: 'token', DOCSCTL_ORG: 'Or1' },
  });

  await screen.shows('Inviting');
  await screen.press('C-c');

  expect(await screen.ends()).toBe(130);
  const text = await screen.text();
  expect(text).toMatch(/ada@lumen\.example +no +not sent/);
  expect(text).toContain('To continue, run it again');
});

test("SSO is set up from Okta's metadata, with a team and a role", async ({ demo }) => {
  await writeFile(join(demo.dir, 'okta.xml'), okta(certificates.signing));
  const screen = await openScreen(demo, ['sso', 'setup'], { width: 60, height: 60 });

  await screen.shows('What do you know about the identity provider?');
  await screen.press('Enter');
  await screen.shows('Address or file of the metadata:');
  await screen.answer('okta.xml');
  await screen.shows('Label on the sign-in button: (Okta)');
  await screen.answer('Lumen Okta');
  await screen.shows('Team for people who sign in for the first time:');
  await screen.type('writ');
  await screen.shows('> Writers');
  await screen.press('Enter');
  await screen.shows('Role of people who sign in for the first time:');
  await screen.press('Up', 'Down', 'Down', 'Down', 'Down', 'Down');
  await screen.shows('read and take part in discussions');
  await screen.press('Enter');
  await screen.shows('valid       2025-01-01 to 2055-01-01');
  await screen.shows('Create the provider?');
  await screen.press('Enter');

  expect(await screen.ends()).toBe(0);
  const [made] = (await demo.docsctl('sso', 'providers', 'list', '--json')).json.slice(-1);
  expect(made).toMatchObject({ label: 'Lumen Okta', defaultRole: 'comment', defaultTeam: { title: 'Writers' } });
  const text = await screen.text();
  expect(text).toContain(`  Single sign-on URL\n  ${made.service.acsURL}\n`);
  expect(text).toContain(`  Audience URI (SP Entity ID)\n  ${made.service.entityID}\n`);
  expect(text).toContain(
    `--metadata okta.xml --label 'Lumen Okta' --default-team ${made.defaultTeam.id} --default-role comment`,
  );
});

test("SSO is set up from Keycloak's metadata at an address, after a wrong one", async ({ demo }) => {
  const url = await listen((request, response) => {
    response.end(request.url === '/descriptor' ? keycloak(certificates.signing) : '<html>Sign in</html>');
  });
  const screen = await openScreen(demo, ['sso', 'setup', '--default-role', 'read']);
  await screen.shows('What do you know about the identity provider?');
  await screen.press('Enter');
  await screen.shows('Address or file of the metadata:');
  await screen.answer(url);
  await screen.shows('It is a web page.');
  await screen.press('C-u');
  await screen.answer(`${url}/descriptor`);
  await screen.shows('(Keycloak)');
  await screen.answer('');
  await screen.shows('Team for people');
  await screen.press('Enter');
  await screen.shows('Create the provider?');
  await screen.answer('y');

  expect(await screen.ends()).toBe(0);
  expect(await screen.text()).toContain('Client signature required off');
});

test('a certificate can be pasted after a wrong one, and the printed command contains it', async ({ demo }) => {
  const screen = await openScreen(demo, ['sso', 'setup', '--default-role', 'read', '--default-team', ''], {
    height: 60,
  });
  await screen.shows('What do you know about the identity provider?');
  await screen.press('Down', 'Enter');
  await screen.shows('Entity ID (issuer)');
  await screen.answer('urn:lumen');
  await screen.shows('Its sign-in address');
  await screen.answer('id.lumen.example');
  await screen.shows('It must be an http or https address without a user name');
  await screen.press('C-u');
  await screen.answer('https://id.lumen.example/sso');
  await screen.shows('an empty line ends the text:');
  await screen.paste('hello\n\n');
  await screen.shows('Use it anyway?');
  await screen.answer('n');
  await screen.shows('Try again; an empty line ends the text:');
  await screen.paste(`${pem(certificates.signing)}\n`);
  await screen.shows('Label on the sign-in button:');
  await screen.press('C-c');

  expect(await screen.ends()).toBe(130);
  expect(await screen.text()).toContain('This is not an X.509 certificate');
});

test('an expired certificate of a provider is saved only after a question', async ({ demo }) => {
  const before = (await demo.docsctl('sso', 'providers', 'view', 'lumenid00001', '--json')).json.certificate;
  const words = ['sso', 'providers', 'edit', 'lumenid00001', '--certificate', certificates.expired];
  const certificate = async () =>
    (await demo.docsctl('sso', 'providers', 'view', 'lumenid00001', '--json')).json.certificate;

  const refused = await openScreen(demo, words, { height: 60 });
  await refused.shows('The certificate expired on 2016-01-01');
  await refused.shows('Save this certificate?');
  await refused.answer('n');
  expect(await refused.ends()).toBe(130);
  expect(await certificate()).toBe(before);

  const saved = await openScreen(demo, words, { height: 60 });
  await saved.shows('Save this certificate?');
  await saved.answer('y');
  expect(await saved.ends()).toBe(0);
  expect(await certificate()).toBe(certificates.expired);
});

test('of two valid certificates one is chosen', async ({ demo }) => {
  await writeFile(
    join(demo.dir, 'two.xml'),
    provider('https://a.example', [
      ['signing', certificates.signing],
      ['signing', certificates.next],
    ]),
  );
  const screen = await openScreen(
    demo,
    ['sso', 'setup', '--metadata', 'two.xml', '--label', 'A', '--default-role', 'read'],
    {
      env: { DOCSCTL_PROMPTS: 'plain' },
    },
  );

  await screen.shows('Which certificate does it use for signing now?');
  await screen.answer('2');
  await screen.shows('Team for people');
  await screen.answer('1');
  await screen.shows('Create the provider? [Y/n]');
  await screen.answer('');

  expect(await screen.ends()).toBe(0);
  expect(await screen.text()).toContain('--fingerprint');
  const [made] = (await demo.docsctl('sso', 'providers', 'list', '--json')).json.slice(-1);
  expect(made.certificate).toBe(pem(certificates.next));
});

test('a site is created only after its title is given, which is checked', async ({ demo }) => {
  const screen = await openScreen(demo, ['sites', 'create']);

  await screen.shows('Title:');
  await screen.answer('');
  await screen.shows('Enter a title.');
  await screen.answer('P');
  await screen.shows('It must be at least 2 characters.');
  await screen.answer('umps');

  expect(await screen.ends()).toBe(0);
  const titles = (await demo.docsctl('sites', 'list', '--json')).json.map(({ title }: any) => title);
  expect(titles).toContain('Pumps');
});
