import { isDeepStrictEqual } from 'node:util';
import { readFrontMatter } from '../../content/markdown/front-matter.ts';
import { readAddresses, rewriteLinks } from '../../content/markdown/markdown.ts';
import { countLines } from '../../content/markdown/nodes.ts';
import { maxParsedLength } from '../../content/markdown/parse.ts';
import { isObject } from '../../shared/is-object.ts';
import { readYaml, UnreadableYaml } from '../../shared/yaml.ts';
import { type Match, type Pattern, withMatches } from './pattern.ts';
import { type PlaceName, type Region, regionsOf, type SourceKind } from './regions.ts';

/** A replacement in a text, with what is around it on its line. */
export interface Replacement {
  place: PlaceName;
  /** From 1; undefined for a field of a page. */
  line?: number;
  column?: number;
  before: string;
  after: string;
}

export interface Replaced {
  text: string;
  replacements: Replacement[];
  /** Why the text is not changed although it has matches, as the end of a sentence. */
  reason?: string;
}

/** What to replace where. */
export interface Replacing {
  pattern: Pattern;
  places: ReadonlySet<PlaceName>;
}

/** Replaces in the source of a page. All other bytes are kept. */
export function replaceIn(source: string, { pattern, places }: Replacing, of: SourceKind): Replaced {
  const unchanged = { text: source, replacements: [] };
  if (!pattern.mayMatch(source)) return unchanged;
  if (source.length > maxParsedLength) return { ...unchanged, reason: 'it has more than 1,000,000 characters' };
  const regions = regionsOf(source, of).filter(({ place }) => places.has(place));
  const { bodyAt, problem } = readFrontMatter(source);
  const isUnreadable = problem && of === 'file' && (places.has('title') || places.has('property'));
  if (isUnreadable && pattern.matchesIn(source, 0, bodyAt).length > 0) {
    return { ...unchanged, reason: 'its front matter cannot be read' };
  }
  const found = regions.flatMap(({ place, start, end, also }) =>
    pattern
      .matchesIn(source, start, end)
      .map((match) => ({ place, also, match: { ...match, region: { start, end } } })),
  );
  const inValues = found.filter(({ match }) => match.start < bodyAt);
  const values = valueMatches(
    source,
    regions,
    inValues.map(({ match }) => match),
    bodyAt,
  );
  const body = found.flatMap(({ match }) => (match.start < bodyAt ? [] : [match]));
  const labels = new Set(found.flatMap(({ also }) => also ?? []));
  const inOrder = [...body, ...labels].toSorted((one, other) => one.start - other.start);
  const written = withMatches(source, [...values, ...inOrder]);
  const links = places.has('link') ? rewritten(written, pattern) : { text: written, isWhole: true };
  const replacements = [
    ...found.map(({ place, match }) => replacementAt(source, place, match)),
    ...(places.has('link') ? linkReplacements(source, pattern) : []),
  ].toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0) || (one.column ?? 0) - (other.column ?? 0));
  if (!links.isWhole) return { ...unchanged, replacements, reason: 'the new address cannot be written there' };
  if (inValues.length > 0 && !areValuesRight(source, links.text, { pattern, places })) {
    return { ...unchanged, replacements, reason: 'its front matter cannot be changed safely' };
  }
  return { text: links.text, replacements };
}

interface ValueMatch extends Match {
  region: Pick<Region, 'start' | 'end'>;
}

/** Replaces whole values of the front matter: a plain one can need quotation marks afterwards. */
function valueMatches(
  source: string,
  regions: readonly Region[],
  matches: readonly ValueMatch[],
  bodyAt: number,
): Match[] {
  const byRegion = Map.groupBy(matches, ({ region }) => region.start);
  return regions.flatMap(({ start, end }) => {
    const own = start < bodyAt ? byRegion.get(start) : undefined;
    if (!own) return [];
    const shifted = own.map((match) => ({ ...match, start: match.start - start, end: match.end - start }));
    const value = withMatches(source.slice(start, end), shifted);
    const isPlain = !/^["'|>]/.test(source.slice(start, end));
    return [{ start, end, replacement: isPlain && !isPlainText(value) ? JSON.stringify(value) : value }];
  });
}

function isPlainText(value: string): boolean {
  try {
    const read = readYaml(`a: ${value}\n`);
    return isObject(read) && read['a'] === value;
  } catch (error) {
    if (error instanceof UnreadableYaml) return false;
    throw error;
  }
}

/** Whether the front matter has the values that it should have. */
function areValuesRight(source: string, text: string, { pattern, places }: Replacing): boolean {
  const before = readFrontMatter(source).data;
  const change = (value: unknown): unknown => {
    if (typeof value === 'string') return pattern.replace(value);
    if (Array.isArray(value)) return value.map(change);
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, change(inner)]));
  };
  const expected = Object.entries(before).map(([key, value]) => [
    key,
    places.has(key === 'title' ? 'title' : 'property') ? change(value) : value,
  ]);
  const { data, problem } = readFrontMatter(text);
  // Covers are addresses, too.
  const isRight = ([key, value]: unknown[]) =>
    isDeepStrictEqual(data[String(key)], value) || (places.has('link') && String(key).startsWith('cover'));
  return problem === undefined && Object.keys(data).length === expected.length && expected.every(isRight);
}

function rewritten(source: string, pattern: Pattern): { text: string; isWhole: boolean } {
  const expected: string[] = [];
  let changes = 0;
  const text = rewriteLinks(source, (url) => {
    const changed = pattern.replace(url);
    if (changed !== url) changes += 1;
    expected.push(changed);
    return changed;
  });
  if (text === source) return { text, isWhole: changes === 0 };
  const now = readAddresses(text).addresses.map(({ url }) => url);
  return { text, isWhole: now.length === expected.length && now.every((url, index) => isSame(url, expected[index])) };
}

/** Characters that an address cannot have are encoded. */
const isSame = (url: string, expected = '') => url === expected || url === encodeURI(expected);

function linkReplacements(source: string, pattern: Pattern): Replacement[] {
  return readAddresses(source).addresses.flatMap(({ url, range: [start, end] }) => {
    const replacement = pattern.replace(url);
    return replacement === url ? [] : [replacementAt(source, 'link', { start, end, replacement })];
  });
}

/** So many characters of a line are shown on each side. */
const context = 40;

function replacementAt(source: string, place: PlaceName, { start, end, replacement }: Match): Replacement {
  const lineStart = source.lastIndexOf('\n', start - 1) + 1;
  const lineEnd = source.indexOf('\n', end);
  const left = source.slice(Math.max(lineStart, start - context), start);
  const right = source.slice(end, Math.min(lineEnd === -1 ? source.length : lineEnd, end + context));
  return {
    place,
    line: countLines(source, 0, start) + 1,
    column: start - lineStart + 1,
    before: `${left}${source.slice(start, end)}${right}`.trim(),
    after: `${left}${replacement}${right}`.trim(),
  };
}

/** Replaces in a field of a page, such as its title. */
export function replaceInField(
  value: string,
  place: PlaceName,
  { pattern, places }: Replacing,
): { value: string; replacements: Replacement[] } {
  const matches = places.has(place) ? pattern.matchesIn(value) : [];
  const changed = withMatches(value, matches);
  return { value: changed, replacements: matches.length === 0 ? [] : [{ place, before: value, after: changed }] };
}
