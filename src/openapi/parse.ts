import { identify, type Version } from './identity.ts';
import { SyntaxFault } from './fault.ts';
import { Outline } from './outline.ts';
import { parseText } from './syntax.ts';

/** 50 MiB, the most the service reads of a description. */
export const maxBytes = 50 * 1024 * 1024;

/** A text is no OpenAPI 3 or Swagger 2 document. */
export class ParseFailure extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ParseFailure';
  }
}

/**
 * Reads a text as an OpenAPI 3 or Swagger 2 document and does not judge what else it says: `openapi validate` does.
 * Bounded in time and memory by the text's length, whatever the text is.
 * @throws ParseFailure
 */
export function parseDescription(text: string): { version: Version; title: string; document: unknown } {
  if (Buffer.byteLength(text) > maxBytes) throw new ParseFailure('Larger than 50 MiB');
  const document = parse(text.replace(/^\uFEFF/, ''));
  const identity = identify(document);
  if (identity.problem !== undefined) throw new ParseFailure(identity.problem);
  return { version: identity.version, title: identity.title, document };
}

function parse(text: string): unknown {
  try {
    return parseText(text);
  } catch (error) {
    if (!(error instanceof SyntaxFault)) throw error;
    const { line, column } = new Outline(text, []).at(error.offset);
    throw new ParseFailure(`Neither JSON nor YAML: line ${line}, column ${column}: ${error.message}`);
  }
}
