import { constants, type Stats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { conflictLine, conflictMessage } from '../../shared/conflict-marks.ts';
import { fileReason } from '../../shared/file-reason.ts';
import type { Finding } from '../finding.ts';
import type { Overlaid } from '../overlay/overlaid.ts';
import { Lines, type Position } from './lines.ts';
import { Outline } from './outline.ts';
import { maxBytes } from './parse.ts';
import { construct, detectSyntax, mayRepeatKeys, readTokens, type Syntax } from './syntax.ts';
import { SyntaxProblem } from './syntax-problem.ts';
import { JsonTokens, YamlTokens } from './tokens.ts';

/** A file that was asked for cannot be read; the message names it and says why. */
export class UnreadableFile extends Error {
  readonly file: string;
  readonly reason: string;
  /** What to do, if it is not to name another file. */
  hint?: string;

  constructor(file: string, reason: string) {
    super(`Cannot read ${file}: ${reason}`);
    this.name = 'UnreadableFile';
    this.file = file;
    this.reason = reason;
  }
}

/** A text with its value and the positions of its keys and values. */
export class TextFile {
  /** The name in findings. */
  readonly name: string;
  readonly text: string;
  readonly syntax: Syntax;
  readonly problem: SyntaxProblem | undefined;
  readonly duplicates: readonly { key: string; position: Position }[];
  /** Those of JSON take little memory; those of YAML are read again where a position is asked for, as most files need none. */
  readonly #tokens: JsonTokens | undefined;
  readonly #value: unknown;
  /** Its value with overlays applied. */
  overlaid: Overlaid<TextFile> | undefined;
  #outline: Outline | undefined;

  constructor(name: string, text: string) {
    this.name = name;
    this.text = text.replace(/^\uFEFF/, '');
    this.syntax = detectSyntax(name, this.text);
    try {
      refuseConflict(this.text);
      const tokens = readTokens(this.text, this.syntax);
      this.#tokens = tokens instanceof JsonTokens ? tokens : undefined;
      this.#value = construct(this.text, tokens);
      this.duplicates = mayRepeatKeys(tokens, this.#value) ? new Outline(this.text, tokens).duplicates() : [];
    } catch (error) {
      if (!(error instanceof SyntaxProblem)) throw error;
      this.problem = error;
      this.duplicates = [];
    }
  }

  get value(): unknown {
    return this.overlaid ? this.overlaid.value : this.#value;
  }

  /** The place of a value or its key, which may be in an overlay. */
  placeOf(path: readonly string[], onKey: boolean): Position & { file: string } {
    const origin = this.overlaid?.originOf(path) ?? { source: this, path };
    return { file: origin.source.name, ...origin.source.find(origin.path, onKey) };
  }

  find(path: readonly string[], onKey: boolean): Position {
    this.#outline ??= this.outline();
    return this.#outline.find(path, onKey);
  }

  /** Not kept: the positions of several large files would take much memory together. */
  outline(): Outline {
    if (this.problem) return new Outline(this.text, new YamlTokens([]));
    return new Outline(this.text, this.#tokens ?? readTokens(this.text, this.syntax));
  }
}

/** @throws SyntaxProblem where a merge conflict begins */
function refuseConflict(text: string): void {
  const line = conflictLine(text);
  if (line === undefined) return;
  const before = text.split(/\r\n|\r|\n/, line - 1);
  throw new SyntaxProblem(conflictMessage, text.indexOf('<<<<<<<', before.join('\n').length));
}

/**
 * @param path without a symbolic link at its end: those are not followed
 * @throws UnreadableFile
 */
export async function readText(path: string, name: string): Promise<string> {
  const bytes = await readBytes(path, name);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UnreadableFile(name, 'it is not UTF-8 text');
  }
}

export function checkSize(text: string, name: string): void {
  if (Buffer.byteLength(text) > maxBytes) throw tooLarge(name);
}

async function readBytes(path: string, name: string): Promise<Uint8Array> {
  let file: FileHandle | undefined;
  try {
    // Opening a pipe waits for a writer, and opening a device may have effects.
    checkKind(await stat(path), name);
    file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
    // It may have been replaced by another file or a link in the meantime.
    const stats = await file.stat();
    checkKind(stats, name);
    return await readBounded(file, stats.size, name);
  } catch (error) {
    throw unreadable(error, name);
  } finally {
    await file?.close();
  }
}

/** Throws what `readText` throws for a path that is no readable file, without opening it. */
export async function checkReadable(path: string, name: string): Promise<void> {
  try {
    checkKind(await stat(path), name);
  } catch (error) {
    throw unreadable(error, name);
  }
}

function unreadable(error: unknown, name: string): UnreadableFile {
  if (error instanceof UnreadableFile) return error;
  return new UnreadableFile(name, fileReason(error));
}

function checkKind(stats: Stats, name: string): void {
  if (!stats.isFile())
    throw new UnreadableFile(name, stats.isDirectory() ? 'it is a folder' : 'it is not a regular file');
  if (stats.size > maxBytes) throw tooLarge(name);
}

/** Files that grow, and those below `/proc`, have more content than their size says. */
async function readBounded(file: FileHandle, size: number, name: string): Promise<Uint8Array> {
  // One byte more than the size: the end of the file is where no more comes.
  let bytes = Buffer.allocUnsafeSlow(Math.max(size + 1, 64 * 1024));
  let length = 0;
  for (;;) {
    const { bytesRead } = await file.read(bytes, length, bytes.length - length, null);
    if (bytesRead === 0) return bytes.subarray(0, length);
    length += bytesRead;
    if (length > maxBytes) throw tooLarge(name);
    if (length === bytes.length) bytes = Buffer.concat([bytes], Math.min(bytes.length * 2, maxBytes + 1));
  }
}

function tooLarge(name: string): UnreadableFile {
  return new UnreadableFile(name, 'it is larger than 50 MiB');
}

/**
 * What is wrong with a file as a text: its syntax, or duplicate keys.
 *
 * @param mayQuote whether it is known to be a description or a part of one: no text of other files is repeated
 */
export function syntaxFindings(file: TextFile, mayQuote: boolean): Finding[] {
  const { problem } = file;
  const duplicates: Finding[] = file.duplicates.map(({ key, position }) => ({
    file: file.name,
    ...position,
    level: 'error',
    rule: 'duplicate-key',
    message: `${mayQuote ? `The key ${JSON.stringify(key)}` : 'This key'} is already in this object`,
  }));
  if (!problem) return duplicates;
  const position = new Lines(file.text).positionOf(problem.offset);
  const message = `${file.syntax.toUpperCase()}: ${mayQuote ? problem.quoting : problem.message}`;
  return [{ file: file.name, ...position, level: 'error', message, rule: 'syntax' }];
}
