import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Home } from '../support/cli.ts';
import { test } from '../support/in-process.ts';
import { listen } from '../support/service.ts';

const write = async (home: Home, text: string) => {
  const file = join(home.dir, 'people.csv');
  await writeFile(file, text);
  return file;
};
const outcomes = (json: any[]) => json.map(({ email, outcome }) => [email, outcome]);

test('a file is checked row by row, and the valid rows are sent', async ({ demo }) => {
  const file = await write(
    demo,
    [
      '\uFEFFname;Role;E-Mail;SSO;team',
      'Ada;edit;ada@lumen.example;;x',
      '"Bob;\nJr.";;bob@lumen.example;yes;x',
      'Carl;guest;carl@other.example;true;x',
      'Dan;boss;dan@lumen.example;;x',
      ';;nope;;',
      'Ada again;;ADA@lumen.example;;',
      'Eve;;eve@lumen.example;perhaps;',
    ].join('\r\n'),
  );

  const run = await demo.docsctl('invites', 'send', '--from', file, '--role', 'comment', '--json');

  expect(run.exitCode).toBe(8);
  expect(run.json).toMatchObject([
    { line: 2, email: 'ada@lumen.example', role: 'edit', outcome: 'invited' },
    { line: 3, email: 'bob@lumen.example', role: 'comment', sso: true, outcome: 'invited' },
    { line: 5, email: 'carl@other.example', role: null, outcome: 'refused', reason: 'no SSO for its domain' },
    {
      line: 6,
      email: 'dan@lumen.example',
      outcome: 'refused',
      reason: '"boss" is not one of admin, create, review, edit, comment, read, guest',
    },
    { line: 7, email: 'nope', outcome: 'refused', reason: 'not an email address' },
    { line: 8, email: 'ADA@lumen.example', outcome: 'repeated' },
    { line: 9, email: 'eve@lumen.example', outcome: 'refused', reason: 'sso must be true or false, not "perhaps"' },
  ]);
  const bob = await demo.docsctl('members', 'list', '--search', 'bob@lumen.example', '--json');
  expect(bob.json).toMatchObject([{ role: 'comment', sso: true }]);
});

test('why an address was refused with SSO is explained, with the command that invites without', async ({ demo }) => {
  const run = await demo.docsctl(
    'invites',
    'send',
    'ada@lumen.example',
    'carl@other.example',
    '--sso',
    '--org',
    demo.org,
  );

  expect(run.exitCode).toBe(8);
  expect(run.stderr).toContain("With SSO, only addresses in the organization's email domains are invited.");
  expect(run.stderr).toContain(`docsctl invites send carl@other.example --no-sso --org ${demo.org}\n`);
});

test('running it again sends only what is missing, in batches of a hundred', async ({ home, docsctl }) => {
  const emails = Array.from({ length: 250 }, (_, index) => `new${index}@lumen.example`);
  const file = await write(home, ['email', ...emails].join('\n'));

  const plan = await docsctl('invites', 'send', '--from', file, '--dry-run');
  const some = await docsctl('invites', 'send', ...emails.slice(0, 30));
  const all = await docsctl('invites', 'send', '--from', file, '--json');
  const again = await docsctl('invites', 'send', '--from', file, '--json');

  expect(plan.stdout.match(/^POST /gm)).toHaveLength(3);
  expect(some.exitCode).toBe(0);
  const count = (json: any[], outcome: string) => json.filter((result) => result.outcome === outcome).length;
  expect([count(all.json, 'member already'), count(all.json, 'invited')]).toEqual([30, 220]);
  expect([count(again.json, 'member already'), count(again.json, 'invited')]).toEqual([250, 0]);
  expect(again.exitCode).toBe(0);
});

test('members are left as they are, however their address is written', async ({ docsctl }) => {
  await docsctl('invites', 'send', 'ada@lumen.example', '--role', 'read');

  const run = await docsctl('invites', 'send', 'ADA@Lumen.Example', 'xada@lumen.example', '--role', 'edit', '--json');
  const same = await docsctl('invites', 'send', 'ADA@Lumen.Example', '--role', 'read', '--json');

  expect(outcomes(run.json)).toEqual([
    ['ADA@Lumen.Example', 'not changed'],
    ['xada@lumen.example', 'invited'],
  ]);
  expect(run.exitCode).toBe(8);
  expect(outcomes(same.json)).toEqual([['ADA@Lumen.Example', 'member already']]);
  expect(same.exitCode).toBe(0);
});

test('standard input works as a file, and the command to repeat is printed', async ({ docsctl }) => {
  const run = await docsctl('invites', 'send', '--from', '-', '--role', 'edit', '-o', 'id', {
    stdin: 'pipe',
    input: 'email\nada@lumen.example\n',
  });

  expect(run.stdout).toBe('ada@lumen.example\n');
  expect(run.stderr).toContain('docsctl invites send --from - --role edit\n');
});

test.for([
  ['', 'has no column "email"'],
  ['name,role\nAda,edit\n', 'It is: name,role'],
  ['email\n"ada@lumen.example\n', 'is not valid CSV'],
] as const)(
  'a file that is not a list of people (%#) is refused before anything is sent',
  async ([text, reason], { home, docsctl }) => {
    const run = await docsctl('invites', 'send', '--from', await write(home, text));

    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain(reason);
  },
);

test('a single invalid address is wrong usage', async ({ docsctl }) => {
  const run = await docsctl('invites', 'send', 'ada@');

  expect(run.exitCode).toBe(2);
  expect(run.stderr).toContain('"ada@" is not an email address.');
});

test('an address that only the service refuses does not prevent the others from being sent', async ({ home }) => {
  const sent: unknown[][] = [];
  const url = await listen((request, response) => {
    response.setHeader('content-type', 'application/json');
    if (request.method === 'GET') return response.end(JSON.stringify({ count: 0, items: [] }));
    let text = '';
    request.on('data', (chunk) => (text += chunk));
    request.on('end', () => {
      const { emails } = JSON.parse(text);
      sent.push(emails);
      const index = emails.indexOf('b@strict.example');
      response.statusCode = index < 0 ? 200 : 400;
      const details = [{ in: 'body', path: `/emails/${index}`, rule: 'format', message: 'is blocked' }];
      response.end(
        JSON.stringify(
          index < 0
            ? { users: [], invited: 2, failedSSOEmails: [] }
            : { error: { code: 400, reason: 'validation', message: 'no', details } },
        ),
      );
    });
  });

  const run = await home.docsctl('invites', 'send', 'a@x.example,b@strict.example', 'c@x.example', '--json', {
    env: { DOCSCTL_URL: url, DOCSCTL_TOKEN: 'token', DOCSCTL_ORG: 'Or1' },
  });

  expect(sent).toEqual([
    ['a@x.example', 'b@strict.example', 'c@x.example'],
    ['a@x.example', 'c@x.example'],
  ]);
  expect(outcomes(run.json)).toEqual([
    ['a@x.example', 'invited'],
    ['b@strict.example', 'refused'],
    ['c@x.example', 'invited'],
  ]);
});

test('where the service fails midway, the table shows what was sent and what was not', async ({ home }) => {
  let posts = 0;
  const url = await listen((request, response) => {
    response.setHeader('content-type', 'application/json');
    if (request.method === 'GET') return response.end(JSON.stringify({ count: 0, items: [] }));
    request.resume().on('end', () => {
      response.statusCode = ++posts === 1 ? 200 : 403;
      response.end(
        JSON.stringify(
          posts === 1
            ? { users: [], invited: 1, failedSSOEmails: [] }
            : { error: { code: 403, message: 'Enough for today.', reason: 'forbidden' } },
        ),
      );
    });
  });
  const file = await write(
    home,
    ['email', ...Array.from({ length: 150 }, (_, index) => `p${index}@x.example`)].join('\n'),
  );

  const run = await home.docsctl('invites', 'send', '--from', file, '-o', 'csv', {
    env: { DOCSCTL_URL: url, DOCSCTL_TOKEN: 'token', DOCSCTL_ORG: 'Or1' },
  });

  expect(run.exitCode).toBe(4);
  expect(run.stdout.match(/,invited,/g)).toHaveLength(100);
  expect(run.stdout.match(/,not sent,/g)).toHaveLength(50);
  expect(run.stderr).toContain('100 invited, 50 not sent.');
  expect(run.stderr).toContain(
    `To continue, run it again (members are skipped):\n  docsctl invites send --from ${file}\n`,
  );
});

test('links lead to the organization, a space or a collection', async ({ demo }) => {
  const [space] = (await demo.docsctl('spaces', 'list', '-o', 'id')).stdout.split('\n');

  const toAll = await demo.docsctl('invites', 'links', 'create', '--role', 'read', '--json');
  const toSpace = await demo.docsctl('invites', 'links', 'create', '--role', 'guest', '--space', space!, '--json');
  const both = await demo.docsctl('invites', 'links', 'create', '--role', 'read', '--space', 'a', '--collection', 'b');
  const none = await demo.docsctl('invites', 'links', 'create');
  const edited = await demo.docsctl('invites', 'links', 'edit', toAll.json.id, '--role', 'comment', '--json');
  const deleted = await demo.docsctl('invites', 'links', 'delete', toAll.json.id, '--yes');

  expect(toAll.json).toMatchObject({ object: 'invite', role: 'read' });
  expect(toSpace.json).toMatchObject({ level: null, space: { id: space } });
  expect([both.exitCode, none.exitCode]).toEqual([2, 2]);
  expect(edited.json.role).toBe('comment');
  expect(deleted.exitCode).toBe(0);
  expect((await demo.docsctl('invites', 'links', 'view', toAll.json.id)).exitCode).toBe(5);
});

test('a link is accepted by somebody who is not a member yet', async ({ docsctl }) => {
  const link = (await docsctl('invites', 'links', 'create', '--role', 'edit', '-o', 'id')).stdout.trim();
  await docsctl('invites', 'send', 'ada@lumen.example');
  const ada = (await docsctl('members', 'list', '--search', 'ada@lumen.example', '-o', 'id')).stdout.trim();
  await docsctl('members', 'remove', ada, '--yes');

  const run = await docsctl('invites', 'accept', link, '--as', ada);

  expect(run.exitCode).toBe(0);
  expect((await docsctl('members', 'view', ada, '--json')).json.role).toBe('edit');
});
