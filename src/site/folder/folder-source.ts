import { createHash } from 'node:crypto';
import type { Element } from 'hast';
import type { FileTarget, IncludedText, LinkTarget, OpenApiBlock, PageSource } from '../../content/html/page-source.ts';
import { contentTypeOf } from '../../content/folder/files.ts';
import { isMarkdown } from '../../content/folder/file-names.ts';
import type { FolderAddresses } from './root-addresses.ts';
import type { LinkStart } from './folder-links.ts';
import { iconOrPlace } from '../icons.ts';
import { standardLook } from '../look.ts';
import { withoutUndefined } from '../../shared/without-undefined.ts';
import type { DrawSpec } from './draw-specs.ts';
import type { SiteFolder } from './site-folder.ts';
import type { FolderPage } from './space-folder.ts';

/** A question of the renderer with its answer. While all answers stay the same, so does the page. */
export interface Question {
  kind: 'link' | 'file' | 'include' | 'evaluate' | 'specification' | 'reference' | 'tag';
  /** The file with the link, block or expression. */
  file: string;
  subject: string;
  /** A text that identifies the answer. */
  answer: string;
}

/** An answer, or the reason why there is none. */
interface Answer<T> {
  value: T | undefined;
  reason?: string;
}

/** A link to a heading of another page. */
export interface AskedAnchor {
  /** The file with the link. */
  from: string;
  url: string;
  page: FolderPage;
  anchor: string;
}

/** The questions and answers of a rendering. */
export class Answers {
  readonly questions: Question[] = [];
  readonly anchors: AskedAnchor[] = [];
  /** Why addresses lead to nothing, by the address as written. */
  readonly reasons = new Map<string, string>();
  /** Paths of included texts from the whole folder, by the paths as written. */
  readonly includes = new Map<string, string>();
}

/** Whether all questions still have the same answers. */
export const areAnsweredAlike = (questions: readonly Question[], context: SourceContext): boolean =>
  questions.every((question) => new FolderSource(context, question.file).answerTo(question) === question.answer);

/** Asks for everything that a page of a reference depends on. */
export function askForReference(context: SourceContext): SourceContext {
  new FolderSource(context).askForReference();
  return context;
}

export interface SourceContext {
  site: SiteFolder;
  page: FolderPage;
  addresses: FolderAddresses;
  evaluate(expression: string): unknown;
  /** A value that changes with the content of a file. */
  stateOf(file: string): unknown;
  answers: Answers;
  /** Present if the page may have blocks of specifications. */
  drawSpec?: DrawSpec | undefined;
  /** Links to missing headings, as file and address with a space between them. */
  missingAnchors: ReadonlySet<string>;
}

/** The source of a page of a folder, or of a text that the page includes. */
export class FolderSource implements PageSource {
  readonly #context: SourceContext;
  /** The file that addresses are relative to. */
  readonly #file: string;
  readonly #ask = {
    link: (url: string) => this.#link(url),
    file: (url: string) => this.#fileAt(url),
    include: (path: string) => this.#included(path),
    evaluate: (expression: string): Answer<unknown> => ({ value: this.#context.evaluate(expression) }),
    specification: (name: string) => this.#specification(name),
    reference: () => this.#reference(),
    tag: (name: string) => ({ value: this.#context.site.variablesOf(this.#context.page.space).tags.get(name) }),
  };

  constructor(context: SourceContext, file = context.page.file ?? '') {
    this.#context = context;
    this.#file = file;
  }

  link(url: string): LinkTarget | undefined {
    const { answers, missingAnchors } = this.#context;
    const { value: target, reason } = this.#remember('link', url, this.#ask.link);
    if (reason !== undefined) answers.reasons.set(url, reason);
    if (!target) return undefined;
    if (target.anchor) answers.anchors.push({ from: this.#file, url, ...target.anchor });
    return missingAnchors.has(anchorKey(this.#file, url)) ? { ...target.link, missingAnchor: true } : target.link;
  }

  file(url: string): FileTarget | undefined {
    const { reasons } = this.#context.answers;
    const { value, reason } = this.#remember('file', url, this.#ask.file);
    // The reason for a link is more specific.
    if (reason !== undefined && !reasons.has(url)) reasons.set(url, reason);
    return value?.target;
  }

  include(path: string): IncludedText | undefined {
    const { answers } = this.#context;
    const { value, reason } = this.#remember('include', path, this.#ask.include);
    if (reason !== undefined) answers.reasons.set(path, reason);
    if (!value) return undefined;
    answers.includes.set(path, value.file);
    return { markdown: value.markdown, source: new FolderSource(this.#context, value.file) };
  }

  evaluate(expression: string): unknown {
    return this.#remember('evaluate', expression, this.#ask.evaluate).value;
  }

  icon(name: string): Element {
    return iconOrPlace(name, standardLook.icons);
  }

  openapi(block: OpenApiBlock): Element | undefined {
    const { drawSpec } = this.#context;
    const name = block.spec ?? block.src ?? '';
    const { value } = this.#remember('specification', name, this.#ask.specification);
    return drawSpec?.(value, block);
  }

  tag(name: string): { label: string; icon?: string } | undefined {
    return this.#remember('tag', name, this.#ask.tag).value;
  }

  /** Records the state of the description that a page of a reference shows. */
  askForReference(): void {
    this.#remember('reference', '', this.#ask.reference);
  }

  /** The current answer, which may be an error. */
  answerTo({ kind, subject }: Pick<Question, 'kind' | 'subject'>): string {
    try {
      return fingerprint(this.#ask[kind](subject));
    } catch (error) {
      return String(error);
    }
  }

  #specification(name: string): Answer<{ file: string; state: unknown }> {
    const { site, stateOf } = this.#context;
    const spec = site.specs.find(name);
    return { value: spec && { file: spec.file, state: stateOf(spec.file) } };
  }

  /** Includes the path of the page above the reference, because links within the reference start with it. */
  #reference(): Answer<unknown> {
    const { page, stateOf } = this.#context;
    const { reference, space, path } = page;
    const base = reference && space.pageOfKey(reference.base)?.path;
    return { value: reference && { reference, path, base, state: stateOf(reference.file.file) } };
  }

  #fileAt(url: string): Answer<{ target: FileTarget; state: unknown }> {
    const { site, addresses, stateOf } = this.#context;
    const found = site.links.file(url, this.#start());
    if (found.kind === 'missing') return { value: undefined, reason: found.reason };
    // Pages are not files, even if SUMMARY.md does not list them.
    if (found.kind !== 'file' || site.spaceOf(found.file)?.isPageFile(found.file)) return { value: undefined };
    const stat = site.disk.stat(found.file);
    if (!stat) return { value: undefined };
    const name = found.file.slice(found.file.lastIndexOf('/') + 1);
    const contentType = contentTypeOf(name, noBytes);
    const target = { href: addresses.file(found.file), name, contentType, size: stat.size };
    // The state makes the answer change with the content.
    return { value: { target, state: stateOf(found.file) } };
  }

  #included(path: string): Answer<{ file: string; markdown: string }> {
    const { site } = this.#context;
    const target = site.links.file(path, this.#start());
    if (target.kind === 'missing') return { value: undefined, reason: target.reason };
    if (target.kind !== 'file' || !isMarkdown(target.file)) return { value: undefined };
    const markdown = site.disk.text(target.file);
    return { value: markdown === undefined ? undefined : { file: target.file, markdown } };
  }

  #link(url: string): Answer<{ link: LinkTarget; anchor?: { page: FolderPage; anchor: string } }> {
    const { site, page: from, addresses } = this.#context;
    const target = site.links.resolve(url, this.#start());
    switch (target.kind) {
      case 'external':
        return { value: { link: { href: target.url, isExternal: true } } };
      case 'file':
        return {
          value: {
            link: { href: addresses.file(target.file), title: target.file.slice(target.file.lastIndexOf('/') + 1) },
          },
        };
      case 'page': {
        const { page, anchor } = target;
        const { title, description, icon, emoji } = page;
        const link = { href: addresses.page(page, anchor), title, ...withoutUndefined({ description, icon, emoji }) };
        // The renderer checks `#heading` itself.
        const isOwn = page.file === from.file && url.startsWith('#');
        return { value: anchor === '' || isOwn ? { link } : { link, anchor: { page, anchor } } };
      }
      case 'missing':
        return { value: undefined, reason: target.reason };
    }
  }

  /** Looks the page up each time, because the pages may have been read again. */
  #start(): LinkStart {
    const { site, page } = this.#context;
    const space = (page.file === null ? undefined : site.spaceOf(page.file)) ?? page.space;
    return { file: this.#file, space, page: space.pageOfKey(page.key) };
  }

  /** Asks and records the answer, so that later renderings can compare it. */
  #remember<T>(kind: Question['kind'], subject: string, ask: (subject: string) => Answer<T>): Answer<T> {
    const { questions } = this.#context.answers;
    const question = { kind, file: this.#file, subject };
    try {
      const answer = ask(subject);
      questions.push({ ...question, answer: fingerprint(answer) });
      return answer;
    } catch (error) {
      questions.push({ ...question, answer: String(error) });
      throw error;
    }
  }
}

export const anchorKey = (file: string, url: string): string => `${file} ${url}`;

const noBytes = new Uint8Array();

function fingerprint(answer: Answer<unknown>): string {
  const text = JSON.stringify(answer, withoutStates);
  return text.length <= maxKeptAnswer ? text : createHash('sha256').update(text).digest('base64url');
}

/** A replacer for JSON. It omits spaces, which refer to all other pages, and times, which change without the content. */
export const withoutStates = (key: string, value: unknown): unknown =>
  key === 'space' || key === 'changedMs' ? undefined : value;

/** Longer answers are replaced by a hash. */
const maxKeptAnswer = 60;
