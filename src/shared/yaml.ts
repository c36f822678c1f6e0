import {
  CORE_SCHEMA,
  defineScalarTag,
  FAILSAFE_SCHEMA,
  loadAll,
  nullCoreTag,
  type Schema,
  YAMLException,
} from 'js-yaml';
import { messageOf } from './error-text.ts';

/** Why a text is not read as YAML. */
export class UnreadableYaml extends Error {
  override readonly name = 'UnreadableYaml';
  /** From 1; undefined if the problem is on no single line. */
  readonly line: number | undefined;
  readonly column: number | undefined;

  constructor(message: string, mark?: { line: number; column: number }) {
    super(message);
    this.line = mark && mark.line + 1;
    this.column = mark && mark.column + 1;
  }
}

/** A text with the tag !env: the name of a variable, or a text with `${NAME}` in it. */
export class EnvText {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

// js-yaml and not yaml: it takes time in proportion to the text, where yaml compares each key with all others, makes an
// error of each character that is wrong, and nests until the stack overflows.
const options = { maxDepth: 100, maxAliases: 1_000 };

/**
 * The value of a YAML text that anybody may have written; undefined if it is empty. What aliases repeat is the same
 * value, which may contain itself.
 *
 * @param hasEnv whether texts may have the tag !env: each is an `EnvText` then
 * @throws UnreadableYaml
 */
export function readYaml(text: string, maxLength = 1_000_000, { hasEnv = false } = {}): unknown {
  return readAs(text, maxLength, hasEnv ? envSchema() : undefined);
}

/**
 * Like `readYaml`, but numbers and truth values are texts as they are written: a title of 1.10 is not 1.1.
 *
 * @throws UnreadableYaml also if a value has the tag of a number
 */
export const readYamlTexts = (text: string, maxLength = 1_000_000): unknown => readAs(text, maxLength, textSchema);

const textSchema = FAILSAFE_SCHEMA.withTags(nullCoreTag);

function readAs(text: string, maxLength: number, schema: Schema | undefined): unknown {
  if (text.length > maxLength) {
    throw new UnreadableYaml(`longer than ${maxLength.toLocaleString('en')} characters`);
  }
  if (text.trim() === '') return undefined;
  let documents: unknown[];
  try {
    documents = loadAll(text, schema ? { ...options, schema } : options);
  } catch (error) {
    if (!(error instanceof YAMLException)) throw new UnreadableYaml(messageOf(error));
    throw new UnreadableYaml(error.reason, error.mark ?? undefined);
  }
  if (documents.length > 1) throw new UnreadableYaml('more than one document');
  return documents[0];
}

const envSchema = () =>
  CORE_SCHEMA.withTags(
    defineScalarTag('!env', { identify: () => false, resolve: (source: string) => new EnvText(source) }),
  );
