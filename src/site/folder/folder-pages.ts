import GithubSlugger from 'github-slugger';
import type { PageProblem, RenderedPage, RenderPage } from '../../content/html/page-source.ts';
import { readFrontMatter } from '../../content/markdown/front-matter.ts';
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

/** A page with what is wrong in it and in the texts that it includes. */
export interface CheckedPage extends Pick<RenderedPage, 'html' | 'headings' | 'hasMermaid' | 'sections'> {
  problems: FolderProblem[];
  /** All addresses that the page links to, as they are written. */
  links: string[];
}

/** A page that was rendered once and is not kept. */
export interface SinglePage extends CheckedPage {
  /** The ids that links to the page may name. */
  anchors: string[];
  /** Links to headings of other pages, which were not looked for. */
  headingLinks: { link: string; page: FolderPage; anchor: string }[];
  /** What was asked to render it. */
  questions: readonly Question[];
}

interface Rendering {
  page: FolderPage;
  text: string;
  rendered: RenderedPage;
  answers: Answers;
  anchors: ReadonlySet<string>;
}

/** Blocks of specifications stand in the page, or in a text that it includes. */
const mayShowSpecs = /\{%-?\s*(?:openapi|include)/;

/** Where the text of pages without one comes from. */
const noText = '';

/** Renders the pages of a folder, and keeps each as long as nothing that it shows has changed. */
export class FolderPages {
  readonly #site: SiteFolder;
  readonly #addresses: FolderAddresses;
  readonly #stateOf: (file: string) => unknown;
  readonly #renderings = new Map<string, Promise<Rendering>>();
  readonly #withMissing = new WeakMap<Rendering, { missing: string; rendering: Rendering }>();
  #drawSpec: DrawSpec | undefined;
  /** How many times a page was rendered. */
  count = 0;

  /** @param stateOf another value for another content of a file: the time of its last change where absent */
  constructor(
    site: SiteFolder,
    addresses: FolderAddresses,
    stateOf = (file: string): unknown => site.disk.stat(file)?.changedMs,
  ) {
    this.#site = site;
    this.#addresses = addresses;
    this.#stateOf = stateOf;
  }

  /** The page as it is now, with links to headings checked. */
  async page(page: FolderPage): Promise<CheckedPage> {
    const first = await this.#rendering(page);
    const missing = await this.#missingAnchors(first);
    const { rendered, answers } = missing.size === 0 ? first : await this.#again(first, missing);
    const { problems, uses, ...rest } = rendered;
    return { ...rest, links: uses.links, problems: this.#problemsOf(page, problems, answers) };
  }

  /**
   * Renders the page and forgets it: so the pages of a large folder take no memory.
   *
   * @param missing the `headingLinks` of the page that lead to no heading
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

  /** Whether what was asked to render a page is still answered alike. */
  async areAnsweredAlike(page: FolderPage, questions: readonly Question[]): Promise<boolean> {
    return areAnsweredAlike(questions, await this.#contextOf(page, this.#textOf(page)));
  }

  /** The ids that links to the page may name. */
  async anchorsOf(page: FolderPage): Promise<ReadonlySet<string>> {
    return (await this.#rendering(page)).anchors;
  }

  /** Drops the pages of files that are none any more. */
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

  /** Few folders show specifications. */
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
      // The page may have been read anew since.
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

/** The message with what is known of the address in it. */
function withReason(message: string, reasons: ReadonlyMap<string, string>): string {
  for (const [url, reason] of reasons) if (message.includes(url)) return `${url} ${reason}.`;
  return message;
}

/** The pages below it are made by the service, from a specification that the folder does not have. */
const isMadeElsewhere = ({ generated, space, key }: FolderPage): boolean =>
  generated !== undefined && !space.hasReferenceUnder(key);

/** The title is a heading too: a link to it leads to the top of the page. */
function idsIn({ html, headings }: RenderedPage, title: string): ReadonlySet<string> {
  const ids = new Set([new GithubSlugger().slug(title), ...headings.map(({ id }) => id)]);
  for (const [, id = ''] of html.matchAll(/\sid="([^"]*)"/g)) ids.add(decodeEntities(id));
  return ids;
}

const decodeEntities = (text: string): string =>
  text.replaceAll(/&#x([\da-f]+);/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));
