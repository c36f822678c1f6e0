import type { Command as Commander } from 'commander';
import type { Client } from '../client/client.ts';
import type { DerivedFlag } from './derive.ts';
import { type FlagOf, UsageError } from './failure.ts';
import { fileReason } from './file.ts';
import type { Globals } from './globals.ts';
import type { Io } from './io.ts';
import type { Column, OutputOptions } from './output/index.ts';
import type { Session } from './session.ts';
import { interruptibly } from './signals.ts';
import type { Command } from './tree.ts';

/** One run of one command: what was given, and what it works with. */
export interface Invocation {
  command: Command;
  /** `members list`, for messages and for the commands that are printed to be repeated. */
  path: string;
  /** Arguments by name; several where `...` stands. */
  args: Record<string, string | string[] | undefined>;
  /** Flags by commander's name. */
  flags: Record<string, any>;
  globals: Globals;
  derived: DerivedFlag[];
  flagOf: FlagOf;
  session: Session;
  io: Io;
  signal: AbortSignal;
  client(): Promise<Client>;
  /** Prints the help of another command. @returns false where there is no such command */
  explain(words: string[]): Promise<boolean>;
  /** The root of the tree. */
  program: Commander;
}

/** An argument that is given exactly once. */
export function argument(invocation: Invocation, name: string): string {
  const value = invocation.args[name];
  if (typeof value === 'string') return value;
  throw new UsageError(`<${name}> is missing.`, `See "docsctl ${invocation.path} --help".`);
}

/** How this run prints. */
export function outputOptions({ globals, io }: Invocation, extra: Partial<OutputOptions> = {}): OutputOptions {
  return {
    ...io.screen,
    ...(globals.output === undefined ? {} : { format: globals.output }),
    ...(globals.columns === undefined ? {} : { columns: globals.columns }),
    ...(globals.jq === undefined ? {} : { jq: globals.jq }),
    ...(globals.header === undefined ? {} : { header: globals.header }),
    quiet: io.quiet,
    ...extra,
  };
}

/** Prints one object as this run prints. */
export async function print(
  invocation: Invocation,
  object: unknown,
  columns?: Column[],
  options = outputOptions(invocation),
): Promise<void> {
  const { command, io } = invocation;
  const { printObject } = await import('./output/index.ts');
  const shown = columns ?? (Array.isArray(object) ? command.columns : (command.card ?? command.columns));
  await printObject(options, object, shown, io.out);
}

/** Organization, space or site of this run. @throws UsageError that names flag and variable */
export async function scopeOf(invocation: Invocation, name: 'org' | 'space' | 'site'): Promise<string> {
  const found = await invocation.session.scope(name, invocation.flags[name] as string | undefined);
  if (found) return found.value;
  if (name === 'org') {
    const only = await onlyOrganization(invocation);
    if (only !== undefined) return only;
  }
  if (invocation.io.interactive) {
    const { choose } = await import('./choose.ts');
    return choose(invocation, name);
  }
  const what = { org: 'organization', space: 'space', site: 'site' }[name];
  throw new UsageError(
    `Which ${what}? None is named.`,
    `Give --${name} <id>, set DOCSCTL_${name.toUpperCase()}, or put "${name}:" into .docsctl.yaml.`,
  );
}

async function onlyOrganization(invocation: Invocation): Promise<string | undefined> {
  const { orgs } = await import('../contract/orgs.ts');
  const client = await invocation.client();
  const { items, count } = await client.call(orgs.list, { query: { limit: 1 } });
  return count === 1 ? items[0]!.id : undefined;
}

/** JSON that is given as it is, as `@file`, or as `-` for standard input. @throws UsageError */
export function jsonGiven(text: string, what: string): unknown {
  const source = textGiven(text, what);
  const place = text === '-' || text === '@-' ? 'standard input' : text.startsWith('@') ? text.slice(1) : undefined;
  const hint = 'Give JSON, @file with JSON in it, or - for standard input.';
  if (source.trim() === '') throw new UsageError(`${what}: ${place ?? 'the value'} is empty.`, hint);
  try {
    return JSON.parse(source);
  } catch (error) {
    // The engine repeats the text, and that it is not JSON.
    const reason = (error as Error).message
      .replace(/, (?:\.\.\.)?".*is not valid JSON$/s, '')
      .replace(/ JSON input$/, '');
    throw new UsageError(`${what}: ${place ?? 'this'} is not JSON: ${reason}.`, hint);
  }
}

/** Text that is given as it is, as `@file`, or as `-` for standard input. */
export function textGiven(text: string, what: string): string {
  return text === '-' || text.startsWith('@') ? fileText(text.replace(/^@/, ''), what) : text;
}

/** What a file holds, or for `-` standard input. @throws UsageError where it cannot be read */
export const fileText = (path: string, what?: string): string => fileBytes(path, what).toString('utf8');

/** As `fileText`, for what need not be text. */
export function fileBytes(path: string, what?: string): Buffer {
  const asked = what === undefined ? '' : `${what}: `;
  if (path === '') throw new UsageError(`${asked}No file is named.`, 'Name one, or give - for standard input.');
  try {
    return path === '-' ? inputBytes() : process.getBuiltinModule('node:fs').readFileSync(path);
  } catch (error) {
    const name = path === '-' ? 'Standard input' : path;
    throw new UsageError(`${asked}${name} cannot be read: ${fileReason(error)}.`, adviceFor(error, path));
  }
}

function adviceFor(error: unknown, path: string): string {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (path === '-') return 'Send it a file or the output of a command.';
  if (code === 'EACCES' || code === 'EPERM') return 'Change its permissions, or name another file.';
  if (code === 'EISDIR') return 'Name a file in it.';
  return 'Check the path, or give - for standard input.';
}

/** All of standard input. */
export const inputText = (): string => inputBytes().toString('utf8');

const inputBytes = () => interruptibly(readInput);

function readInput(): Buffer {
  const fs = process.getBuiltinModule('node:fs');
  const chunks: Buffer[] = [];
  const buffer = Buffer.alloc(65_536);
  for (;;) {
    try {
      const size = fs.readSync(0, buffer);
      if (size === 0) return Buffer.concat(chunks);
      chunks.push(Buffer.from(buffer.subarray(0, size)));
    } catch (error) {
      // A pipe that another program set not to wait.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}
