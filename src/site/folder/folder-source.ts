import type { Element } from 'hast';
import type { FileTarget, IncludedText, LinkTarget, OpenApiBlock, PageSource } from '../../content/html/page-source.ts';
import { contentTypeOf } from '../../content/sync/files.ts';
import { isMarkdown } from '../../content/sync/file-names.ts';
import type { FolderAddresses } from './folder-site.ts';
import type { LinkStart } from './folder-links.ts';
import { iconOrPlace } from '../icons.ts';
import { standardLook } from '../look.ts';
import { withoutUndefined } from '../../shared/without-undefined.ts';
import type { DrawSpec } from './draw-specs.ts';
import type { SiteFolder } from './site-folder.ts';
import type { FolderPage } from './space-folder.ts';

/** A question that the renderer asked, and its answer: while all answers stay the same, the page does too. */
export interface Question {
  ask(): unknown;
  answer: unknown;
}

/** A link to a heading of another page. */
export interface AskedAnchor {
  /** The file the link stands in, and its address. */
  from: string;
  url: string;
  page: FolderPage;
  anchor: string;
}

/** What was asked while a page was rendered. */
export class Answers {
  readonly questions: Question[] = [];
  readonly anchors: AskedAnchor[] = [];
  /** Why nothing is at an address, by the address as it is written. */
  readonly reasons = new Map<string, string>();
  /** Paths of included texts from the whole folder, by the paths as they are written. */
  readonly includes = new Map<string, string>();

  /** Whether everything would be answered in the same way now. */
  areCurrent(): boolean {
    return this.questions.every(({ ask, answer }) => ask() === answer);
  }
}

export interface SourceContext {
  site: SiteFolder;
  page: FolderPage;
  addresses: FolderAddresses;
  evaluate(expression: string): unknown;
  answers: Answers;
  /** Loaded where the page may have blocks of specifications. */
  drawSpec?: DrawSpec | undefined;
  /** Links to headings that are not there, as `file` and address with a space between. */
  missingAnchors: ReadonlySet<string>;
}

/** What surrounds a page of a folder, or a text that the page includes. */
export class FolderSource implements PageSource {
  readonly #context: SourceContext;
  /** The file that addresses are relative to. */
  readonly #file: string;

  constructor(context: SourceContext, file = context.page.file ?? '') {
    this.#context = context;
    this.#file = file;
  }

  link(url: string): LinkTarget | undefined {
    const { answers, missingAnchors } = this.#context;
    const target = this.#remember(() => this.#link(url));
    if (!target) return undefined;
    if (target.anchor) answers.anchors.push({ from: this.#file, url, ...target.anchor });
    return missingAnchors.has(anchorKey(this.#file, url)) ? { ...target.link, missingAnchor: true } : target.link;
  }

  file(url: string): FileTarget | undefined {
    const { site, addresses, answers } = this.#context;
    return this.#remember(() => {
      const target = site.links.file(url, this.#start());
      // What was found out about it as a link is more.
      if (target.kind === 'missing' && !answers.reasons.has(url)) answers.reasons.set(url, target.reason);
      // Pages, also those that SUMMARY.md leaves out, are no files.
      if (target.kind !== 'file' || site.spaceOf(target.file)?.isPageFile(target.file)) return undefined;
      const stat = site.disk.stat(target.file);
      if (!stat) return undefined;
      const name = target.file.slice(target.file.lastIndexOf('/') + 1);
      return {
        href: addresses.file(target.file),
        name,
        contentType: contentTypeOf(name, noBytes),
        size: stat.size,
        // A picture with another content is another picture.
        changedMs: stat.changedMs,
      };
    });
  }

  include(path: string): IncludedText | undefined {
    const { site, answers } = this.#context;
    const included = this.#remember(() => {
      const target = site.links.file(path, this.#start());
      if (target.kind === 'missing') answers.reasons.set(path, target.reason);
      if (target.kind !== 'file' || !isMarkdown(target.file)) return undefined;
      const markdown = site.disk.text(target.file);
      return markdown === undefined ? undefined : { file: target.file, markdown };
    });
    if (!included) return undefined;
    answers.includes.set(path, included.file);
    return { markdown: included.markdown, source: new FolderSource(this.#context, included.file) };
  }

  evaluate(expression: string): unknown {
    return this.#remember(() => this.#context.evaluate(expression));
  }

  icon(name: string): Element {
    return iconOrPlace(name, standardLook.icons);
  }

  openapi(block: OpenApiBlock): Element | undefined {
    const { site, drawSpec } = this.#context;
    const found = this.#remember(() => site.specs.find(block.spec ?? block.src ?? ''));
    return drawSpec?.(found, block);
  }

  tag(name: string): { label: string; icon?: string } | undefined {
    const { site, page } = this.#context;
    return this.#remember(() => site.variablesOf(page.space).tags.get(name));
  }

  #link(url: string): { link: LinkTarget; anchor?: { page: FolderPage; anchor: string } } | undefined {
    const { site, page: from, addresses, answers } = this.#context;
    const target = site.links.resolve(url, this.#start());
    switch (target.kind) {
      case 'external':
        return { link: { href: target.url, isExternal: true } };
      case 'file':
        return {
          link: { href: addresses.file(target.file), title: target.file.slice(target.file.lastIndexOf('/') + 1) },
        };
      case 'page': {
        const { page, anchor } = target;
        const { title, description, icon, emoji } = page;
        const link = { href: addresses.page(page, anchor), title, ...withoutUndefined({ description, icon, emoji }) };
        // The renderer checks `#heading` itself.
        const isOwn = page.file === from.file && url.startsWith('#');
        return anchor === '' || isOwn ? { link } : { link, anchor: { page, anchor } };
      }
      case 'missing':
        answers.reasons.set(url, target.reason);
        return undefined;
    }
  }

  /** Looked up each time: the pages may have been read anew. */
  #start(): LinkStart {
    const { site, page } = this.#context;
    const space = (page.file === null ? undefined : site.spaceOf(page.file)) ?? page.space;
    return { file: this.#file, space, page: space.pageOfKey(page.key) };
  }

  /** The answer, which is kept to see later whether it is still the same. An error is an answer too. */
  #remember<T>(ask: () => T): T {
    const { questions } = this.#context.answers;
    const later = () => {
      try {
        return fingerprint(ask());
      } catch (error) {
        return String(error);
      }
    };
    try {
      const answer = ask();
      questions.push({ ask: later, answer: fingerprint(answer) });
      return answer;
    } catch (error) {
      questions.push({ ask: later, answer: String(error) });
      throw error;
    }
  }
}

export const anchorKey = (file: string, url: string): string => `${file} ${url}`;

const noBytes = new Uint8Array();

/** The space of a page leads to all other pages. */
const fingerprint = (answer: unknown): string | undefined =>
  JSON.stringify(answer, (key, value: unknown) => (key === 'space' ? undefined : value));
