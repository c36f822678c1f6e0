import type { List, ListItem, Nodes, Paragraph, Root } from 'mdast';
import { decodeAddress } from '../../shared/decode.ts';
import type { SummaryEntry } from './summary-entry.ts';
import { entriesOfLines } from './summary-lines.ts';
import { oneLine, plainText } from '../markdown/markdown.ts';
import { parse, stringify } from '../markdown/parse.ts';

export type { SummaryEntry };

/**
 * Nested lists are subpages; a heading groups the lists below it, except the heading that is the title of the whole.
 *
 * @param onUnused called with the line of each block for generated pages that stands where the service makes none: below
 *   no page and no heading, or below one that has such a block already
 */
export function readSummary(text: string, onUnused?: OnUnused): SummaryEntry[] {
  return entriesOfLines(text) ?? entriesIn(parse(text), onUnused);
}

type OnUnused = (line: number | undefined) => void;

export function entriesIn(root: Root, onUnused: OnUnused = () => {}): SummaryEntry[] {
  const entries: SummaryEntry[] = [];
  let group: SummaryEntry | undefined;
  let seenFirst = false;
  for (const block of root.children) {
    if (block.type === 'heading') {
      const title = oneLine(plainText(block));
      if (seenFirst || block.depth > 1) {
        group = { kind: 'group', title, ...lineOf(block), children: [] };
        entries.push(group);
      }
      seenFirst = true;
    } else if (block.type === 'list') {
      const siblings = group?.children ?? entries;
      useGenerated(group, block, onUnused);
      for (const entry of entriesOf(block, onUnused)) siblings.push(entry);
    } else if (block.type === 'thematicBreak') group = undefined;
  }
  return entries;
}

function entriesOf(list: List, onUnused: OnUnused): SummaryEntry[] {
  return list.children
    .filter((item) => !isGenerated(item))
    .map((item: ListItem) => {
      const line = item.children.find((child): child is Paragraph => child.type === 'paragraph');
      const link = line?.children.find((child) => child.type === 'link');
      const lists = item.children.filter((child) => child.type === 'list');
      const children = lists.flatMap((child) => entriesOf(child, onUnused));
      const title = oneLine(plainText(link ?? line ?? { type: 'paragraph', children: [] }));
      const made: { generated?: string } = {};
      for (const child of lists) useGenerated(made, child, onUnused);
      const more = { ...made, ...lineOf(item), children };
      if (!link || link.url === '') return { kind: 'label', title, ...more };
      if (/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(link.url)) return { kind: 'link', title, target: link.url, ...more };
      return { kind: 'page', title, target: decodeAddress(link.url.replace(/[?#].*$/s, '')), ...more };
    });
}

const lineOf = ({ position }: Nodes): { line?: number } => (position ? { line: position.start.line } : {});

/** Whether the item is a block of YAML alone: what the service is to make pages from, and no page itself. */
const isGenerated = ({ children: [first, ...others] }: ListItem): boolean =>
  others.length === 0 && first?.type === 'code' && /^[ \t]*type:[ \t]*builtin:/m.test(first.value);

/** Gives the entry above a list the first block of the list. */
function useGenerated(above: { generated?: string } | undefined, list: List, onUnused: OnUnused): void {
  for (const item of list.children.filter(isGenerated)) {
    const [code] = item.children;
    if (above && above.generated === undefined && code?.type === 'code') above.generated = code.value;
    else onUnused(lineOf(item).line);
  }
}

export function writeSummary(entries: readonly SummaryEntry[]): string {
  const root: ReturnType<typeof parse> = {
    type: 'root',
    children: [{ type: 'heading', depth: 1, children: [{ type: 'text', value: 'Table of contents' }] }],
  };
  let loose: SummaryEntry[] = [];
  const flush = () => {
    if (loose.length > 0) root.children.push(listOf(loose));
    loose = [];
  };
  let inGroup = false;
  for (const entry of entries) {
    if (entry.kind !== 'group') {
      // Without this line, the lists that follow would belong to the group.
      if (inGroup) root.children.push({ type: 'thematicBreak' });
      inGroup = false;
      loose.push(entry);
      continue;
    }
    flush();
    inGroup = true;
    root.children.push({ type: 'heading', depth: 2, children: [{ type: 'text', value: entry.title }] });
    if (entry.children.length > 0) root.children.push(listOf(entry.children));
  }
  flush();
  return stringify(root);
}

function listOf(entries: readonly SummaryEntry[]): List {
  return {
    type: 'list',
    ordered: false,
    spread: false,
    children: entries.map(({ kind, title, target = '', children }): ListItem => {
      const text = { type: 'text', value: title } as const;
      const url = kind === 'page' ? encodePath(target) : target;
      const line: Paragraph = {
        type: 'paragraph',
        children: kind === 'label' ? [text] : [{ type: 'link', url, children: [text] }],
      };
      return { type: 'listItem', spread: false, children: children.length > 0 ? [line, listOf(children)] : [line] };
    }),
  };
}

function encodePath(path: string): string {
  const encoded = path.replaceAll(/[\s%?#<>()[\]\\"`|&]/g, (character) =>
    character === '(' ? '%28' : character === ')' ? '%29' : encodeURIComponent(character),
  );
  return /^[a-z][a-z0-9+.-]*:/i.test(encoded) ? `./${encoded}` : encoded;
}
