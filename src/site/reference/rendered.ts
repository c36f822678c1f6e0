import type { RenderedPage } from '../../content/html/page-source.ts';
import type { DrawnPage } from './index.ts';

/** A page of a reference as a text of a site. @param spec the name of its specification */
export function renderedReference({ html, headings, sections: read }: DrawnPage, spec: string): RenderedPage {
  const sections = read();
  const linesOf = ({ heading, text }: (typeof sections)[number]) => [heading?.text, text].filter(Boolean).join('\n');
  return {
    html,
    headings,
    sections,
    text: sections.map(linesOf).join('\n'),
    problems: [],
    uses: { links: [], files: [], includes: [], variables: [], specs: [spec] },
    hasMermaid: false,
  };
}
