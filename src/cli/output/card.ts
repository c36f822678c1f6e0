import { hasMembers } from '../../shared/is-object.ts';
import { formatDate, isDateTime } from './date.ts';
import { fieldOf, fieldsFor, memberColumn, type Field } from './field.ts';
import type { Column, OutputOptions } from './options.ts';
import { loadPaint } from './paint.ts';
import { cellText, toneOf } from './table.ts';
import { loadTextWidth, type TextWidth } from './text-width.ts';
import { nameOf } from '../../shared/name-of.ts';
import { shortText } from './value.ts';
import { visible, visibleLines } from '../../shared/visible.ts';

const gap = 2;
/** How many items of an array a card shows. */
const maxItems = 3;

interface Line {
  label: string;
  text: string;
  /** Must not be broken into several lines, as an id or an address. */
  whole: boolean;
  /** A shorter text, for where there is not enough room. */
  short?: string;
}

/** One object for people: one line per field, and below them the texts of several lines. */
export async function cardText(options: OutputOptions, object: unknown, columns: readonly Column[]): Promise<string> {
  const [width, paint] = await Promise.all([loadTextWidth(), loadPaint(options.color)]);
  const isChosen = options.columns !== undefined || columns.length > 0;
  const fields = isChosen ? fieldsFor(options, columns, [object]) : memberFields(object);
  const lines: Line[] = [];
  const texts: { label: string; text: string }[] = [];
  for (const field of fields) {
    const value = field.read(object);
    // Fields without a value are skipped, unless the user chose the columns.
    if (value === undefined && options.columns === undefined) continue;
    const label = visible(field.title);
    if (typeof value === 'string' && /\n./.test(value)) {
      texts.push({ label, text: value });
      continue;
    }
    const text = memberText(field, object, options);
    const tone = toneOf(field, object);
    const whole = field.kind === 'id' || /^https?:\/\/\S+$/.test(text);
    const short = isDateTime(value) && options.terminal ? { short: formatDate(value, options.now) } : {};
    lines.push({ label, text: tone ? paint(text, tone) : text, whole: whole || tone !== undefined, ...short });
  }
  const below = texts.map(({ label, text }) => `\n${label}:\n\n${brokenText(text, options.width, width)}`);
  return linesText(lines, options, width) + below.join('');
}

function linesText(lines: Line[], options: OutputOptions, { widthOf, cut }: TextWidth): string {
  const longest = Math.max(0, ...lines.map(({ label }) => widthOf(label)));
  const labelWidth = Math.min(longest, Math.floor(options.width / 2));
  const room = Math.max(1, options.width - labelWidth - gap);
  return lines
    .map(({ label, text, whole, short }) => {
      const shortLabel = cut(label, labelWidth);
      const start = shortLabel + ' '.repeat(labelWidth - widthOf(shortLabel) + gap);
      if (widthOf(text) <= room) return `${(start + text).trimEnd()}\n`;
      if (!whole)
        return `${start}${brokenLine(short ?? text, room, widthOf).join(`\n${' '.repeat(labelWidth + gap)}`)}\n`;
      return `${shortLabel}\n${widthOf(text) + gap <= options.width ? ' '.repeat(gap) : ''}${text}\n`;
    })
    .join('');
}

/** The members of an object. Those of nested objects are named by their path; a nested object with a name is one field. */
function memberFields(object: unknown, depth = 3): Field[] {
  return pathsOf(object, depth, '').map((path) => fieldOf(memberColumn(path)));
}

function pathsOf(object: unknown, depth: number, prefix: string): string[] {
  if (!hasMembers(object)) return [];
  return Object.keys(object).flatMap((key) => {
    const value = object[key];
    // Every object has `object`, the name of its kind, which the user knows from the command.
    if (key === 'object' || value === undefined) return [];
    const isBranch = depth > 1 && hasMembers(value) && !Array.isArray(value) && !isEntity(value) && !areSwitches(value);
    return isBranch ? pathsOf(value, depth - 1, `${prefix}${key}.`) : [prefix + key];
  });
}

function isEntity(value: Record<string, unknown>): boolean {
  return typeof value.id === 'string' && nameOf(value) !== undefined;
}

/** Permissions and the like: several members that are each true or false. */
function areSwitches(value: Record<string, unknown>): boolean {
  const values = Object.values(value);
  return values.length > 1 && values.every((each) => typeof each === 'boolean');
}

function memberText(field: Field, object: unknown, options: OutputOptions): string {
  const value = field.read(object);
  if (isDateTime(value) && options.terminal) return `${formatDate(value, options.now)} (${value})`;
  if (Array.isArray(value)) return visible(arrayText(value, options));
  if (!hasMembers(value)) return cellText(field, object, options);
  if (areSwitches(value)) return visible(switchesText(value));
  const name = nameOf(value);
  const id = typeof value.id === 'string' && value.id !== name ? ` (${value.id})` : '';
  return visible(name === undefined ? JSON.stringify(value) : name + id);
}

function switchesText(value: Record<string, unknown>): string {
  const on = Object.keys(value).filter((key) => value[key] === true);
  return on.length > 0 ? on.join(', ') : 'none';
}

function arrayText(values: unknown[], options: OutputOptions): string {
  if (values.some((value) => hasMembers(value) && nameOf(value) === undefined))
    return values.length === 1 ? '1 item' : `${values.length} items`;
  const isPlain = !values.some(hasMembers);
  const texts = (isPlain ? values : values.slice(0, maxItems)).map((value) => shortText(value, undefined, options.now));
  const rest = values.length - texts.length;
  return texts.join(', ') + (rest > 0 ? `, and ${rest} more` : '');
}

/** The text with a line break before each word that does not fit, and inside words that are longer than a line. */
function brokenText(text: string, max: number, { widthOf }: TextWidth): string {
  if (max === Number.POSITIVE_INFINITY) return `${visibleLines(text).trimEnd()}\n`;
  return text
    .trimEnd()
    .split(/\r?\n/)
    .flatMap((line) => brokenLine(visible(line.replaceAll('\t', '    ')), max, widthOf))
    .map((line) => `${line}\n`)
    .join('');
}

let graphemes: Intl.Segmenter | undefined;

function brokenLine(line: string, max: number, widthOf: TextWidth['widthOf']): string[] {
  if (widthOf(line, max) <= max) return [line];
  const lines: string[] = [];
  let current = '';
  let width = 0;
  // Created on first use: loading the Unicode tables takes longer than most commands.
  graphemes ??= new Intl.Segmenter();
  for (const { segment } of graphemes.segment(line)) {
    const segmentWidth = widthOf(segment);
    if (width + segmentWidth > max && current !== '') {
      // At the last space, unless only the indentation precedes it.
      const space = current.lastIndexOf(' ');
      const isBreak = space > 0 && current.slice(0, space).trim() !== '' && segment !== ' ';
      lines.push((isBreak ? current.slice(0, space) : current).trimEnd());
      current = isBreak ? current.slice(space + 1) : '';
      width = widthOf(current);
    }
    if (current === '' && segment === ' ' && lines.length > 0) continue;
    current += segment;
    width += segmentWidth;
  }
  return [...lines, current];
}
