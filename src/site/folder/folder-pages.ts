import GithubSlugger from 'github-slugger';
import type { PageProblem, PageSource, RenderedPage, RenderPage } from '../../content/html/page-source.ts';
import type { PageRule } from '../../content/blocks/page-rules.ts';
import { readFrontMatter } from '../../content/markdown/front-matter.ts';
import { decodeAddress } from '../../shared/decode.ts';
import { ownText } from '../../shared/own-text.ts';
import { isObject } from '../../shared/is-object.ts';
import type { FolderAddresses } from './root-addresses.ts';
import {
  anchorKey,
  Answers,
  areAnsweredAlike,
  askForReference,
  FolderSource,
  type Question,
  type SourceContext,
} from './folder-source.ts';
import type { DrawSpec } from './draw-specs.ts';
import { textsOf } from '../texts.ts';
import { type FolderProblem, folderProblem } from './problem.ts';
import type { PageOfReference } from './reference-pages.ts';
import type { SiteFolder } from './site-folder.ts';
import type { FolderPage } from './space-folder.ts';

/** A page with the problems in its text and in included texts. */
export interface CheckedPage extends Pick<RenderedPage, 'html' | 'headings' | 'hasMermaid' | 'sections'> {
  problems: FolderProblem[];
  /** All addresses that the page links to, as written. */
  links: string[];
}

/** A page that is rendered without caching it. */
export interface SinglePage extends CheckedPage {
  /** The IDs that links to the page can refer to. */
  anchors: string[];
  /** Links to headings of other pages, which are not checked. */
  headingLinks: { link: string; page: FolderPage; anchor: string }[];
  /** What the renderer asked. */
  questions: readonly Question[];
}

interface Rendering {
  page: FolderPage;
  text: string;
  rendered: RenderedPage;
  answers: Answers;
  anchors: ReadonlySet<string>;
}

/** Blocks of specifications are in the page, or in a text that it includes. */
const mayShowSpecs = /\{%-?\s*(?:openapi|include)/;

/** The text of pages without a file. */
const noText = '';

interface PagesOptions {
  /** A value that changes with the content of a file; by default the time of its last change. */
  stateOf?: ((file: string) => unknown) | undefined;
  /** Rules that are checked in addition to the usual ones. */
  optionalRules?: readonly PageRule[] | undefined;
  /** Whether code is highlighted. */
  hasColors?: boolean | undefined;
}

/** Renders the pages of a folder, and caches each until something that it shows changes. */
export class FolderPages {
  readonly #site: SiteFolder;
  readonly #addresses: FolderAddresses;
  readonly #stateOf: (file: string) => unknown;
  readonly #optionalRules: readonly PageRule[];
  readonly #hasColors: boolean;
  readonly #renderings = new Map<string, Promise<Rendering>>();
  readonly #withMissing = new WeakMap<Rendering, { missing: string; rendering: Rendering }>();
  #drawSpec: DrawSpec | undefined;
  /** How often pages have been rendered, for tests. */
  count = 0;

  constructor(
    site: SiteFolder,
    addresses: FolderAddresses,
    { stateOf = (file) => site.disk.stat(file)?.changedMs, optionalRules = [], hasColors = true }: PagesOptions = {},
  ) {
    this.#site = site;
    this.#addresses = addresses;
    this.#stateOf = stateOf;
    this.#optionalRules = optionalRules;
    this.#hasColors = hasColors;
  }

  /** The current page, with checked links to headings. */
  async page(page: FolderPage): Promise<CheckedPage> {
    const first = await this.#rendering(page);
    const missing = await this.#missingAnchors(first);
    const { rendered, answers } = missing.size === 0 ? first : await this.#again(first, missing);
    const { problems, uses, ...rest } = rendered;
    return { ...rest, links: uses.links, problems: this.#problemsOf(page, problems, answers) };
  }

  /**
   * Renders the page without caching it, to save memory in large folders.
   *
   * @param missing the `headingLinks` of the page without a heading
   */
  async once(page: FolderPage, missing: readonly string[] = []): Promise<SinglePage> {
    const { rendered, answers, anchors } = await this.#render(page, new Set(missing));
    const { problems, uses, html, headings, hasMermaid, sections } = rendered;
    return {
      html,
      headings,
      hasMermaid,
      sections,
      links: uses.links,
      problems: this.#problemsOf(page, problems, answers),
      anchors: [...anchors].map(ownText),
      questions: answers.questions,
      headingLinks: answers.anchors
        .filter(({ page: target }) => !isMadeElsewhere(target))
        .map(({ from, url, page: target, anchor }) => ({ link: anchorKey(from, url), page: target, anchor })),
    };
  }

  /** What resolves the addresses in a text of the page. */
  async sourceOf(page: FolderPage, text: string): Promise<PageSource> {
    return new FolderSource(await this.#contextOf(page, text));
  }

  /** Whether all questions of a rendering still have the same answers. */
  async areAnsweredAlike(page: FolderPage, questions: readonly Question[]): Promise<boolean> {
    return areAnsweredAlike(questions, await this.#contextOf(page, this.#textOf(page)));
  }

  /** The IDs that links to the page can refer to. */
  async anchorsOf(page: FolderPage): Promise<ReadonlySet<string>> {
    return (await this.#rendering(page)).anchors;
  }

  /** Drops the pages of deleted files. */
  forget(files: Iterable<string>): void {
    for (const file of files) this.#renderings.delete(file);
  }

  async #rendering(page: FolderPage): Promise<Rendering> {
    const key = page.file ?? `${page.space.directory} ${page.key}`;
    const kept = await this.#renderings.get(key)?.catch(() => undefined);
    if (kept && (await this.#isCurrent(kept, page))) return kept;
    const rendering = this.#render(page, new Set());
    this.#renderings.set(key, rendering);
    return rendering;
  }

  async #isCurrent({ page: before, text, answers }: Rendering, page: FolderPage): Promise<boolean> {
    if (before.title !== page.title || text !== this.#textOf(page)) return false;
    return areAnsweredAlike(answers.questions, await this.#contextOf(page, text));
  }

  #textOf({ file }: FolderPage): string {
    return file === null ? noText : (this.#site.disk.text(file) ?? noText);
  }

  async #render(page: FolderPage, missingAnchors: ReadonlySet<string>): Promise<Rendering> {
    this.count += 1;
    if (page.reference) return this.#drawReference(page, page.reference);
    const { renderPage }: { renderPage: RenderPage } = await import('../../content/html/render-page.ts');
    const text = this.#textOf(page);
    const context = await this.#contextOf(page, text, missingAnchors);
    const locale = this.#site.siteSpaceOfFolder(page.space)?.entry.language ?? 'en';
    const rendered = await renderPage(text, new FolderSource(context), {
      title: page.title,
      locale,
      diagramNote: textsOf(locale).diagramNote,
      optionalRules: this.#optionalRules,
      hasColors: this.#hasColors,
    });
    return { page, text, rendered, answers: context.answers, anchors: idsIn(rendered, page.title) };
  }

  async #drawReference(page: FolderPage, of: PageOfReference): Promise<Rendering> {
    const { drawFolderReference } = await import('./draw-specs.ts');
    const rendered = await drawFolderReference(this.#site, page, of, this.#addresses);
    const { answers } = askForReference(await this.#contextOf(page, noText));
    return { page, text: noText, rendered, answers, anchors: idsIn(rendered, page.title) };
  }

  async #contextOf(
    page: FolderPage,
    text: string,
    missingAnchors: ReadonlySet<string> = new Set(),
  ): Promise<SourceContext> {
    return {
      site: this.#site,
      page,
      addresses: this.#addresses,
      answers: new Answers(),
      missingAnchors,
      evaluate: await this.#evaluatorOf(page, text),
      stateOf: this.#stateOf,
      drawSpec: mayShowSpecs.test(text) ? await this.#specDrawer() : undefined,
    };
  }

  /** Loads the code on demand, because few folders show specifications. */
  async #specDrawer(): Promise<DrawSpec> {
    const { specDrawer } = await import('./draw-specs.ts');
    return (this.#drawSpec ??= await specDrawer(this.#site.specs));
  }

  async #again(first: Rendering, missing: ReadonlySet<string>): Promise<Rendering> {
    const key = [...missing].join('\n');
    const kept = this.#withMissing.get(first);
    if (kept?.missing === key) return kept.rendering;
    const rendering = await this.#render(first.page, missing);
    this.#withMissing.set(first, { missing: key, rendering });
    return rendering;
  }

  async #missingAnchors({ answers }: Rendering): Promise<Set<string>> {
    const missing = new Set<string>();
    for (const { from, url, page, anchor } of answers.anchors) {
      if (isMadeElsewhere(page)) continue;
      // The page may have been read again since then.
      const current = (page.file === null ? page.space.pageOfKey(page.key) : page.space.pageOfFile(page.file)) ?? page;
      if (!(await this.anchorsOf(current)).has(anchor)) missing.add(anchorKey(from, url));
    }
    return missing;
  }

  async #evaluatorOf(page: FolderPage, text: string): Promise<(expression: string) => unknown> {
    const { evaluateExpression } = await import('../../content/blocks/expressions.ts');
    return (expression) => {
      const { data } = readFrontMatter(text);
      const { variables } = this.#site.variablesOf(page.space);
      return evaluateExpression(expression, {
        space: { vars: variables },
        page: { title: page.title, path: page.path, vars: isObject(data.vars) ? data.vars : {} },
        visitor: { claims: { unsigned: {} } },
      });
    };
  }

  #problemsOf(page: FolderPage, problems: readonly PageProblem[], answers: Answers): FolderProblem[] {
    const ownFile = page.file ?? page.space.summaryFile;
    return problems.map(({ include, ...problem }) => {
      const message = withReason(problem.message, answers.reasons);
      return folderProblem(answers.includes.get(include ?? '') ?? ownFile, { ...problem, message });
    });
  }
}

/** The message, or the reason why its address is wrong. */
function withReason(message: string, reasons: ReadonlyMap<string, string>): string {
  const isAbout = (url: string) =>
    [url, decodeAddress(url)].some((name) => message.startsWith(`${name}: `)) || message.endsWith(` text "${url}".`);
  for (const [url, reason] of reasons) if (isAbout(url)) return `${url} ${reason}.`;
  return message;
}

/** Whether the service creates the pages below it, from a specification that is not in the folder. */
const isMadeElsewhere = ({ generated, space, key }: FolderPage): boolean =>
  generated !== undefined && !space.hasReferenceUnder(key);

/** The IDs in a page. Includes the title, because a link to it leads to the top of the page. */
export function idsIn({ html, headings }: Pick<RenderedPage, 'html' | 'headings'>, title: string): ReadonlySet<string> {
  const ids = new Set([new GithubSlugger().slug(title), ...headings.map(({ id }) => id)]);
  for (const [, id = ''] of html.matchAll(/\sid="([^"]*)"/g)) ids.add(decodeEntities(id));
  return ids;
}

const decodeEntities = (text: string): string =>
  text.replaceAll(/&#x([\da-f]+);/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));
