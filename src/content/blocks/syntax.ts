import type { CompileContext, Extension as FromMarkdownExtension, Handle, Token } from 'mdast-util-from-markdown';
import { markdownLineEnding } from 'micromark-util-character';
import type { Effects, Extension, State, TokenizeContext, Tokenizer } from 'micromark-util-types';
import { formulaFlow, formulaText } from './formula-syntax.ts';
import type { BlockTag, ExpressionNode, Formula } from './nodes.ts';
import { lenientTag, strictTag, tokenizeTagLine } from './tag-syntax.ts';
import { addFailed, codes, isExhausted } from './tokens.ts';

/** The platform's extensions of Markdown: tags of blocks, formulas and expressions. */
export const blockSyntax: Extension = {
  flow: {
    [codes.openBrace]: { name: 'blockTags', tokenize: tokenizeTagLine },
    [codes.dollar]: { name: 'formulaFlow', tokenize: withSelf(formulaFlow), concrete: true },
  },
  text: {
    [codes.openBrace]: [strictTag, lenientTag],
    [codes.dollar]: { name: 'formulaText', tokenize: withSelf(formulaText) },
    [codes.lessThan]: { name: 'expressionText', tokenize: withSelf(expressionText) },
  },
};

function withSelf(tokenize: (self: TokenizeContext, effects: Effects, ok: State, nok: State) => State): Tokenizer {
  return function tokenizeWithSelf(effects, ok, nok) {
    return tokenize(this, effects, ok, nok);
  };
}

const expressionStart = '<code class="expression">';
const expressionEnd = '</code>';

/** The content of `<code class="expression">` is not Markdown. */
function expressionText(self: TokenizeContext, effects: Effects, ok: State, nok: State): State {
  let at = 0;
  let ending = 0;
  let length = 0;
  const start: State = (code) => {
    if (isExhausted(self)) return nok(code);
    effects.enter('expressionText');
    effects.enter('expressionData');
    return opening(code);
  };
  const opening: State = (code) => {
    if (code === null || code !== expressionStart.codePointAt(at)) return nok(code);
    at += 1;
    effects.consume(code);
    return at === expressionStart.length ? inside : opening;
  };
  const inside: State = (code) => {
    length += 1;
    if (code === null || markdownLineEnding(code)) {
      addFailed(self, length);
      return nok(code);
    }
    ending = code === expressionEnd.codePointAt(ending) ? ending + 1 : Number(code === codes.lessThan);
    effects.consume(code);
    if (ending < expressionEnd.length) return inside;
    effects.exit('expressionData');
    effects.exit('expressionText');
    return ok;
  };
  return start;
}

type AddedNode = BlockTag | Formula | ExpressionNode;

/** Turns the tokens into nodes. */
export const blockNodes: FromMarkdownExtension = {
  enter: {
    blockTag: enterNode(() => ({ type: 'blockTag', value: '' })),
    formulaText: enterNode(() => ({ type: 'formula', inline: true, value: '' })),
    formulaFlow: enterNode(() => ({ type: 'formula', inline: false, value: '' })),
    expressionText: enterNode(() => ({ type: 'expression', value: '' })),
  },
  exit: {
    blockTagData: addData,
    formulaData: addData,
    expressionData: addData,
    blockTag: exitNode((value) => value.slice('{%'.length, -'%}'.length)),
    formulaText: exitNode((value) => value.slice('$$'.length, -'$$'.length).trim()),
    formulaFlow: exitNode((value) => value.replace(/^\$\$/, '').replace(/\$\$$/, '').trim()),
    expressionText: exitNode((value) => value.slice(expressionStart.length, -expressionEnd.length)),
  },
};

// Line by line, because the prefixes of lists and quotes are not part of the value.
function addData(this: CompileContext, token: Token): undefined {
  const node = this.stack.at(-1);
  if (node === undefined || !isAdded(node)) return;
  const data = this.sliceSerialize(token);
  node.value += node.value === '' || node.value === '$' ? data : `\n${data}`;
}

function enterNode(create: () => AddedNode): Handle {
  return function enter(token) {
    this.enter(create(), token);
  };
}

function exitNode(read: (value: string) => string): Handle {
  return function exit(token) {
    const node = this.stack.at(-1);
    if (node !== undefined && isAdded(node)) node.value = read(node.value);
    this.exit(token);
  };
}

function isAdded(node: { type: string }): node is AddedNode {
  return node.type === 'blockTag' || node.type === 'formula' || node.type === 'expression';
}
