import { scopeOf } from '../../cli/command/invocation.ts';
import type { RenderedPage } from '../../content/html/page-source.ts';
import type { DocumentPage } from '../../contract/pages.ts';
import { siteCustomization } from '../../contract/site-customization.ts';
import { sites } from '../../contract/sites.ts';
import { lookAsset, siteAssets } from '../../site/assets.ts';
import { lookOf } from '../../site/look.ts';
import { findDiagrams, loadedByAsset } from '../../site/diagrams.ts';
import { type FolderProblem, levelOf } from '../../site/folder/problem.ts';
import { titledMarkdown } from '../../site/machine-files.ts';
import { hashOf } from '../../site/static/content-hash.ts';
import type {
  DocumentOptions,
  StaticPage,
  StaticRedirect,
  StaticSource,
  StaticText,
} from '../../site/static/static-source.ts';
import { addressesOf, ContentReader, type Place, placesIn, RemoteFiles } from '../preview/open-remote.ts';
import { type RemotePart, RemotePreview } from '../preview/remote-preview.ts';
import type { RemoteSpace } from '../preview/remote-space.ts';
import type { Customization } from '../preview/site-customization.ts';
import { Pictures } from '../preview/site-pictures.ts';
import type { ExportInvocation, OpenedSite } from './opened-site.ts';

/** A site of the service, as its administrators see it. */
export async function openRemoteSite(invocation: ExportInvocation): Promise<OpenedSite> {
  const params = { orgId: await scopeOf(invocation, 'org'), siteId: await scopeOf(invocation, 'site') };
  const client = await invocation.client();
  const [site, { structure }, customization] = await Promise.all([
    client.call(sites.view, { params }),
    client.call(sites.structure, { params, query: {} }),
    client.call(siteCustomization.view, { params }),
  ]);
  const files = new RemoteFiles(invocation);
  const reader = new ContentReader(client, files, params.orgId);
  const places = placesIn(structure);
  const parts: ReadPart[] = [];
  for (const place of places) {
    const { space } = await reader.read(
      place.siteSpace.space.id,
      addressesOf(place.address, place.siteSpace.space, places, customization),
      undefined,
    );
    parts.push({ place, space });
  }
  const pictures = new Pictures(files, new URL(site.urls.location).origin);
  const source = new StaticSite({
    title: site.title,
    visibility: site.visibility,
    customization,
    parts,
    files,
    pictures,
    specs: await reader.specs.versions(),
  });
  // Pictures are named when a page is drawn.
  await source.notFound();
  const gated = conditionsIn(structure);
  return { source, warnings: [...lostProtection(site, gated), ...pictures.warnings], close: () => files.close() };
}

type Site = { title: string; visibility: string; published: boolean };

/** What files cannot keep from readers. */
function lostProtection({ title, visibility, published }: Site, gated: number): string[] {
  const gates: Record<string, string> = {
    'share-link': 'is for readers with a share link',
    'visitor-auth': 'is for visitors who sign in',
  };
  const gate = gates[visibility];
  const parts = gated === 1 ? '1 part of it is' : `${gated} parts of it are`;
  return [
    ...(gate === undefined ? [] : [`"${title}" ${gate}; everyone who gets the files can read all of it.`]),
    ...(published ? [] : [`"${title}" is not published; everyone who gets the files can read it.`]),
    ...(gated > 0 ? [`${parts} for some visitors only, but the files have no conditions.`] : []),
  ];
}

/** How many sections and spaces of a site have a condition. */
function conditionsIn(entries: readonly unknown[]): number {
  return entries.filter((entry) => JSON.stringify(entry).includes('"condition":')).length;
}

interface ReadPart {
  place: Place;
  space: RemoteSpace;
}

interface SiteOptions {
  title: string;
  visibility: string;
  customization: Customization;
  parts: readonly ReadPart[];
  files: RemoteFiles;
  pictures: Pictures;
  /** Versions of the specifications that pages may show. */
  specs: readonly (readonly [slug: string, version: string | undefined])[];
}

interface PlacedDocument {
  part: RemotePart;
  space: RemoteSpace;
  page: DocumentPage;
}

/** A site of a service as files. */
class StaticSite implements StaticSource {
  readonly title: string;
  readonly isListed: boolean;
  readonly pages: readonly StaticPage[];
  readonly redirects: readonly StaticRedirect[] = [];
  readonly fingerprint: string;
  readonly parallel = 6;
  /** Of what all pages show, and of what they may link to. */
  readonly #frame: string;
  readonly #options: SiteOptions;
  readonly #drawing: RemotePreview;
  readonly #documents = new Map<string, PlacedDocument>();

  constructor(options: SiteOptions) {
    const { title, visibility, customization, parts, files, pictures, specs } = options;
    this.#options = options;
    this.title = customization.title ?? title;
    this.isListed = visibility === 'public';
    const remoteParts = parts.map(partOf);
    this.#drawing = new RemotePreview(remoteParts, {
      title,
      customization,
      isStatic: true,
      pictures,
      bytesOf: (id) => files.bytesOf(id),
    });
    this.pages = parts.flatMap(({ place, space }, index) => this.#pagesOf(place, space, remoteParts[index]));
    const revisions = parts.map(({ space }) => space.side.revision.id);
    const places = parts.map(({ place: { address, section, siteSpace } }) => [address, section, siteSpace.title]);
    const diagrams = findDiagrams()?.folder;
    this.fingerprint = hashOf(JSON.stringify([title, visibility, customization, places, revisions, diagrams, specs]));
    const contents = parts.map(({ space: { side } }) => [side.revision.pages, side.revision.files]);
    this.#frame = hashOf(JSON.stringify([title, customization, places, contents, diagrams, specs], withoutChanges));
  }

  /** A text never changes. What it links to is a part of the frame. */
  #ownHash({ title, documentId }: DocumentPage): string {
    return hashOf(JSON.stringify([this.#frame, title, documentId]));
  }

  async render({ key, file }: StaticPage, missing: readonly string[]): Promise<StaticText> {
    const { space, page } = this.#document(key);
    const rendered = await space.render(page);
    const markdown = titledMarkdown(page.title, page.description, await space.textOf(page));
    space.forget(page);
    const { html, headings, hasMermaid } = rendered;
    return {
      html,
      headings,
      hasMermaid,
      markdown,
      missing: [...missing],
      madeOf: { own: this.#ownHash(page), questions: [] },
      sections: rendered.sections.map(({ heading, text }) => ({ id: heading?.id, title: heading?.text, text })),
      problems: problemsOf(file, rendered),
      anchors: [],
      headingLinks: [],
    };
  }

  isCurrent({ key }: StaticPage, { madeOf }: StaticText): Promise<boolean> {
    return Promise.resolve(madeOf.own === this.#ownHash(this.#document(key).page));
  }

  frameOf({ key }: StaticPage): string {
    return hashOf(JSON.stringify([this.#frame, withoutPages(this.#document(key).page)]));
  }

  document({ key }: StaticPage, text: StaticText, { canonical, hasFeed }: DocumentOptions): Promise<string> {
    const { part, space, page } = this.#document(key);
    const feed = hasFeed ? { feedHref: `${space.hrefOf(page).replace(/\/$/, '')}/rss.xml` } : {};
    return this.#drawing.staticPage(part, page, text, { canonical, ...feed });
  }

  notFound(): Promise<string> {
    return this.#drawing.notFound();
  }

  async file(path: string): Promise<Uint8Array | undefined> {
    const [kind, name = ''] = path.split('/');
    const { customization, files, pictures } = this.#options;
    if (kind === 'files') return (await files.bytesOf(name))?.bytes;
    if (kind === 'pictures') return pictures.bytes(Number(name));
    const assets = [...siteAssets(), lookAsset(lookOf(customization))];
    if (kind !== 'assets') return undefined;
    const asset = assets.find((each) => each.name === name) ?? findDiagrams()?.file(path.slice('assets/'.length));
    return asset?.bytes;
  }

  get drawsDiagrams(): boolean {
    return findDiagrams() !== undefined;
  }

  loadedBy(path: string): readonly string[] {
    return loadedByAsset(path);
  }

  problems(): FolderProblem[] {
    return [];
  }

  async lineOf({ key }: StaticPage, text: string): Promise<number> {
    const { space, page } = this.#document(key);
    const source = await space.textOf(page);
    const at = source.indexOf(text);
    return at === -1 ? 1 : source.slice(0, at).split('\n').length;
  }

  #pagesOf({ address, siteSpace }: Place, space: RemoteSpace, part: RemotePart | undefined): StaticPage[] {
    if (!part) return [];
    return [...space.placed.values()].flatMap(({ page }): StaticPage[] => {
      if (page.type !== 'document') return [];
      const key = `${address}\n${page.id}`;
      this.#documents.set(key, { part, space, page });
      const above = space.ancestorsOf(page.id);
      const { title, description, icon, emoji, updatedAt } = page;
      const isFirst = page === space.first;
      const whole = [address, isFirst ? '' : page.path].filter(Boolean).join('/');
      return [
        {
          key,
          address: whole,
          isFirst,
          title,
          description,
          icon,
          emoji,
          updatedAt,
          space: siteSpace.title,
          trail: above.map((other) => other.title),
          isHidden: space.isMarked(page, 'hidden'),
          noIndex: space.isMarked(page, 'noIndex'),
          noRobotsIndex: space.isMarked(page, 'noRobotsIndex'),
          file: `/${whole}`,
        },
      ];
    });
  }

  #document(key: string): PlacedDocument {
    const document = this.#documents.get(key);
    if (!document) throw new Error(`There is no page ${key}.`);
    return document;
  }
}

const partOf = ({ place: { address, section, siteSpace }, space }: ReadPart): RemotePart => ({
  address,
  title: siteSpace.title,
  ...(section ? { section } : {}),
  isDefault: siteSpace.default === true,
  content: () => Promise.resolve({ space }),
});

const problemsOf = (file: string, { problems }: RenderedPage): FolderProblem[] =>
  problems.map(({ line, column, rule, message }) => ({
    file,
    line,
    ...(column === undefined ? {} : { column }),
    rule,
    level: levelOf(rule),
    message,
  }));

/** What changes with the text of a page, and is shown by that page alone. */
const changing: ReadonlySet<string> = new Set(['documentId', 'updatedAt', 'createdAt', 'revision', 'urls', 'git']);

const withoutChanges = (key: string, value: unknown): unknown => (changing.has(key) ? undefined : value);

const withoutPages = (page: DocumentPage) => ({ ...page, pages: [] });
