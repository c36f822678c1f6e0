import { factorySpace } from 'micromark-factory-space';
import { markdownLineEnding, markdownSpace } from 'micromark-util-character';
import type { Construct, Effects, State, TokenizeContext } from 'micromark-util-types';
import { addFailed, codes, consumeLineEnding, isExhausted } from './tokens.ts';

/** `$$ x^2 $$` in a paragraph. `\\$` is part of the formula. */
export function formulaText(self: TokenizeContext, effects: Effects, ok: State, nok: State): State {
  let length = 0;
  const start: State = (code) => {
    if (isExhausted(self)) return nok(code);
    effects.enter('formulaText');
    effects.enter('formulaData');
    effects.consume(code);
    return opening;
  };
  const opening: State = (code) => {
    if (code !== codes.dollar) return nok(code);
    effects.consume(code);
    return inside;
  };
  const inside: State = (code) => {
    if (code === null) {
      addFailed(self, length);
      return nok(code);
    }
    length += 1;
    if (markdownLineEnding(code)) return consumeLineEnding(effects, 'formulaData', inside)(code);
    effects.consume(code);
    if (code === codes.backslash) return escaped;
    return code === codes.dollar && length > 1 ? closing : inside;
  };
  const escaped: State = (code) => {
    if (code === null || markdownLineEnding(code)) return inside(code);
    length += 1;
    effects.consume(code);
    return inside;
  };
  const closing: State = (code) => {
    if (code !== codes.dollar) return inside(code);
    effects.consume(code);
    effects.exit('formulaData');
    effects.exit('formulaText');
    return ok;
  };
  return start;
}

/** From `$$` on its own line to the next such line. */
export function formulaFlow(self: TokenizeContext, effects: Effects, ok: State, nok: State): State {
  const nonLazyLine: Construct = {
    partial: true,
    tokenize(inner, innerOk, innerNok) {
      return (code) => {
        inner.enter('lineEnding');
        inner.consume(code);
        inner.exit('lineEnding');
        return (next) => (self.parser.lazy[this.now().line] ? innerNok(next) : innerOk(next));
      };
    },
  };
  let fence = 0;
  const start: State = (code) => {
    effects.enter('formulaFlow');
    return opening(code);
  };
  const opening: State = (code) => {
    if (code === codes.dollar && fence < 2) {
      effects.enter('formulaData');
      effects.consume(code);
      effects.exit('formulaData');
      fence += 1;
      return opening;
    }
    if (fence < 2) return nok(code);
    if (markdownSpace(code)) return factorySpace(effects, opening, 'whitespace')(code);
    return code !== null && markdownLineEnding(code) ? lineEnd(code) : nok(code);
  };
  const lineEnd: State = (code) => effects.attempt(nonLazyLine, lineStart, done)(code);
  const done: State = (code) => {
    effects.exit('formulaFlow');
    return ok(code);
  };
  const lineStart: State = (code) => {
    if (markdownSpace(code)) return factorySpace(effects, lineStart, 'whitespace')(code);
    return effects.attempt(closingFence, done, line)(code);
  };
  const line: State = (code) => {
    if (code === null) return done(code);
    if (markdownLineEnding(code)) return lineEnd(code);
    effects.enter('formulaData');
    return data(code);
  };
  const data: State = (code) => {
    if (code === null || markdownLineEnding(code)) {
      effects.exit('formulaData');
      return line(code);
    }
    effects.consume(code);
    return data;
  };
  return start;
}

const closingFence: Construct = {
  partial: true,
  tokenize(effects, ok, nok) {
    let size = 0;
    const start: State = (code) => {
      if (code !== codes.dollar) return nok(code);
      effects.enter('formulaData');
      return fence(code);
    };
    const fence: State = (code) => {
      if (code === codes.dollar) {
        size += 1;
        effects.consume(code);
        return fence;
      }
      if (size !== 2) return nok(code);
      effects.exit('formulaData');
      return after(code);
    };
    const after: State = (code) => {
      if (markdownSpace(code)) return factorySpace(effects, after, 'whitespace')(code);
      return code === null || markdownLineEnding(code) ? ok(code) : nok(code);
    };
    return start;
  },
};
