import type { Client } from '../../client/client.ts';
import { dotSegmentRefusal, hasDotSegment } from '../../contract/path.ts';
import { UsageError } from '../program/failure.ts';
import { codeOf, messageOf } from '../../shared/error-text.ts';
import { fileReason } from '../../shared/file-reason.ts';
import type { Column, OutputOptions } from '../output/index.ts';
import { interruptibly } from '../program/signals.ts';
import type { Invocation, ScopeName } from './command.ts';

export type { Invocation, SharedFlags } from './command.ts';

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
    format: globals.output,
    columns: globals.columns,
    jq: globals.jq,
    header: globals.header,
    quiet: io.quiet,
    ...extra,
  };
}

/** Prints one object as this run prints. */
export async function print(
  invocation: Invocation,
  object: unknown,
  columns?: readonly Column[],
  options = outputOptions(invocation),
): Promise<void> {
  const { command, io } = invocation;
  const { printObject } = await import('../output/index.ts');
  const shown =
    columns ?? (Array.isArray(object) ? command.output?.columns : (command.output?.card ?? command.output?.columns));
  await printObject(options, object, shown, io.out);
}

/** Organization, space or site of this run. @throws UsageError that names flag and variable */
export async function scopeOf(invocation: Invocation, name: ScopeName): Promise<string> {
  const found = await invocation.session.scope(name, invocation.flags[name]);
  if (found && hasDotSegment(found.value)) throw new UsageError(`${found.source}: ${dotSegmentRefusal(found.value)}`);
  if (found) return found.value;
  if (name === 'org') {
    const only = await onlyOrganization(await invocation.client());
    if (only !== undefined) return only;
  }
  if (invocation.io.interactive) {
    return invocation.pick(`${name}Id`);
  }
  const what = { org: 'organization', space: 'space', site: 'site' }[name];
  throw new UsageError(
    `Which ${what}? None is named.`,
    `Give --${name} <id>, set DOCSCTL_${name.toUpperCase()}, or put "${name}:" into .docsctl.yaml.`,
  );
}

/** The id of the caller's organization; undefined where there is none or several. */
export async function onlyOrganization(client: Client): Promise<string | undefined> {
  const { orgs } = await import('../../contract/orgs.ts');
  const { items, count } = await client.call(orgs.list, { query: { limit: 1 } });
  return count === 1 ? items[0]?.id : undefined;
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
    const message = messageOf(error);
    const repeats = message.endsWith(' is not valid JSON') ? message.search(/, (?:\.\.\.)?"/) : -1;
    const reason = (repeats === -1 ? message : message.slice(0, repeats)).replace(/ JSON input$/, '');
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
  const code = codeOf(error);
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
      if (codeOf(error) !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}
