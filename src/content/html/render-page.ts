import type { RenderPage } from './page-source.ts';

/** HTML of a page's Markdown, with or without front matter, and what is to be known of it. */
export const renderPage: RenderPage = async () => {
  throw new Error('not written yet');
};
