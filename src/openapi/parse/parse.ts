import { identify, type Version } from '../identity.ts';
import { Lines } from './lines.ts';
import { parseText } from './syntax.ts';
import { SyntaxProblem } from './syntax-problem.ts';

/** 50 MiB, the largest description that the service reads. */
export const maxBytes = 50 * 1024 * 1024;

/** A text is not an OpenAPI 3 or Swagger 2 document. */
export class ParseFailure extends Error {
  override readonly name = 'ParseFailure';
}

/**
 * Reads a text as an OpenAPI 3 or Swagger 2 document without a check of the rest: `openapi validate` does that. Time and
 * memory are bounded by the length of the text, whatever its content.
 *
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
    if (!(error instanceof SyntaxProblem)) throw error;
    const { line, column } = new Lines(text).positionOf(error.offset);
    throw new ParseFailure(`Neither JSON nor YAML: line ${line}, column ${column}: ${error.message}`);
  }
}
