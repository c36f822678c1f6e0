import { describe, expect } from 'vitest';
import { type InProcessHome, test as base } from '../support/in-process.ts';
import { served } from '../support/listening.ts';
import { listen } from '../support/service.ts';

/** A change request that its author opened, and colleagues who may comment on it. */
async function openRequest() {
  const service = await served();
  const admin = service.as(service.admin);
  const users = await Promise.all(['Author', 'Ben', 'Cleo'].map((name) => service.user({ role: 'create', name })));
  const [author, ben, cleo] = users.map((user) => service.as(user)) as [typeof admin, typeof admin, typeof admin];
  const { body: space } = await admin('POST', `${service.orgPath}/spaces`, { title: 'Docs', defaultLevel: 'create' });
  const path = `/v1/spaces/${space.id}`;
  const { body: request } = await author('POST', `${path}/change-requests`, { subject: 'Mine' });
  const own = `${path}/change-requests/${request.id}`;
  const change = (markdown: string) =>
    author('POST', `${own}/content`, {
      changes: [{ operation: 'insert_page', title: 'New', document: { markdown } }],
    });
  await change('Text.\n');
  await author('PATCH', own, { status: 'open' });
  const changeMain = async (markdown: string) => {
    const { body: other } = await admin('POST', `${path}/change-requests`, { subject: 'Other' });
    const another = `${path}/change-requests/${other.id}`;
    await admin('POST', `${another}/content`, {
      changes: [{ operation: 'insert_page', title: 'Other', document: { markdown } }],
    });
    await admin('PATCH', another, { status: 'open' });
    await admin('POST', `${another}/merge`);
  };
  const comment = (who: typeof admin, markdown: string) => who('POST', `${own}/comments`, { body: { markdown } });
  const status = async () => (await admin('GET', own)).body.status;
  let interfere = async () => {};
  // Somebody is faster than the merge.
  const url = await listen(async (incoming, response) => {
    const { method = '', url: target = '', headers } = incoming;
    if (method === 'POST' && target.endsWith('/merge')) await interfere();
    const { host: _, connection: __, ...others } = headers;
    const body = method === 'GET' ? undefined : (Buffer.concat(await incoming.toArray()) as Buffer<ArrayBuffer>);
    const answer = await fetch(service.url + target, { method, headers: others as Record<string, string>, body });
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(await answer.text());
  });
  const merge = ({ docsctl }: InProcessHome, ...flags: string[]) =>
    docsctl('cr', 'merge', request.id, '--space', space.id, '--url', url, '--json', ...flags, {
      env: { DOCSCTL_TOKEN: service.token },
    });
  return {
    author,
    ben,
    cleo,
    admin,
    change,
    changeMain,
    comment,
    status,
    merge,
    beforeMerge: (call: () => Promise<unknown>) => void (interfere = async () => void (await call())),
  };
}

const test = base.extend<{ request: Awaited<ReturnType<typeof openRequest>> }>({
  // oxlint-disable-next-line no-empty-pattern -- vitest reads the names of fixtures here
  request: async ({}, use) => use(await openRequest()),
});

describe('--require approved-by:N', () => {
  test('counts comments of others on the current revision', async ({ request, home }) => {
    const { merge, comment, author, ben, cleo } = request;
    await comment(author, 'Approved');
    await comment(ben, 'Approved by nobody yet.');
    const none = await merge(home, '--require', 'approved-by:1');
    await comment(ben, 'LGTM!\n\nGood work.');
    const one = await merge(home, '--require', 'approved-by:2');
    await comment(cleo, '👍');
    await comment(cleo, 'Approved.');
    const two = await merge(home, '--require', 'approved-by:2');

    expect(none).toMatchObject({ exitCode: 9, stderr: expect.stringContaining('nobody approved') });
    expect(one).toMatchObject({ exitCode: 9, stderr: expect.stringContaining('only Ben approved') });
    expect(two).toMatchObject({ exitCode: 0, json: { result: 'merge' } });
  });

  test('does not count approvals of earlier revisions, or edited ones', async ({ request, home }) => {
    const { merge, comment, ben, cleo, change, status } = request;
    await comment(ben, 'Approved');
    await change('More.\n');
    const { body } = await comment(cleo, 'Wait.');
    await cleo('PUT', new URL(body.urls.location).pathname, { body: { markdown: 'Approved' } });

    const run = await merge(home, '--require', 'approved-by:1');

    expect(run.exitCode).toBe(9);
    expect(run.stderr).toContain('the approval by Ben is about an earlier revision, or was edited');
    expect(await status()).toBe('open');
  });

  test('an update with main content keeps approvals, and an approval is no open comment', async ({ request, home }) => {
    const { merge, comment, ben, change, changeMain } = request;
    await change('More.\n');
    await comment(ben, 'Approved');
    await changeMain('x\n');

    const run = await merge(home, '--update', '--require', 'approved-by:1,no-open-comments');

    expect(run).toMatchObject({ exitCode: 0, json: { result: 'merge' } });
  });
});

test('--require no-new-broken-links allows links that are broken in main content, too', async ({ request, home }) => {
  const { merge, change, changeMain, status } = request;
  await changeMain('[gone](gone.md)\n');
  const all = await merge(home, '--update', '--require', 'no-broken-links', '--dry-run');
  await change('[other](other.md)\n');
  const unmet = await merge(home, '--require', 'no-new-broken-links');
  await change('Text.\n');

  expect(all.exitCode).toBe(0);
  expect(unmet.exitCode).toBe(9);
  expect(unmet.stderr).toContain('no-new-broken-links: this request breaks 1 link');
  expect(await status()).toBe('open');
});

describe('what changes between the check and the merge is reported after it', () => {
  test.for([
    ['a comment', 'no-open-comments', (r: Request) => r.comment(r.ben, 'Wait!')],
    ['a change of approved content', 'approved-by:1', (r: Request) => r.change('Secret change.\n')],
    ['a broken link', 'no-broken-links', (r: Request) => r.change('[gone](gone.md)\n')],
    ['a new broken link', 'no-new-broken-links', (r: Request) => r.change('[gone](gone.md)\n')],
    ['a change of main content', 'up-to-date', (r: Request) => r.changeMain('More.\n')],
  ] as const)('%s', async ([, condition, interfere], { request, home }) => {
    await request.comment(request.ben, 'Approved');
    request.beforeMerge(() => interfere(request));

    const run = await request.merge(home, '--require', condition);

    expect(run).toMatchObject({ exitCode: 9, json: { result: 'merge' } });
    expect(run.stderr).toContain('was merged (revision ');
    expect(JSON.parse(run.stderr).error.unmet).toMatchObject([{ condition }]);
    expect(await request.status()).toBe('merged');
  });

  test('without a change, nothing is reported', async ({ request, home }) => {
    await request.comment(request.ben, 'Approved');

    const run = await request.merge(
      home,
      '--require',
      'approved-by:1,no-open-comments,no-broken-links,no-new-broken-links,no-conflicts,up-to-date',
    );

    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  });
});

type Request = Awaited<ReturnType<typeof openRequest>>;
