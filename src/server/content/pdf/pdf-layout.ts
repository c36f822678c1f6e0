import { getFrom } from '../../../shared/get-from.ts';
import { rewriteLinks } from '../../../content/markdown/markdown.ts';
import { type PdfPage, renderPdf } from '../../../content/pdf/pdf.ts';
import { type LinkedContent, LocalLinks } from '../links/local-links.ts';
import { isSound } from './pictures.ts';
import { pathAddress } from '../../sites/published-text.ts';

/** The pages of a PDF, with what their links can lead to. */
export interface PdfInput {
  pages: PdfPage[];
  content: LinkedContent;
  title: string;
  date: Date;
  /** Address of the content in the application. */
  app: string;
  /** Address of the instance, where its files are. */
  base: string;
  /** Bytes of the files that `imagesOf` names. */
  images: ReadonlyMap<string, Uint8Array>;
}

/** Ids of the files that the pages show. */
export function imagesOf({ pages, content }: Pick<PdfInput, 'pages' | 'content'>): string[] {
  const links = new LocalLinks(content);
  const files = new Set<string>();
  for (const { id, markdown } of pages) {
    if (!/!\[|<img\b/i.test(markdown)) continue;
    rewriteLinks(markdown, (url, kind) => {
      const target = kind === 'image' ? links.resolve(url, id) : undefined;
      if (target?.kind === 'file') files.add(target.file);
      return url;
    });
  }
  return [...files];
}

export async function layOutPdf({ pages, content, title, date, app, base, images }: PdfInput): Promise<Uint8Array> {
  const links = new LocalLinks(content);
  const paths = new Map(content.pages.map(({ id, path }) => [id, path]));
  const ids = new Set(pages.map((page) => page.id));
  return renderPdf(pages, {
    title,
    date,
    resolve(url, page) {
      const target = links.resolve(url, page);
      if (target.kind === 'anchor') return { page, anchor: target.anchor };
      return target.kind === 'page' && ids.has(target.page) ? target : undefined;
    },
    address(url, page) {
      const target = links.resolve(url, page);
      if (target.kind === 'external') return url;
      if (target.kind === 'page') return pathAddress(`${app}/`, getFrom(paths, target.page));
      return target.kind === 'file' ? `${base}/files/${target.file}` : undefined;
    },
    image(url, page) {
      const target = links.resolve(url, page);
      const bytes = target.kind === 'file' ? images.get(target.file) : undefined;
      return bytes && isSound(bytes) ? bytes : undefined;
    },
  });
}
