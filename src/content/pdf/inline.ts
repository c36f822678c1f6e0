import type { Definition, PhrasingContent } from 'mdast';
import { withEmoji } from '../markdown/emoji-names.ts';
import { emojiOfCode } from '../markdown/markup.ts';
import { phrasing } from './html.ts';
import { colours, textSize } from './paper.ts';
import type { DrawFormula } from './math/formulas.ts';
import { formulaText, type LinkTarget, type Run, type Style } from './text/run.ts';

interface InlineContext {
  link: (url: string) => LinkTarget | undefined;
  definitions: ReadonlyMap<string, Definition>;
  formula: DrawFormula;
}

export type ImageNode = Extract<PhrasingContent, { type: 'image' | 'imageReference' }>;

/** A placeholder for an image that cannot be drawn. */
export const missingPicture = (alt: string): Run => ({
  text: `[${alt || 'image'}]`,
  italic: true,
  colour: colours.quiet,
});

/** The styles of inline elements. */
const elements: Record<string, Style> = {
  b: { bold: true },
  strong: { bold: true },
  i: { italic: true },
  em: { italic: true },
  cite: { italic: true },
  var: { italic: true },
  code: { code: true },
  kbd: { code: true },
  samp: { code: true },
  s: { strike: true },
  del: { strike: true },
  sup: { shift: 'up' },
  sub: { shift: 'down' },
};

/** The text of nodes with their styles. */
export function runsOf(nodes: readonly PhrasingContent[], context: InlineContext, style: Style = {}): Run[] {
  const runs: Run[] = [];
  // The tree contains the tags of an element as siblings of its content.
  const open: { name: string; outer: Style }[] = [];
  let current = style;
  for (const node of nodes) {
    if (node.type === 'html') {
      const tag = /^<(\/?)([a-z][a-z\d]{0,15})(?=[\s/>])([^>]*)>$/i.exec(node.value);
      const name = tag?.[2]?.toLowerCase() ?? '';
      if (name === 'br') runs.push({ ...current, text: '\n' });
      else if (tag?.[1] === '/') {
        const index = open.findLastIndex((each) => each.name === name);
        if (index !== -1) current = open.splice(index)[0]?.outer ?? style;
      } else if (tag && !node.value.endsWith('/>')) {
        const [, , , attributes = ''] = tag;
        const code = /\bdata-code\s*=\s*"([\da-f-]{2,60})"/i.exec(attributes)?.[1];
        if (code !== undefined) runs.push({ ...current, text: emojiOfCode(code) ?? '' });
        const inner = elementStyle(name, attributes, context);
        if (!inner) continue;
        open.push({ name, outer: current });
        current = { ...current, ...inner };
      }
      continue;
    }
    if (current.isHidden !== true) for (const run of runsOfNode(node, context, current)) runs.push(run);
  }
  return runs;
}

/** A formula that cannot be drawn is shown as its source. */
export function formulaRun(tex: string, draw: DrawFormula, style: Style = {}): Run {
  const formula = draw(tex, false);
  return formula ? { ...style, text: formulaText, formula } : { ...style, text: tex, code: true };
}

function elementStyle(name: string, attributes: string, context: InlineContext): Style | undefined {
  // The text in an icon of Font Awesome is its name, which is not meant for readers.
  if (name === 'i' && /\bclass\s*=\s*["'][^"']*\bfa-/i.test(attributes)) return { isHidden: true };
  if (name !== 'a') return elements[name];
  const href = /\bhref\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(attributes);
  const isButton = /\bclass\s*=\s*["'][^"']*\bbutton\b/i.test(attributes);
  return { link: context.link(href?.[1] ?? href?.[2] ?? ''), ...(isButton ? { bold: true } : {}) };
}

function runsOfNode(node: Exclude<PhrasingContent, { type: 'html' }>, context: InlineContext, style: Style): Run[] {
  switch (node.type) {
    case 'text':
      return [{ ...style, text: withEmoji(node.value.replaceAll(/\s+/g, ' ')) }];
    case 'inlineCode':
      return [{ ...style, text: node.value, code: true, size: (style.size ?? textSize) * 0.9 }];
    case 'break':
      return [{ ...style, text: '\n' }];
    case 'strong':
      return runsOf(node.children, context, { ...style, bold: true });
    case 'emphasis':
      return runsOf(node.children, context, { ...style, italic: true });
    case 'delete':
      return runsOf(node.children, context, { ...style, strike: true });
    case 'link':
      return runsOf(node.children, context, { ...style, link: context.link(node.url) });
    case 'linkReference': {
      const url = context.definitions.get(node.identifier)?.url;
      return runsOf(node.children, context, { ...style, link: url === undefined ? undefined : context.link(url) });
    }
    case 'image':
    case 'imageReference':
      return [{ ...style, ...missingPicture(node.alt ?? '') }];
    case 'formula':
      return [formulaRun(node.value.trim(), context.formula, style)];
    case 'expression':
      return [{ ...style, text: node.value, code: true }];
    case 'block':
      return [
        ...(node.isStray ? [{ ...style, text: `◇ ${node.tag}`, italic: true, colour: colours.quiet }] : []),
        ...runsOf(phrasing(node.children), context, style),
      ];
    case 'blockTag':
      return [{ ...style, text: `◇ ${node.value.trim()}`, italic: true, colour: colours.quiet }];
    case 'footnoteReference':
      return [{ ...style, text: `[${node.label ?? node.identifier}]`, size: 8 }];
    default:
      return [];
  }
}
