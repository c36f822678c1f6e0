import { expect } from 'vitest';
import { test } from '../support/in-process.ts';

type Docsctl = (...words: string[]) => Promise<{ json: any }>;
const domains = async (docsctl: Docsctl) => (await docsctl('orgs', 'view', '--json')).json.emailDomains;

test('one email domain is added, and one removed, without the others', async ({ demo }) => {
  await demo.docsctl('orgs', 'edit', '--email-domains', 'lumen.example,lumen.test');

  const add = await demo.docsctl(
    'orgs',
    'edit',
    '--add-email-domain',
    'labs.example',
    '--add-email-domain',
    'a.example',
  );
  const added = await domains(demo.docsctl);
  const remove = await demo.docsctl('orgs', 'edit', '--remove-email-domain', 'LUMEN.test,a.example');

  expect(added).toEqual(['lumen.example', 'lumen.test', 'labs.example', 'a.example']);
  expect(await domains(demo.docsctl)).toEqual(['lumen.example', 'labs.example']);
  expect([add.exitCode, remove.exitCode]).toEqual([0, 0]);
  expect(remove.stderr).toContain(
    'emailDomains before: lumen.example, lumen.test, labs.example, a.example\nemailDomains after: lumen.example, labs.example\n',
  );
});

test('a domain that is not there, and both ways at once, are refused', async ({ demo }) => {
  const before = await domains(demo.docsctl);
  const missing = await demo.docsctl('orgs', 'edit', '--remove-email-domain', 'other.example');
  const both = await demo.docsctl('orgs', 'edit', '--email-domains', 'x.example', '--add-email-domain', 'y.example');
  const invalid = await demo.docsctl('orgs', 'edit', '--add-email-domain', 'no domain');

  expect([missing.exitCode, both.exitCode, invalid.exitCode]).toEqual([2, 2, 2]);
  expect(missing.stderr).toContain('"other.example" is not one of the email domains.');
  expect(invalid.stderr).toContain('--add-email-domain');
  expect(await domains(demo.docsctl)).toEqual(before);
});

test('a flag that replaces a list says so, and shows the list before and after', async ({ demo }) => {
  const help = await demo.docsctl('orgs', 'edit', '--help');
  const run = await demo.docsctl('orgs', 'edit', '--email-domains', 'other.example');
  const languages = await demo.docsctl('translations', 'edit', 'translate001', '--languages', 'en');

  expect(help.stdout.replace(/\s+/g, ' ')).toContain('it replaces the whole list');
  expect(run.stderr).toMatch(/^emailDomains before: .*lumen\.example.*\nemailDomains after: other\.example$/m);
  expect(languages.stderr).toMatch(/^languages before: en, .*\nlanguages after: en$/m);
});

test('the advice after a refusal with SSO adds a domain', async ({ demo }) => {
  const run = await demo.docsctl('invites', 'send', 'carl@other.example', '--sso');

  expect(run.stderr).toContain('\n  docsctl orgs edit --add-email-domain other.example\n');
  expect(run.stderr).not.toContain('--email-domains');
});
