import { constants, type Stats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { SyntaxFault } from './fault.ts';
import type { Finding } from './finding.ts';
import { Outline, type Position } from './outline.ts';
import { maxBytes } from './parse.ts';
import { construct, detectSyntax, readEvents, type Syntax } from './syntax.ts';

/** A file that was asked for cannot be read; the message names it and says why. */
export class UnreadableFile extends Error {
  readonly file: string;
  readonly reason: string;

  constructor(file: string, reason: string) {
    super(`Cannot read ${file}: ${reason}`);
    this.name = 'UnreadableFile';
    this.file = file;
    this.reason = reason;
  }
}

/** A text with its value and the places of its keys and values. */
export class TextFile {
  /** As findings call it. */
  readonly name: string;
  readonly text: string;
  readonly syntax: Syntax;
  readonly value: unknown;
  readonly fault: SyntaxFault | undefined;
  readonly duplicates: readonly { key: string; position: Position }[];
  #outline: Outline | undefined;

  constructor(name: string, text: string) {
    this.name = name;
    this.text = text.replace(/^\uFEFF/, '');
    this.syntax = detectSyntax(name, this.text);
    try {
      const events = readEvents(this.text, this.syntax);
      this.value = construct(this.text, this.syntax, events);
      this.duplicates = new Outline(this.text, events).duplicates();
    } catch (error) {
      if (!(error instanceof SyntaxFault)) throw error;
      this.fault = error;
      this.duplicates = [];
    }
  }

  /** Tokens are read again for the first place asked for: most files need none, and keeping them costs memory. */
  find(path: readonly string[], onKey: boolean): Position {
    this.#outline ??= new Outline(this.text, this.fault ? [] : readEvents(this.text, this.syntax));
    return this.#outline.find(path, onKey);
  }

  at(offset: number): Position {
    return new Outline(this.text, []).at(offset);
  }
}

/**
 * @param path Without symbolic links at its end: those are not followed.
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
    // Opening a pipe would wait for a writer, and opening a device may do something to it.
    checkKind(await stat(path), name);
    file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
    // Another file, or a link, may have taken its place in the meantime.
    checkKind(await file.stat(), name);
    return await readBounded(file, name);
  } catch (error) {
    throw unreadable(error, name);
  } finally {
    await file?.close();
  }
}

/** Throws what `readText` would, without reading. */
export async function checkReadable(path: string, name: string): Promise<void> {
  try {
    checkKind(await stat(path), name);
  } catch (error) {
    throw unreadable(error, name);
  }
}

function unreadable(error: unknown, name: string): UnreadableFile {
  if (error instanceof UnreadableFile) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  return new UnreadableFile(name, reasons[code ?? ''] ?? message);
}

function checkKind(found: Stats, name: string): void {
  if (!found.isFile()) throw new UnreadableFile(name, found.isDirectory() ? 'it is a folder' : 'it is no file');
  if (found.size > maxBytes) throw tooLarge(name);
}

/** A file that grows, and those below `/proc`, hold more than their size says. */
async function readBounded(file: FileHandle, name: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of file.createReadStream({ autoClose: false }) as AsyncIterable<Uint8Array>) {
    length += chunk.byteLength;
    if (length > maxBytes) throw tooLarge(name);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const reasons: Record<string, string> = {
  ENOENT: 'there is no such file',
  EACCES: 'you may not',
  EPERM: 'the system does not allow it',
  ENOTDIR: 'what stands before a slash in it is no folder',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'its links lead in a circle',
};

function tooLarge(name: string): UnreadableFile {
  return new UnreadableFile(name, 'it is larger than 50 MiB');
}

/**
 * What is wrong with a file as a text: its syntax, or keys that stand twice.
 * @param mayQuote Whether it is known to be a description or a part of one: of other files, no text is repeated.
 */
export function faultFindings(file: TextFile, mayQuote: boolean): Finding[] {
  const faults: Finding[] = file.duplicates.map(({ key, position }) => ({
    file: file.name,
    ...position,
    severity: 'error',
    rule: 'duplicate-key',
    message: `${mayQuote ? `The key ${JSON.stringify(key)}` : 'This key'} is already in this object`,
  }));
  if (!file.fault) return faults;
  const message = `${file.syntax.toUpperCase()}: ${mayQuote ? file.fault.quoting : file.fault.message}`;
  return [{ file: file.name, ...file.at(file.fault.offset), severity: 'error', message, rule: 'syntax' }];
}
