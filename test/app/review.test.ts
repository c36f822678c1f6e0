import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type AppService, type Browser, openApp } from '../support/app.ts';

let service: AppService;
let author: string;
let reviewer: Browser;
let reviewerId: string;
let reader: Browser;
beforeAll(async () => {
  service = await openApp();
  author = await service.user({ role: 'edit', name: 'Ada Author' });
  reviewerId = await service.user({ role: 'review', name: 'Rob Reviewer' });
  reviewer = await service.signedIn(reviewerId);
  reader = await service.signedIn(await service.user({ role: 'read' }));
});
afterAll(async () => {
  await service.close();
  expect(service.errors).toEqual([]);
});

let space: string;
let path: string;
let requestPath: string;
let page: string;

const words = /<del[^>]*>slowly<\/del><ins>quickly<\/ins>/;
const markdown = 'The pump starts slowly.\n\nClose the valve.\n';

/** A space with a page, and an open change request that changes it. */
beforeEach(async () => {
  const call = service.as(author);
  const created = await service.call('POST', `${service.orgPath}/spaces`, { title: 'Manual' });
  space = created.body.id;
  await service.call('PATCH', `/v1/spaces/${space}`, { defaultLevel: 'read' });
  await service.call('POST', `/v1/spaces/${space}/content`, {
    changes: [{ operation: 'insert_page', title: 'Start', document: { markdown } }],
  });
  const pages = await service.call('GET', `/v1/spaces/${space}/content/pages`);
  page = pages.body.pages[0].id;
  await call('POST', `/v1/spaces/${space}/change-requests`, { subject: 'Explain the start' });
  await call('POST', `/v1/spaces/${space}/change-requests/1/content`, {
    changes: [
      { operation: 'update_page', page, document: { markdown: markdown.replace('slowly', 'quickly') } },
      { operation: 'insert_page', title: 'Stop', document: { markdown: 'Press the button.\n' } },
    ],
  });
  await call('PATCH', `/v1/spaces/${space}/change-requests/1`, { status: 'open' });
  path = `/o/${service.org}/s/${space}`;
  requestPath = `${path}/cr/1`;
});

const comments = async () =>
  (await service.call('GET', `/v1/spaces/${space}/change-requests/1/comments?format=markdown`)).body.items;

describe('what is shown', () => {
  test('the change request has its words, pages and conditions on one page', async () => {
    const { status, html } = await reviewer.get(requestPath);
    expect(status).toBe(200);
    expect(html).toMatch(words);
    expect(html).toContain('Press the button.');
    expect(html).toMatch(/class="app-met">\s*<strong>No conflicts/);
    expect(html).toMatch(/class="app-unmet">\s*<strong>Approved by somebody else/);
  });

  test('the address of each object shows it', async () => {
    const request = (await service.call('GET', `/v1/spaces/${space}/change-requests/1`)).body;
    const revision = (await service.call('GET', `/v1/spaces/${space}/revisions/${request.revisionInitial}`)).body;
    const pages = (await service.call('GET', `/v1/spaces/${space}/change-requests/1/content/pages`)).body.pages;
    for (const [url, title] of [
      [(await service.call('GET', service.orgPath)).body.urls.app, 'Spaces'],
      [(await service.call('GET', `/v1/spaces/${space}`)).body.urls.app, 'The pump starts slowly'],
      [request.urls.app, 'Explain the start'],
      [revision.urls.app, 'What changed'],
      [pages[0].urls.app, 'Side by side'],
      [pages[1].urls.app, 'Press the button'],
    ]) {
      const { status, html } = await reviewer.get(url.slice(service.url.length));
      expect([url, status]).toEqual([url, 200]);
      expect(html).toContain(title);
    }
  });

  test('revisions show what changed', async () => {
    await service.call('POST', `/v1/spaces/${space}/change-requests/1/merge`);
    const list = await reader.get(`${path}/~revisions`);
    expect(list.html).toContain('#1 Explain the start');
    const { revision } = (await service.call('GET', `/v1/spaces/${space}`)).body;
    const merged = await reader.get(`${path}/r/${revision}`);
    expect(merged.html).toMatch(words);
    expect((await reader.get(`${path}/~requests?status=merged`)).html).toContain('Explain the start');
  });

  test('conflicts are shown with all three versions, and cannot be merged', async () => {
    await service.call('POST', `/v1/spaces/${space}/content`, {
      changes: [{ operation: 'update_page', page, document: { markdown: markdown.replace('slowly', 'late') } }],
    });
    const { html } = await reviewer.get(requestPath);
    for (const word of ['slowly', 'quickly', 'late'])
      expect(html).toContain(`<pre class="app-side"><code>The pump starts ${word}.`);
    expect(html).not.toContain('/~merge"');
  });

  test('a space of another organization, and pages that are not there, are not found', async () => {
    const other = await service.otherOrg();
    for (const address of [
      `/o/${other.org}/s/${space}`,
      `${path}/none`,
      `${requestPath}/none`,
      `${path}/cr/9`,
      `${path}/r/none`,
    ])
      expect([address, (await reviewer.get(address)).status]).toEqual([address, 404]);
  });
});

describe('what reviewers do', () => {
  test('they comment on a place, reply, resolve and react', async () => {
    const shown = await reviewer.get(`${requestPath}/start`);
    const [, node] = /<option value="([^"]+)">Close the valve/.exec(shown.html) ?? [];
    const sent = await reviewer.submit(shown, `${requestPath}/~comment`, {
      body: 'Which **valve**?\r\nThis?',
      node: node!,
    });
    expect(sent.status).toBe(303);
    const [comment] = await comments();
    expect(comment).toMatchObject({
      body: { markdown: expect.stringContaining('Which **valve**?\nThis?') },
      postedBy: { id: reviewerId },
      target: { page: { id: page }, node: { preview: 'Close the valve.' } },
    });
    expect(sent.headers.get('location')).toBe(`${requestPath}/start?done=comment#comment-${comment.id}`);
    const after = await reviewer.get(`${requestPath}/start?done=comment`);
    expect(after.html).toContain('Your comment was posted.');
    expect(after.html).toContain('Which <strong>valve</strong>?');
    expect(after.html).toContain('<blockquote class="app-quote">Close the valve.');

    await reviewer.submit(after, `${requestPath}/~reply`, { body: 'The **inlet** valve' });
    await reviewer.submit(after, `${requestPath}/~react`);
    const resolved = await reviewer.submit(after, `${requestPath}/~resolve`);
    expect(resolved.status).toBe(303);
    expect((await comments())[0]).toMatchObject({ status: 'resolved', replies: 1, reactions: [{ count: 1 }] });
    const { html } = await reviewer.get(requestPath);
    expect(html).toContain('The <strong>inlet</strong> valve');
    expect(html).toContain('Reopen');
  });

  test('they approve and merge what they have seen', async () => {
    const shown = await reviewer.get(requestPath);
    expect(await reviewer.submit(shown, `${requestPath}/~approve`)).toMatchObject({ status: 303 });
    const approved = await reviewer.get(requestPath);
    expect(approved.html).toMatch(/class="app-met">\s*<strong>Approved by somebody else/);
    const merged = await reviewer.submit(approved, `${requestPath}/~merge`);
    expect(merged.headers.get('location')).toBe(`${requestPath}?done=merge`);
    const request = (await service.call('GET', `/v1/spaces/${space}/change-requests/1`)).body;
    expect(request.status).toBe('merged');
    expect((await reviewer.get(`${requestPath}?done=merge`)).html).toContain('The change request was merged.');
  });

  test('nothing is merged that changed since, or whose conditions are no longer met', async () => {
    const shown = await reviewer.get(requestPath);
    await service.as(author)('POST', `/v1/spaces/${space}/change-requests/1/comments`, { body: { markdown: 'Wait' } });
    const open = await reviewer.submit(shown, `${requestPath}/~merge`);
    expect(open).toMatchObject({ status: 409, html: expect.stringContaining('no-open-comments') });
    await service.as(author)('POST', `/v1/spaces/${space}/change-requests/1/content`, {
      changes: [{ operation: 'update_page', page, document: { markdown: 'Other text.\n' } }],
    });
    const changed = await reviewer.submit(shown, `${requestPath}/~merge`);
    expect(changed).toMatchObject({ status: 409, html: expect.stringContaining('was changed after you opened') });
    expect(await reviewer.submit(shown, `${requestPath}/~approve`)).toMatchObject({ status: 409 });
    expect((await service.call('GET', `/v1/spaces/${space}/change-requests/1`)).body.status).toBe('open');
  });

  test('what the API refuses is said in its words, and the text is kept', async () => {
    const shown = await reviewer.get(requestPath);
    const sent = await reviewer.submit(shown, `${requestPath}/~comment`, { body: '<b>x</b>', page: 'none' });
    expect(sent.status).toBe(400);
    expect(sent.html).toContain('is not a page of this content');
    expect(sent.html).toContain('&lt;b&gt;x&lt;/b&gt;');
  });

  test('readers get no forms, and the API refuses those that they make up', async () => {
    const shown = await reader.get(requestPath);
    expect(shown.html).not.toContain('<form class="app-form');
    const other = await reviewer.get(requestPath);
    const { hidden } = { hidden: { token: /name="token" value="([^"]+)"/.exec(other.html)?.[1] ?? '' } };
    expect((await reader.post(`${requestPath}/~comment`, { ...hidden, body: 'x' })).status).toBe(403);
  });
});

describe('requests of other sites', () => {
  test('a form needs its own token, for its address and session, and our origin', async () => {
    const shown = await reviewer.get(requestPath);
    const [, token = ''] =
      new RegExp(`action="${requestPath}/~comment">[^>]*name="token" value="([^"]+)"`).exec(shown.html) ?? [];
    expect(token).not.toBe('');
    const send = (fields: Record<string, string>, headers?: Record<string, string>, action = 'comment') =>
      reviewer.post(`${requestPath}/~${action}`, { body: 'x', ...fields }, headers);
    expect((await send({})).status).toBe(403);
    expect((await send({ token: `${token}x` })).status).toBe(403);
    expect((await send({ token }, undefined, 'approve')).status).toBe(403);
    expect((await send({ token }, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await send({ token }, { origin: service.url, 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    const again = await service.signedIn(reviewerId);
    expect((await again.post(`${requestPath}/~comment`, { token, body: 'x' })).status).toBe(403);
    expect(await comments()).toEqual([]);
    expect((await send({ token })).status).toBe(303);
  });

  test('a form leads back to its own change request only', async () => {
    const shown = await reviewer.get(requestPath);
    for (const back of ['https://evil.example/', '//evil.example', '/o/x/../../', `${requestPath}/\\evil`]) {
      const sent = await reviewer.submit(shown, `${requestPath}/~comment`, { body: 'x', back });
      expect(sent.headers.get('location')).toMatch(new RegExp(`^${requestPath}\\?done=comment#`));
    }
  });
});
