import { assetName, siteAssets } from '../assets.ts';
import type { SearchAnswer, Site } from '../model.ts';
import { pageDocument } from '../page-document.ts';
import {
  drawReferencePage,
  findReferencePage,
  type Reference,
  type ReferenceAddresses,
  referenceNavigation,
  referencePages,
  type ReferencePage,
} from '../reference/index.ts';
import { descriptionText, originsOf, serversOf } from '../../openapi/reference/index.ts';
import { siteMarkdown } from '../static/link-markdown.ts';
import { referenceMarkdown } from '../reference/mounted.ts';
import { siteAround } from '../site-around.ts';
import { searchReference } from '../reference/search.ts';
import { notFoundPage } from '../templates/special-pages.ts';
import { ownFiles, ownPath } from '../own-files.ts';
import { llmsHref, type PreviewAnswer, type PreviewFile, type PreviewOutline, type PreviewSource } from './source.ts';

export interface ReferencePreviewOptions {
  /** Whether operations have a form that sends them. */
  hasTryIt: boolean;
  /** Why the current description cannot be shown, with file and line. */
  problems?: { message: string; place: string }[];
}

/** A preview of the reference of a description, which can be replaced by a newer version. */
export class ReferencePreview implements PreviewSource {
  readonly #options: ReferencePreviewOptions;
  readonly #listeners = new Set<() => void>();
  #reference: Reference;
  #problems: { message: string; place: string }[];

  constructor(reference: Reference, options: ReferencePreviewOptions) {
    this.#reference = reference;
    this.#options = options;
    this.#problems = options.problems ?? [];
  }

  /** @param reference if undefined, the last one is shown with the problems */
  replace(reference: Reference | undefined, problems: { message: string; place: string }[]): void {
    this.#reference = reference ?? this.#reference;
    this.#problems = problems;
    for (const listener of this.#listeners) listener();
  }

  async answer(path: string): Promise<PreviewAnswer> {
    const reference = this.#reference;
    const page = findReferencePage(reference, path);
    if (!page) {
      const site = await this.#siteAround({ kind: 'overview', path: '', title: reference.title });
      return { kind: 'not-found', html: pageDocument(site, notFoundPage(site)) };
    }
    const { hasTryIt } = this.#options;
    const drawn = await drawReferencePage(reference, page, addresses, { hasTryIt });
    const problems = this.#problems.map((problem) => ({ ...problem, level: 'error' as const }));
    const html = pageDocument(await this.#siteAround(page), {
      ...drawn,
      problems,
      markdownHref: markdownHrefOf(page),
      llmsHref,
    });
    return { kind: 'page', html, ...(hasTryIt && { connect: serverOrigins(reference, page) }) };
  }

  async asset(path: string): Promise<PreviewFile | undefined> {
    const [, format] = /^openapi\.(json|yaml)$/.exec(path) ?? [];
    if (format === 'json' || format === 'yaml') {
      const text = await descriptionText(this.#reference.document, format);
      return { contentType: `application/${format}; charset=utf-8`, bytes: Buffer.from(text) };
    }
    const asset = siteAssets().find(({ name }) => `assets/${name}` === path);
    return asset && { ...asset, isImmutable: true };
  }

  search(query: string): Promise<SearchAnswer> {
    return searchReference(this.#reference, query, addresses);
  }

  outline(): PreviewOutline {
    const reference = this.#reference;
    const { title } = reference;
    const pages = referencePages(reference).map((page) => ({
      title: page.title,
      href: addresses.page(page.path) ?? '/',
      markdownHref: markdownHrefOf(page),
      isListed: true,
      markdown: async () => siteMarkdown({ title: page.title }, referenceMarkdown(reference, page.path, {})),
    }));
    return { title, sections: [{ title, pages }] };
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async #siteAround(page: ReferencePage): Promise<Site> {
    const { assets, search } = ownFiles(undefined, undefined);
    const { folder, scripts = [] } = assets;
    const tryIt = this.#options.hasTryIt ? [folder + assetName('try-it.js')] : [];
    const { title } = this.#reference;
    const own = { ...assets, scripts: [...scripts, ...tryIt] };
    const site = await siteAround({ title, home: '/', sections: [], variants: [], assets: own, search });
    const navigation = referenceNavigation(this.#reference, page, addresses);
    return { ...site, navigation, favicon: { emoji: '📘' } };
  }
}

const addresses: ReferenceAddresses = {
  description: { json: `${ownPath}openapi.json`, yaml: `${ownPath}openapi.yaml` },
  page: (path, anchor = '') =>
    `/${path.split('/').map(encodeURIComponent).join('/')}${anchor === '' ? '' : `#${encodeURIComponent(anchor)}`}`,
};

const markdownHrefOf = ({ path }: ReferencePage): string => `${addresses.page(path || 'index')}.md`;

/** The forms of a page can only send requests to the servers of its operations. */
function serverOrigins(reference: Reference, page: ReferencePage): string[] {
  const operations = page.kind === 'operation' ? [page.operation] : page.kind === 'group' ? page.group.operations : [];
  const servers = operations.flatMap(({ node, item }) => serversOf(reference, node, item));
  return [...new Set(servers.flatMap(originsOf))];
}
