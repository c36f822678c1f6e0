import { decodeAddress } from '../../shared/decode.ts';
import type { SummaryEntry } from './summary-entry.ts';

/** Characters that mean nothing to Markdown inside of a line. */
const plainText = /^(?:[\p{L}\p{N}\p{M}\p{Emoji_Presentation} ,.;:'"()?!/+=%$@’“”–—…-]|&(?= ))+$/u;

const entryLine = /^( *)[*-] \[([^\][\\`*_<]+)\]\(([^\s()<>\\&]+)(?: "[^"\\&\n]*")?\)$/u;
const headingLine = /^(#{1,6}) ([^#<\\`*_[]+?)(?: <a href="#[\w-]*" id="[\w-]*"><\/a>)?$/;

interface Open {
  indent: number;
  children: SummaryEntry[];
}

/**
 * The entries of a SUMMARY.md in the form in which nearly all are written, line by line: parsing 2,000 lines as Markdown
 * takes a second. Undefined where any line has another form.
 */
export function entriesOfLines(text: string): SummaryEntry[] | undefined {
  const entries: SummaryEntry[] = [];
  let siblings = entries;
  let open: Open[] = [];
  let seenHeading = false;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue;
    const heading = headingLine.exec(line);
    if (heading) {
      const [, marks = '', title = ''] = heading;
      if (!plainText.test(title)) return undefined;
      open = [];
      if (seenHeading || marks.length > 1) {
        const group: SummaryEntry = { kind: 'group', title: title.trim(), line: index + 1, children: [] };
        entries.push(group);
        siblings = group.children;
      }
      seenHeading = true;
      continue;
    }
    if (/^\*\*\*$/.test(line)) {
      open = [];
      siblings = entries;
      continue;
    }
    const [, spaces, title = '', url = ''] = entryLine.exec(line) ?? [];
    if (spaces === undefined || !plainText.test(title)) return undefined;
    const indent = spaces.length;
    while (open.length > 0 && (open.at(-1)?.indent ?? 0) >= indent) {
      // An item between two levels would belong to one of them by rules that only the parser knows.
      const level = open.pop();
      if (level && level.indent !== indent && (open.at(-1)?.indent ?? -2) < indent - 2) return undefined;
    }
    const parent = open.at(-1);
    if (indent !== (parent ? parent.indent + 2 : 0)) return undefined;
    const entry = entryOf(title, url, index + 1);
    (parent?.children ?? siblings).push(entry);
    open.push({ indent, children: entry.children });
  }
  return entries;
}

function entryOf(title: string, url: string, line: number): SummaryEntry {
  const text = title.replaceAll(/\s+/g, ' ').trim();
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(url)) return { kind: 'link', title: text, target: url, line, children: [] };
  const target = decodeAddress(url.replace(/[?#].*$/s, ''));
  return { kind: 'page', title: text, target, line, children: [] };
}
