import { decodeAddress } from '../shared/decode.ts';
import { EventTurns } from '../shared/event-turns.ts';
import { trimSlashes } from '../shared/trim-slashes.ts';
import { words } from '../shared/words.ts';
import { parseAppLink, withPath } from './app-links.ts';
import type { TextLink } from './facts.ts';
import type { LinkFinding, LinkRule } from './findings.ts';
import type { LinkedPage, LinkedSpace, LinkedText, LinkedWorld, LinkTarget, PublishedPlace } from './model.ts';
import { nearestAnchor, type Proposal, samePlace } from './proposals.ts';
import { PageUses } from './uses.ts';

/** A finding with the place in its text that can be changed. */
export interface PlacedFinding {
  finding: LinkFinding;
  text: LinkedText;
  offset: number;
  /** The address that is certainly right. */
  fix: string | undefined;
}

export interface LinkCheck {
  findings: LinkFinding[];
  fixable: PlacedFinding[];
  /** How many links were checked, and how many of them lead to what cannot be checked. */
  links: number;
  unchecked: number;
  /** Links to other hosts, by text. */
  external: Map<LinkedText, Set<string>>;
  uses: PageUses;
}

interface Problem {
  rule: LinkRule | 'summary-missing';
  level?: 'warning';
  message: string;
  proposal?: Proposal | undefined;
}

/**
 * Checks every link of these spaces.
 *
 * @param onText called before each text; may throw to stop
 * @param only texts to check; without it, spaces are checked as a whole
 */
export async function checkLinks(
  world: LinkedWorld,
  onText: (text: LinkedText) => void = () => {},
  only?: ReadonlySet<LinkedText>,
): Promise<LinkCheck> {
  const uses = new PageUses();
  const check: LinkCheck = { findings: [], fixable: [], links: 0, unchecked: 0, external: new Map(), uses };
  const links = new Links(world, check);
  const turns = new EventTurns();
  for (const space of world.spaces) {
    // Reading a text can add those that it includes.
    for (const text of space.texts) {
      if (only && !only.has(text)) continue;
      await turns.take();
      onText(text);
      const { links: all, isCut } = text.facts();
      if (isCut) check.findings.push({ ...text.place, rule: 'too-large', level: 'error', message: tooLarge });
      for (const link of all) await links.check(link, text);
    }
  }
  if (only) return { ...check, findings: sorted(check.findings) };
  for (const finding of uses.findings(world)) check.findings.push(finding);
  const contents = new Set(check.findings.map(({ file, line }) => `${file} ${line}`));
  for (const { place, ...problem } of world.spaces.flatMap((space) => space.problems())) {
    // The link in the table of contents has a finding with a proposal.
    if (problem.rule === 'summary-missing' && contents.has(`${place.file} ${problem.line}`)) continue;
    check.findings.push({ ...place, ...problem });
  }
  check.findings = sorted(check.findings);
  return check;
}

class Links {
  readonly #world: LinkedWorld;
  readonly #check: LinkCheck;
  readonly #byId: ReadonlyMap<string, LinkedSpace>;
  /** The innermost first. */
  readonly #places: ReadonlyMap<string, PublishedPlace>;

  constructor(world: LinkedWorld, check: LinkCheck) {
    this.#world = world;
    this.#check = check;
    this.#byId = new Map(world.spaces.flatMap((space) => (space.id === undefined ? [] : [[space.id, space]])));
    const inner = world.places.toSorted((one, other) => other.url.length - one.url.length);
    this.#places = new Map(inner.map((place) => [siteAddress(place.url) ?? place.url, place]));
  }

  async check(link: TextLink, text: LinkedText): Promise<void> {
    this.#check.links += 1;
    const problem = await this.#problemOf(link, text, text.space.resolve(link, text));
    if (!problem) return;
    const { rule, level = 'error', message, proposal } = problem;
    const { line, column, offset, url } = link;
    const hint = proposal
      ? proposal.isCertain
        ? ` Use ${proposal.url} instead.`
        : ` Did you mean ${proposal.url}?`
      : '';
    const finding: LinkFinding = {
      ...text.place,
      line,
      column,
      rule,
      level,
      message: `${message}${hint}`,
      url,
      ...(proposal && { target: proposal.url, certain: proposal.isCertain }),
    };
    this.#check.findings.push(finding);
    this.#check.fixable.push({ finding, text, offset, fix: proposal?.isCertain ? proposal.url : undefined });
  }

  async #problemOf(link: TextLink, text: LinkedText, target: LinkTarget): Promise<Problem | undefined> {
    switch (target.kind) {
      case 'file':
        if (target.file !== undefined) this.#check.uses.file(target.file, text.space);
        return undefined;
      case 'include':
        this.#check.uses.include(target.text);
        return undefined;
      case 'unchecked':
        this.#check.unchecked += 1;
        return undefined;
      case 'page':
        return this.#toPage(link, text, target, withAnchor(link.url));
      case 'reference':
        return this.#byId.has(target.space)
          ? this.#byReference(link, text, target)
          : this.#unknownSpace(link, target.space);
      case 'external':
        return this.#external(link, text, target.url);
      case 'missing':
        return this.#missing(link, text, target.reason);
    }
  }

  async #toPage(
    link: TextLink,
    text: LinkedText,
    { page, anchor }: { page: LinkedPage; anchor: string },
    withAnchor: (anchor: string) => string,
  ): Promise<Problem | undefined> {
    this.#check.uses.page(page, text);
    if (anchor === '' || anchor === 'top') return undefined;
    const anchors = await page.space.anchorsOf(page);
    if (anchors.has(anchor)) return undefined;
    const near = nearestAnchor(anchor, anchors);
    const proposal = near && { ...near, url: withAnchor(near.url) };
    return { rule: 'missing-anchor', message: `${link.url}: the page has no heading "${anchor}".`, proposal };
  }

  async #missing(link: TextLink, text: LinkedText, reason: string): Promise<Problem> {
    const rule = text.kind === 'contents' ? 'summary-missing' : ruleOf(link);
    const message = `${link.url} ${reason}.`;
    const hash = /#.*$/s.exec(link.url)?.[0] ?? '';
    const moved = await text.space.moved(link, text);
    if (moved !== undefined) {
      return { rule, message, proposal: { url: moved + hash, isCertain: true } };
    }
    if (rule !== 'broken-link' && rule !== 'summary-missing') return { rule, message };
    const path = trimSlashes(decodeAddress(link.url.replace(/[?#].*$/s, '')));
    const page = samePlace(path, text.space.pages);
    const address = page && text.space.addressFor(page, text);
    if (address === undefined) return { rule, message };
    return { rule, message, proposal: { url: address + hash, isCertain: false } };
  }

  async #byReference(
    link: TextLink,
    text: LinkedText,
    { space, page: id, anchor }: Extract<LinkTarget, { kind: 'reference' }>,
  ): Promise<Problem | undefined> {
    if (id === undefined) return undefined;
    const page = this.#byId.get(space)?.pageOf(id);
    if (!page) return { rule: 'broken-link', message: `${link.url} leads to a page that does not exist.` };
    return this.#toPage(link, text, { page, anchor }, withAnchor(link.url));
  }

  #unknownSpace({ url }: TextLink, space: string): Problem {
    if (this.#world.isComplete) {
      return { rule: 'broken-app-link', message: `${url} leads to the space ${space}, which does not exist.` };
    }
    const message = `${url} is not checked: none of the folders is the space ${space}.`;
    return { rule: 'unknown-space', level: 'warning', message };
  }

  async #external(link: TextLink, text: LinkedText, url: string): Promise<Problem | undefined> {
    const app = parseAppLink(url);
    if (app) return this.#appLink(link, text, app);
    const found = this.#placeOf(url);
    if (found) {
      const { place, path } = found;
      const hash = /#(.*)$/s.exec(url)?.[1] ?? '';
      if (path.startsWith('~') || (place.address === '' && siteFiles.has(path))) return undefined;
      const page = place.space.pageAt(path) ?? place.space.pageAt(path.replace(otherForm, ''));
      const anchor = decodeAddress(hash);
      if (page) return this.#toPage(link, text, { page, anchor }, withAnchor(url));
      return this.#formerAddress(link, { place, path, hash });
    }
    if (/^https?:\/\//i.test(url)) {
      const urls = this.#check.external.get(text) ?? new Set();
      this.#check.external.set(text, urls.add(url));
    }
    return undefined;
  }

  async #appLink(link: TextLink, text: LinkedText, app: AppLinkParts): Promise<Problem | undefined> {
    const space = this.#byId.get(app.space);
    if (!space) return this.#unknownSpace(link, app.space);
    const { path, anchor } = app;
    if (path === '') return undefined;
    const page = space.pageAt(path) ?? space.pageOf(path);
    if (page) return this.#toPage(link, text, { page, anchor }, withAnchor(link.url));
    const rule = 'broken-app-link';
    const message = `${link.url}: the space "${space.name}" has no page ${path}.`;
    const moved = await space.movedPage(path);
    if (moved) {
      const url = withPath(link.url, moved.path);
      return { rule, message, proposal: { url, isCertain: true } };
    }
    const near = samePlace(path, space.pages);
    const proposal = near && { url: withPath(link.url, near.path), isCertain: false };
    return { rule, message, proposal };
  }

  async #formerAddress(link: TextLink, { place, path, hash }: SiteLinkParts): Promise<Problem> {
    const { url, space } = place;
    const rule = 'broken-site-link';
    const message = `${link.url}: the site has no page at this address.`;
    const moved = await space.movedPage(path);
    const page = moved ?? samePlace(path, space.pages);
    const now = page && this.#world.places.find((each) => each.space === page.space && isOneSite(each.url, url));
    if (!page || !now) return { rule, message };
    const target = [now.url, encodeURI(page.address)].filter(Boolean).join('/') + (hash && `#${hash}`);
    const isCertain = moved !== undefined;
    return { rule, message, proposal: { url: target, isCertain } };
  }

  /** The innermost place of an address, and the path from there, decoded. */
  #placeOf(address: string): { place: PublishedPlace; path: string } | undefined {
    const wanted = this.#places.size === 0 ? undefined : siteAddress(address);
    if (wanted === undefined) return undefined;
    for (const [start, place] of this.#places) {
      if (wanted !== start && !wanted.startsWith(`${start}/`)) continue;
      return { place, path: decodeAddress(wanted.slice(start.length + 1)) };
    }
    return undefined;
  }
}

/** Host and path of an address on the web, as servers compare them. */
function siteAddress(address: string): string | undefined {
  const url = /^(?:https?:)?\/\//i.test(address) ? URL.parse(address, 'https://-') : null;
  return url ? [url.host, ...url.pathname.split('/').filter(Boolean)].join('/') : undefined;
}

/** What a published site has besides pages. */
const siteFiles = new Set(words('sitemap.xml robots.txt llms.txt llms-full.txt'));
/** A page as Markdown, its feed, its picture, and the description of an API reference. */
const otherForm = /\.md$|\/rss\.xml$|\/social\.png$|(?:^|\/)openapi\.(?:json|yaml)$/;

type AppLinkParts = NonNullable<ReturnType<typeof parseAppLink>>;

interface SiteLinkParts {
  place: PublishedPlace;
  path: string;
  hash: string;
}

const tooLarge =
  'The text has more than 1,000,000 characters, and links and headings after them are not checked. Split it.';

const withAnchor = (url: string) => (anchor: string) => `${url.replace(/#.*$/s, '')}#${anchor}`;

const isOneSite = (one: string, other: string) => URL.parse(one)?.host === URL.parse(other)?.host;

function ruleOf({ kind, tag }: TextLink): LinkRule {
  if (tag === 'include') return 'missing-include';
  return kind === 'image' ? 'missing-image' : 'broken-link';
}

const sorted = (findings: readonly LinkFinding[]): LinkFinding[] =>
  findings.toSorted((one, other) => {
    const [first, second] = [one, other].map(({ file, subject }) => file ?? subject ?? '');
    if (first !== second) return (first ?? '') < (second ?? '') ? -1 : 1;
    return (one.line ?? 0) - (other.line ?? 0) || (one.column ?? 0) - (other.column ?? 0);
  });
