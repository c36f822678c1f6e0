import { codeOf, messageOf } from '../../shared/error-text.ts';
import { fileReason } from '../../shared/file-reason.ts';
import { UsageError } from '../program/failure.ts';
import { interruptibly } from '../program/signals.ts';

/** The value of JSON text, of `@file`, or of standard input for `-`. @throws UsageError */
export function jsonValue(text: string, what: string): unknown {
  const source = textValue(text, what);
  const place = text === '-' || text === '@-' ? 'standard input' : text.startsWith('@') ? text.slice(1) : undefined;
  const hint = 'Use JSON, @file with JSON in it, or - for standard input.';
  if (source.trim() === '') throw new UsageError(`${what}: ${place ?? 'the value'} is empty.`, hint);
  try {
    return JSON.parse(source);
  } catch (error) {
    // V8 repeats the text and says that it is not valid JSON.
    const message = messageOf(error);
    const repeats = message.endsWith(' is not valid JSON') ? message.search(/, (?:\.\.\.)?"/) : -1;
    const reason = (repeats === -1 ? message : message.slice(0, repeats)).replace(/ JSON input$/, '');
    throw new UsageError(`${what}: ${place ?? 'this'} is not JSON: ${reason}.`, hint);
  }
}

/** The text itself, that of `@file`, or standard input for `-`. */
function textValue(text: string, what: string): string {
  return text === '-' || text.startsWith('@') ? fileText(text.replace(/^@/, ''), what) : text;
}

/** The text of a file, or standard input for `-`. @throws UsageError if it cannot be read */
export const fileText = (path: string, what?: string): string => fileBytes(path, what).toString('utf8');

/** Like `fileText`, but for files that need not be text. */
export function fileBytes(path: string, what?: string): Buffer {
  const prefix = what === undefined ? '' : `${what}: `;
  if (path === '') throw new UsageError(`${prefix}No file is named.`, 'Name a file, or use - for standard input.');
  try {
    return path === '-' ? inputBytes() : process.getBuiltinModule('node:fs').readFileSync(path);
  } catch (error) {
    const name = path === '-' ? 'Standard input' : path;
    throw new UsageError(`${prefix}${name} cannot be read: ${fileReason(error)}.`, hintFor(error, path));
  }
}

function hintFor(error: unknown, path: string): string {
  const code = codeOf(error);
  if (path === '-') return 'Redirect a file or the output of a command to it.';
  if (code === 'EACCES' || code === 'EPERM') return 'Change its permissions, or use another file.';
  if (code === 'EISDIR') return 'Name a file inside it.';
  return 'Check the path, or use - for standard input.';
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
      // Another program has made the pipe non-blocking.
      if (codeOf(error) !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}
