import fc, { anyText } from '../../support/property.ts';
import { expect, test } from 'vitest';
import {
  createListOutput,
  createRawListOutput,
  type OutputOptions,
  passesThrough,
} from '../../../src/cli/output/index.ts';

const pipe = { terminal: false, color: false, width: Number.POSITIVE_INFINITY };

async function printed(options: OutputOptions, pages: unknown[][], bytesOf?: (items: unknown[]) => string) {
  const chunks: Buffer[] = [];
  const sink = { write: (text: string | Uint8Array) => void chunks.push(Buffer.from(text)) };
  if (bytesOf) {
    const output = createRawListOutput(options, sink);
    for (const page of pages) await output.page(Buffer.from(bytesOf(page)));
    await output.end();
  } else {
    const output = createListOutput(options, [], sink);
    for (const page of pages) await output.page(page);
    await output.end();
  }
  return Buffer.concat(chunks).toString();
}

const compact = (items: unknown[]) => JSON.stringify(items).slice(1, -1);
const spaced = (items: unknown[]) => JSON.stringify(items, null, 2).slice(1, -1).trim();
const pages = fc.array(fc.array(fc.record({ id: anyText(), more: fc.jsonValue() }), { maxLength: 4 }));

test.each(['json', 'jsonl'] as const)(
  '%s that is passed through is printed as if it had been parsed',
  async (format) => {
    await fc.assert(
      fc.asyncProperty(pages, async (generated) => {
        const options = { ...pipe, format };
        // As a service sends them: numbers such as -0 are not told apart.
        const sent = JSON.parse(JSON.stringify(generated)) as unknown[][];
        expect(await printed(options, sent, compact)).toBe(await printed(options, sent));
      }),
    );
  },
);

test('a service that spaces its JSON still gives an item a line', async () => {
  const items = [{ id: 'a, "b"\n' }, { id: '[{' }];

  expect(await printed({ ...pipe, format: 'jsonl' }, [items], spaced)).toBe('{"id":"a, \\"b\\"\\n"}\n{"id":"[{"}\n');
});

test('only JSON for a machine with nothing left out is passed through', () => {
  expect(passesThrough({ ...pipe, format: 'json' })).toBe(true);
  expect(passesThrough({ ...pipe, format: 'jsonl' })).toBe(true);
  for (const other of [
    { ...pipe },
    { ...pipe, format: 'csv' as const },
    { ...pipe, format: 'json' as const, terminal: true },
    { ...pipe, format: 'json' as const, jq: '.' },
    { ...pipe, format: 'json' as const, columns: ['id'] },
  ]) {
    expect(passesThrough(other)).toBe(false);
  }
});
