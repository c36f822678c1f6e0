import { factorySpace } from 'micromark-factory-space';
import { markdownLineEnding, markdownSpace } from 'micromark-util-character';
import type { Code, Construct, Effects, State, TokenizeContext } from 'micromark-util-types';
import { addFailed, codes, consumeLineEnding, isExhausted } from './tokens.ts';

interface TagForm {
  /** Without, the tag ends at the first `%}`: for tags with a quote that is not closed. */
  readsQuotes: boolean;
  spansLines: boolean;
}

const tagOf = (form: TagForm, construct: Omit<Construct, 'tokenize'>): Construct => ({
  ...construct,
  tokenize(effects, ok, nok) {
    return tagState(this, effects, ok, nok, form);
  },
});

export const strictTag = tagOf({ readsQuotes: true, spansLines: true }, { name: 'blockTag' });
export const lenientTag = tagOf({ readsQuotes: false, spansLines: true }, { name: 'blockTag' });
const strictTagInLine = tagOf({ readsQuotes: true, spansLines: false }, { partial: true });
const lenientTagInLine = tagOf({ readsQuotes: false, spansLines: false }, { partial: true });

function tagState(self: TokenizeContext, effects: Effects, ok: State, nok: State, form: TagForm): State {
  let length = 0;
  let quote: Code = null;
  let previous: Code = null;
  const fail: State = (code) => {
    addFailed(self, length);
    return nok(code);
  };
  const consume = (code: Code): void => {
    length += 1;
    previous = code;
    effects.consume(code);
  };
  const start: State = (code) => {
    if (isExhausted(self)) return nok(code);
    effects.enter('blockTag');
    effects.enter('blockTagData');
    consume(code);
    return (next) => (next === codes.percent ? inside(next) : nok(next));
  };
  const inside: State = (code) => {
    if (code === null) return fail(code);
    if (markdownLineEnding(code)) return form.spansLines ? lineEnding(code) : fail(code);
    if (quote !== null) {
      if (code === codes.backslash) return escape(code);
      if (code === quote) quote = null;
    } else if (code === codes.percent) {
      consume(code);
      // The first one is part of the opening `{%`, so `{%}` is not a tag.
      return length === 2 ? inside : closing;
    } else if (form.readsQuotes && (code === codes.quote || code === codes.apostrophe)) {
      if (previous === codes.equals || markdownSpace(previous)) quote = code;
    }
    consume(code);
    return inside;
  };
  const lineEnding: State = (code) => {
    previous = codes.space;
    length += 1;
    return consumeLineEnding(effects, 'blockTagData', inside)(code);
  };
  const escape: State = (code) => {
    consume(code);
    return (next) => {
      if (next === null || markdownLineEnding(next)) return inside(next);
      consume(next);
      return inside;
    };
  };
  const closing: State = (code) => {
    if (code !== codes.closeBrace) return inside(code);
    consume(code);
    effects.exit('blockTagData');
    effects.exit('blockTag');
    return ok;
  };
  return start;
}

/** A line that consists of tags. */
export function tokenizeTagLine(this: TokenizeContext, effects: Effects, ok: State, nok: State): State {
  const start: State = (code) => {
    effects.enter('blockTags');
    return before(code);
  };
  const before: State = (code) => {
    if (code !== codes.openBrace) return nok(code);
    return effects.attempt(strictTagInLine, after, effects.attempt(lenientTagInLine, after, nok))(code);
  };
  const after: State = (code) => {
    if (markdownSpace(code)) return factorySpace(effects, after, 'whitespace')(code);
    if (code !== null && !markdownLineEnding(code)) return before(code);
    effects.exit('blockTags');
    return ok(code);
  };
  return start;
}
