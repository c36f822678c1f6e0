import { checkLinks } from '../check-links.ts';
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

/** Whether replacements can break links: those in addresses, titles and headings. */
export function isRisky({ before, replacements }: Pick<ChangedText, 'before' | 'replacements'>): boolean {
  let lines: string[] | undefined;
  return replacements.some(({ place, line }) => {
    if (place !== 'text' && place !== 'code') return true;
    lines ??= before.split('\n');
    const at = (line ?? 1) - 1;
    return headingLine.test(lines[at] ?? '') || underline.test(lines[at + 1] ?? '');
  });
}

/** The links and addresses that break if texts are changed. @param after the same spaces with the changed texts */
export async function brokenBy(
  before: LinkedWorld,
  after: LinkedWorld,
  changes: readonly ChangedText[],
): Promise<LinkFinding[]> {
  const risky = changes.filter(isRisky);
  const names = new Set(risky.map(({ space, key }) => `${space} ${key}`));
  const isChanged = (text: LinkedText, space: number) => names.has(`${space} ${text.key}`);
  const includes = textsIn(before).filter(([text, space]) => text.kind === 'include' && isChanged(text, space));
  const usesChanged = ({ source }: LinkedText) => {
    const own = includes.length === 0 ? '' : source();
    return includes.some(([text]) => own.includes(lastOf(text.key)));
  };
  const pages = textsIn(before).flatMap(([text, space]) =>
    text.page && (isChanged(text, space) || usesChanged(text)) ? [[text.page, space] as const] : [],
  );
  const anchors = await lostAnchors(pages, after);
  const lost = lostAddresses(before, after);
  const segments = lost.map(({ page }) => lastOf(page.path)).filter(Boolean);
  const isAffected = (text: LinkedText, space: number) => {
    if (isChanged(text, space)) return true;
    const source = text.source();
    return segments.some((segment) => source.includes(segment)) || linksToSome(source, anchors);
  };
  const affected = new Set(
    textsIn(after).flatMap(([text, space]) => (isAffected(text, space) ? [`${space} ${text.key}`] : [])),
  );
  const [old, now] = [await findingsOf(before, affected), await findingsOf(after, affected)];
  const known = new Set(old.map(nameOf));
  return [...lost.map(({ finding }) => finding), ...now.filter((finding) => !known.has(nameOf(finding)))];
}

const textsIn = ({ spaces }: LinkedWorld): [LinkedText, number][] =>
  spaces.flatMap(({ texts }, index) => texts.map((text): [LinkedText, number] => [text, index]));

const nameOf = ({ file, subject, rule, url }: LinkFinding) => JSON.stringify([file, subject, rule, url]);

async function findingsOf(world: LinkedWorld, names: ReadonlySet<string>): Promise<LinkFinding[]> {
  const only = textsIn(world).flatMap(([text, space]) => (names.has(`${space} ${text.key}`) ? [text] : []));
  return (await checkLinks(world, undefined, new Set(only))).findings;
}

async function lostAnchors(
  pages: readonly (readonly [LinkedPage, number])[],
  after: LinkedWorld,
): Promise<ReadonlySet<string>> {
  const byKey = after.spaces.map((space) => new Map(space.pages.map((page) => [page.key, page])));
  const lost = new Set<string>();
  for (const [page, space] of pages) {
    const now = byKey[space]?.get(page.key);
    const present = now ? await now.space.anchorsOf(now) : new Set();
    for (const anchor of await page.space.anchorsOf(page)) if (!present.has(anchor)) lost.add(anchor);
  }
  return lost;
}

function linksToSome(source: string, anchors: ReadonlySet<string>): boolean {
  if (anchors.size === 0) return false;
  for (const [, anchor = ''] of source.matchAll(/#([^\s#()"'<>\]}]+)/g)) {
    if (anchors.has(decodeAddress(anchor))) return true;
  }
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
