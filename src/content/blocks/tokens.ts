import { markdownLineEnding } from 'micromark-util-character';
import type { Effects, State, TokenizeContext } from 'micromark-util-types';

declare module 'micromark-util-types' {
  interface TokenTypeMap {
    blockTags: 'blockTags';
    blockTag: 'blockTag';
    blockTagData: 'blockTagData';
    formulaFlow: 'formulaFlow';
    formulaText: 'formulaText';
    formulaData: 'formulaData';
    expressionText: 'expressionText';
    expressionData: 'expressionData';
  }
}

export const codes = {
  space: 32,
  quote: 34,
  dollar: 36,
  percent: 37,
  apostrophe: 39,
  lessThan: 60,
  equals: 61,
  backslash: 92,
  openBrace: 123,
  closeBrace: 125,
};

// A text can contain thousands of openings that are never closed, and each makes the parser scan the rest of its paragraph.
const maxFailed = 200_000;
const failed = new WeakMap<TokenizeContext['parser'], number>();

/** Whether the parser has scanned too much in vain and must stop trying. */
export function isExhausted({ parser }: TokenizeContext): boolean {
  return (failed.get(parser) ?? 0) > maxFailed;
}

export function addFailed({ parser }: TokenizeContext, length: number): void {
  failed.set(parser, (failed.get(parser) ?? 0) + length);
}

/** Consumes line endings inside a token. Tokens must not contain them, so the token is closed and reopened. */
export function consumeLineEnding(effects: Effects, type: 'formulaData' | 'blockTagData', next: State): State {
  const consume: State = (code) => {
    effects.enter('lineEnding');
    effects.consume(code);
    effects.exit('lineEnding');
    return after;
  };
  const after: State = (code) => {
    if (code !== null && markdownLineEnding(code)) return consume(code);
    effects.enter(type);
    return next(code);
  };
  return (code) => {
    effects.exit(type);
    return consume(code);
  };
}
