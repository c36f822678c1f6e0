import { expect, test } from 'vitest';
import { testInstance } from '../support/instance.ts';

const source = (title: string) => ({
  source: { text: JSON.stringify({ openapi: '3.0.3', info: { title, version: '1' }, paths: {} }) },
});

test('a specification is only replaced in the state that If-Match names', async () => {
  const { call, orgPath } = await testInstance();
  const path = `${orgPath}/openapi/pets`;
  const condition = (tag: string | undefined) => ({ 'if-match': tag! });

  const absent = await call('PUT', path, source('One'), condition('*'));
  await call('PUT', path, source('One'));
  await expect.poll(async () => (await call('GET', path)).body.processingState).toBe('complete');
  const { etag } = (await call('GET', path)).headers;
  const replaced = await call('PUT', path, source('Two'), condition(`"other", ${etag}`));
  const late = await call('PUT', path, source('Three'), condition(etag));
  const any = await call('PUT', path, source('Four'), condition('*'));

  expect([absent, replaced, late, any].map(({ status }) => status)).toEqual([412, 200, 412, 200]);
  expect(late.error.reason).toBe('precondition-failed');
  expect(new Set([etag, replaced.headers.etag, undefined])).toHaveLength(3);
});
