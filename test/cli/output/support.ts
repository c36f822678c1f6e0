import { createListOutput, printObject } from '../../../src/cli/output/index.ts';
import type { Column, OutputOptions, Sink } from '../../../src/cli/output/index.ts';

export const now = new Date('2025-06-15T16:40:21.000Z');

/** Options of a pipe, unless said otherwise. */
export function pipe(options: Partial<OutputOptions> = {}): OutputOptions {
  return { color: false, terminal: false, width: Number.POSITIVE_INFINITY, now, ...options };
}

export function screen(width: number, options: Partial<OutputOptions> = {}): OutputOptions {
  return { color: false, terminal: true, width, now, ...options };
}

export function createCollector(): Sink & { writes: string[]; text(): string } {
  const writes: string[] = [];
  return {
    writes,
    write(text) {
      writes.push(typeof text === 'string' ? text : Buffer.from(text).toString());
    },
    text: () => writes.join(''),
  };
}

export async function listed(options: OutputOptions, columns: Column[], ...pages: unknown[][]): Promise<string> {
  const sink = createCollector();
  const output = createListOutput(options, columns, sink);
  for (const page of pages) await output.page(page);
  await output.end();
  return sink.text();
}

export async function printed(options: OutputOptions, object: unknown, columns?: Column[]): Promise<string> {
  const sink = createCollector();
  await printObject(options, object, columns, sink);
  return sink.text();
}

export const memberColumns: Column[] = [
  { key: 'id', title: 'ID', kind: 'id' },
  { key: 'user.displayName', title: 'Name' },
  { key: 'user.email', title: 'Email' },
  { key: 'role', kind: 'role' },
  { key: 'disabled', kind: 'boolean', style: { true: 'bad' } },
  { key: 'lastSeenAt', title: 'Last seen', kind: 'date', optional: true },
  { key: 'teams', kind: 'number', optional: true },
];

export const members = [
  {
    id: 'Us7Rw2nKq9Df',
    role: 'admin',
    user: { id: 'Us7Rw2nKq9Df', displayName: 'Mirela Ostrava', email: 'mirela@lumen.example' },
    disabled: false,
    lastSeenAt: '2025-06-12T16:40:21.000Z',
    teams: 2,
  },
  {
    id: 'Us1Aa2bBc3Cd',
    role: null,
    user: {
      id: 'Us1Aa2bBc3Cd',
      displayName: '山田 太郎 🫠👨‍👩‍👧 of the documentation department',
      email: 'taro@lumen.example',
    },
    disabled: true,
    lastSeenAt: '2025-06-15T16:40:00.000Z',
    teams: 120,
  },
  {
    id: 'Us5Hh6jJk7Ll',
    role: 'read',
    user: { id: 'Us5Hh6jJk7Ll', displayName: 'Evil \u001b[31mred\u202e\r\nline', email: 'evil@lumen.example' },
    disabled: false,
    teams: 0,
  },
];
