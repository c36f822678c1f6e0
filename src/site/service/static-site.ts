import type { DocumentPage } from '../../contract/pages.ts';
import { findDiagrams, loadedByAsset } from '../diagrams.ts';
import { type FolderProblem, folderProblem } from '../folder/problem.ts';
import { lookOf } from '../look.ts';
import type { Customization, ExportForm } from '../model.ts';
import type { SocialSite } from '../social/social-picture.ts';
import { hashOf } from '../static/content-hash.ts';
import {
  type DocumentOptions,
  indexedSections,
  lineOf,
  type StaticPage,
  staticPageOf,
  type StaticSource,
  type StaticText,
} from '../static/static-source.ts';
import { addressesOf, ContentReader, partOf, type Place, readSite, type ServicePort } from './open-remote.ts';
import { type RemotePart, RemotePreview } from './remote-preview.ts';
import type { RemoteEntry, RemoteSpace } from './remote-space.ts';
import { Pictures } from './site-pictures.ts';

/** Opens a site of the service for an export, as its administrators see it. */
export async function openStaticSite(
  port: ServicePort,
  params: { orgId: string; siteId: string },
  form: ExportForm,
): Promise<{ source: StaticSource; warnings: string[] }> {
  const { site, structure, customization, places } = await readSite(port, params);
  const reader = new ContentReader(port, params.orgId);
  const parts: ReadPart[] = [];
  for (const place of places) {
    const addresses = addressesOf(place.address, place.siteSpace.space, places, customization);
    const { space } = await reader.read(place.siteSpace.space.id, addresses, undefined);
    parts.push({ place, space });
  }
  const pictures = new Pictures(reader.files, new URL(site.urls.location).origin);
  const drawing = new RemotePreview(
    parts.map(({ place, space }) => partOf(place, () => Promise.resolve({ space }))),
    { title: site.title, customization, form, pictures, bytesOf: (id) => reader.files.bytesOf(id) },
  );
  const { title, visibility } = site;
  const specs = await reader.specs.versions();
  const source = new StaticSite({ title, visibility, customization, parts, drawing, specs, form });
  // Drawing a page collects the pictures, and thus the warnings about them.
  await source.notFound();
  return { source, warnings: [...lostProtection(site, conditionsIn(structure)), ...pictures.warnings] };
}

type Site = { title: string; visibility: string; published: boolean };

/** Warnings about restrictions that files cannot enforce. */
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
    ...(gated > 0 ? [`${parts} for some visitors only, but files cannot enforce conditions.`] : []),
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
  drawing: RemotePreview;
  /** The versions of the specifications that pages may show. */
  specs: readonly (readonly [slug: string, version: string | undefined])[];
  form: ExportForm;
}

interface PlacedDocument {
  part: RemotePart;
  space: RemoteSpace;
  page: DocumentPage;
}

/** An export of a site of the service. */
class StaticSite implements StaticSource {
  readonly title: string;
  readonly isListed: boolean;
  readonly pages: readonly StaticPage[];
  readonly redirects = [];
  readonly social: SocialSite | undefined;
  readonly fingerprint: string;
  readonly parallel = 6;
  /** A hash of what all pages show and of what they can link to. */
  readonly #frame: string;
  readonly #drawing: RemotePreview;
  readonly #form: ExportForm;
  readonly #documents = new Map<string, PlacedDocument>();

  constructor(options: SiteOptions) {
    const { title, visibility, customization, parts, drawing, specs, form } = options;
    this.#form = form;
    this.title = customization.title ?? title;
    const color = lookOf(customization).primaryColor.light;
    this.social = customization.socialPreview.url === undefined ? { title: this.title, color } : undefined;
    this.isListed = visibility === 'public';
    this.#drawing = drawing;
    this.pages = parts.flatMap((part, index) => this.#pagesOf(part, drawing.parts[index]));
    const revisions = parts.map(({ space }) => space.side.revision.id);
    const places = parts.map(({ place: { address, section, siteSpace } }) => [
      address,
      section,
      siteSpace.title,
      siteSpace.space.gitSync?.url,
    ]);
    const diagrams = findDiagrams()?.folder;
    this.fingerprint = hashOf(JSON.stringify([title, visibility, customization, places, revisions, diagrams, specs]));
    const contents = parts.map(({ space: { side } }) => [side.revision.pages, side.revision.files]);
    this.#frame = hashOf(JSON.stringify([title, customization, places, contents, diagrams, specs], withoutChanges));
  }

  /** A document never changes, and the frame covers what it links to. */
  #ownHash({ title, documentId }: DocumentPage): string {
    return hashOf(JSON.stringify([this.#frame, title, documentId]));
  }

  async render({ key, file }: StaticPage, missing: readonly string[]): Promise<StaticText> {
    const { space, page } = this.#document(key);
    const { html, headings, hasMermaid, sections, problems } = await space.render(page);
    const markdown = await space.markdownOf(page);
    space.forget(page);
    return {
      html,
      headings,
      hasMermaid,
      markdown,
      missing: [...missing],
      madeOf: { own: this.#ownHash(page), questions: [] },
      sections: indexedSections(sections),
      problems: problems.map((problem) => folderProblem(file, problem)),
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

  document({ key }: StaticPage, text: StaticText, { hasFeed, ...addresses }: DocumentOptions): Promise<string> {
    const { part, space, page } = this.#document(key);
    const feed = hasFeed ? { feedHref: `${space.hrefOf(page).replace(/\/$/, '')}/rss.xml` } : {};
    return this.#drawing.staticPage(part, page, text, { ...addresses, ...feed });
  }

  notFound(): Promise<string> {
    return this.#drawing.notFound();
  }

  async file(path: string): Promise<Uint8Array | undefined> {
    return (await this.#drawing.asset(path))?.bytes;
  }

  get drawsDiagrams(): boolean {
    return findDiagrams() !== undefined;
  }

  loadedBy(path: string): readonly string[] {
    return loadedByAsset(path, this.#form);
  }

  problems(): FolderProblem[] {
    return [];
  }

  async lineOf({ key }: StaticPage, text: string): Promise<number> {
    const { space, page } = this.#document(key);
    return lineOf(await space.textOf(page), text);
  }

  #pagesOf({ place: { address, siteSpace }, space }: ReadPart, part: RemotePart | undefined): StaticPage[] {
    return space.contents.pages.flatMap((entry: RemoteEntry): StaticPage[] => {
      const { page } = entry;
      if (!part || page.type !== 'document') return [];
      const key = `${address}\n${page.id}`;
      this.#documents.set(key, { part, space, page });
      const isFirst = page === space.first;
      const whole = [address, isFirst ? '' : page.path].filter(Boolean).join('/');
      const { updatedAt } = page;
      const place = { key, address: whole, isFirst, updatedAt, space: siteSpace.title, file: `/${whole}` };
      return [staticPageOf(space.contents, entry, place)];
    });
  }

  #document(key: string): PlacedDocument {
    const document = this.#documents.get(key);
    if (!document) throw new Error(`There is no page ${key}.`);
    return document;
  }
}

/** Fields that change with the text of a page and are only shown on that page. */
const changing: ReadonlySet<string> = new Set(['documentId', 'updatedAt', 'createdAt', 'revision', 'urls', 'git']);

const withoutChanges = (key: string, value: unknown): unknown => (changing.has(key) ? undefined : value);

const withoutPages = (page: DocumentPage) => ({ ...page, pages: [] });
