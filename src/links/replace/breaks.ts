import { checkLinks, type PlacedFinding } from '../check-links.ts';
import type { LinkFinding } from '../findings.ts';
import type { LinkedPage, LinkedText, LinkedWorld } from '../model.ts';
import { lastOf } from '../proposals.ts';
import { decodeAddress } from '../../shared/decode.ts';
import type { Replacement } from './replace-in.ts';

/** A text before it is changed, with its replacements. */
export interface ChangedText {
  /** The space, by its place in the world. */
  space: number;
  /** Of the text in its space. */
  key: string;
  before: string;
  replacements: readonly Replacement[];
}

/** Headings, also in lists and HTML, and titles of blocks. */
const headingLine = /^[\s>]*(?:[-*+]\s+|\d+[.)]\s+)*#{1,6}\s|<h[1-6]\b|\bid=|\{%/i;
const underline = /^ {0,3}(?:=+|-+)\s*$/;
/** Whose text has nothing but letters, punctuation and emphasis. */
const plainHeading = /^ {0,3}#{1,6}[ \t][^<&{[\\:]*$/;

/** Whether replacements can break links: those in addresses, titles and headings. */
export function isRisky({ before, replacements }: Pick<ChangedText, 'before' | 'replacements'>): boolean {
  const lines = linesOf(before);
  return replacements.some(({ place, line }) => (place !== 'text' && place !== 'code') || lines.isHeading(line));
}

function linesOf(text: string): { at(line: number | undefined): string; isHeading(line: number | undefined): boolean } {
  let lines: string[] | undefined;
  const at = (line = 1) => (lines ??= text.split('\n'))[line - 1] ?? '';
  const isHeading = (line = 1) => {
    if (headingLine.test(at(line))) return true;
    // A heading with an underline can have several lines.
    let next = line + 1;
    while (at(next).trim() !== '' && !underline.test(at(next))) next += 1;
    return underline.test(at(next));
  };
  return { at, isHeading };
}

/** Which anchors can be lost with the replaced headings. */
function anchorsAtRisk(changes: readonly ChangedText[]): (anchor: string) => boolean {
  const headings = new Set<string>();
  let isUnclear = false;
  for (const { before, replacements } of changes) {
    const lines = linesOf(before);
    for (const { place, line } of replacements) {
      if (place === 'link' || place === 'property') continue;
      if (line !== undefined && plainHeading.test(lines.at(line))) headings.add(lettersOf(lines.at(line)));
      else if (place === 'title' || lines.isHeading(line)) isUnclear = true;
    }
  }
  // The second heading of a name has a number.
  return (anchor) =>
    isUnclear || headings.has(lettersOf(anchor)) || headings.has(lettersOf(anchor.replace(/-\d+$/, '')));
}

const lettersOf = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '');

/** The links and addresses that break if texts are changed. @param after the same spaces with the changed texts */
export async function brokenBy(
  before: LinkedWorld,
  after: LinkedWorld,
  changes: readonly ChangedText[],
): Promise<LinkFinding[]> {
  const risky = changes.filter(isRisky);
  const lost = lostAddresses(before, after);
  const segments = lost.map(({ page }) => lastOf(page.path)).filter(Boolean);
  const withLinks = new Set(
    risky.flatMap(({ space, key, replacements }) =>
      replacements.some(({ place }) => place === 'link') ? [`${space} ${key}`] : [],
    ),
  );
  const isAtRisk = anchorsAtRisk(risky);
  const isAffected = (text: LinkedText, space: number) => {
    if (withLinks.has(`${space} ${text.key}`)) return true;
    const source = text.source();
    return segments.some((segment) => source.includes(segment)) || linksToSome(source, isAtRisk);
  };
  const affected = new Set(
    textsIn(after).flatMap(([text, space]) => (isAffected(text, space) ? [`${space} ${text.key}`] : [])),
  );
  const [old, now] = [await findingsOf(before, affected), await findingsOf(after, affected)];
  const known = new Set(old.flatMap(namesOf));
  const broken = now.filter((each) => !namesOf(each).some((name) => known.has(name)));
  return [...lost, ...broken].map(({ finding }) => finding);
}

const textsIn = ({ spaces }: LinkedWorld): [LinkedText, number][] =>
  spaces.flatMap(({ texts }, index) => texts.map((text): [LinkedText, number] => [text, index]));

/** A broken link is the same one if it has the same address, or the same place among as many links. */
function namesOf({ text, offset, finding: { rule, url } }: PlacedFinding): string[] {
  const { links } = text.facts();
  const place = links.findIndex((link) => link.offset === offset);
  return [
    [rule, url],
    [links.length, place],
  ].map((parts) => JSON.stringify([text.place, ...parts]));
}

async function findingsOf(world: LinkedWorld, names: ReadonlySet<string>): Promise<PlacedFinding[]> {
  const only = textsIn(world).flatMap(([text, space]) => (names.has(`${space} ${text.key}`) ? [text] : []));
  return (await checkLinks(world, undefined, new Set(only))).fixable;
}

function linksToSome(source: string, isAtRisk: (anchor: string) => boolean): boolean {
  for (const [, anchor = ''] of source.matchAll(/#([^\s#()"'<>\]}]+)/g))
    if (isAtRisk(decodeAddress(anchor))) return true;
  return false;
}

/** Pages that are no longer at their addresses. */
function lostAddresses(before: LinkedWorld, after: LinkedWorld): { page: LinkedPage; finding: LinkFinding }[] {
  return before.spaces.flatMap((space, index) => {
    const now = new Map(after.spaces[index]?.pages.map((page) => [page.key, page]));
    return space.pages.flatMap((page) => {
      const address = now.get(page.key)?.address;
      if (address === page.address) return [];
      const text = space.texts.find((each) => each.page === page);
      const what = address === undefined ? 'would be lost' : `would become /${address}`;
      const message = `The address /${page.address} ${what}.`;
      return [{ page, finding: { ...text?.place, rule: 'lost-address', level: 'error' as const, message } }];
    });
  });
}
