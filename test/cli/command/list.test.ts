import { describe, expect, test } from 'vitest';
import { command } from '../../../src/cli/command/define.ts';
import { collections } from '../../../src/contract/collections.ts';
import { runCommand, scriptedTransport } from './support.ts';

const list = command({ use: 'list', endpoint: collections.list });
const words = ['list', '--org', 'or1'];

/** A list of `count` items, in pages of as many as are requested. */
const listOf = (count: number) =>
  scriptedTransport(({ searchParams }) => {
    const start = Number(searchParams.get('page') ?? 0);
    const end = Math.min(start + Number(searchParams.get('limit')), count);
    const items = Array.from({ length: end - start }, (_, index) => ({
      object: 'collection',
      id: `co${start + index}`,
    }));
    return { body: { items, count, ...(end < count ? { next: { page: String(end) } } : {}) } };
  });

const requested = (urls: URL[]) =>
  urls.map(({ searchParams }) => [searchParams.get('page'), searchParams.get('limit')]);

describe('a list', () => {
  test('follows all pages', async () => {
    const { transport, urls } = listOf(5);
    const { status, out } = await runCommand(list, [...words, '--page-size', '2', '-o', 'id'], transport);

    expect({ status, out }).toEqual({ status: 0, out: 'co0\nco1\nco2\nco3\nco4\n' });
    expect(requested(urls)).toEqual([
      [null, '2'],
      ['2', '2'],
      ['4', '2'],
    ]);
  });

  test('ends at --limit, and does not request more than that', async () => {
    const { transport, urls } = listOf(9);
    const { out } = await runCommand(list, [...words, '--page-size', '2', '--limit', '3', '-o', 'id'], transport);

    expect(out).toBe('co0\nco1\nco2\n');
    expect(requested(urls)).toEqual([
      [null, '2'],
      ['2', '1'],
    ]);
  });

  test('starts at --page', async () => {
    const { transport } = listOf(5);
    const { out } = await runCommand(list, [...words, '--page', '3', '-o', 'id'], transport);

    expect(out).toBe('co3\nco4\n');
  });

  test('passes items through with -o json', async () => {
    const { transport } = listOf(3);
    const { out } = await runCommand(list, [...words, '--page-size', '2', '-o', 'json'], transport);

    expect(JSON.parse(out)).toEqual([0, 1, 2].map((index) => ({ object: 'collection', id: `co${index}` })));
  });

  test('is valid JSON also where a later page fails', async () => {
    const { transport } = scriptedTransport(({ searchParams }) =>
      searchParams.has('page')
        ? { status: 500, body: { error: { message: 'Internal server error.' } } }
        : { body: { items: [{ id: 'co0' }], count: 2, next: { page: '1' } } },
    );
    const { status, out, err } = await runCommand(list, [...words, '-o', 'json'], transport);

    expect(status).toBe(7);
    expect(JSON.parse(out)).toEqual([{ id: 'co0' }]);
    expect(err).toContain('Internal server error.');
  });

  test('fails where a page token comes twice', async () => {
    const { transport } = scriptedTransport(() => ({
      body: { items: [{ id: 'co0' }], count: 9, next: { page: 'a' } },
    }));
    const { status, err } = await runCommand(list, [...words, '-o', 'id'], transport);

    expect(status).toBe(1);
    expect(err).toContain('gave the same page token twice');
  });

  test.each(['0', '1001'])('refuses a --page-size of %s', async (size) => {
    const { status, err } = await runCommand(list, [...words, '--page-size', size]);

    expect(status).toBe(2);
    expect(err).toContain('--page-size must be from 1 to 1000.');
  });
});
