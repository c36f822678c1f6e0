/** Draws diagrams with the package `mermaid`, in a separate document whose policy allows the styles that measuring needs. */

import type { DiagramRequest, DrawnDiagram } from './diagram-frame-types.ts';

interface Mermaid {
  initialize(settings: object): void;
  render(id: string, source: string): Promise<{ svg: string }>;
}

// The bundler must not look for the package: it is beside this file when the page is served.
const address = new URL('package/mermaid.esm.min.mjs', import.meta.url).href;
const loading: Promise<{ default: Mermaid }> = import(address);
let drawn = 0;

async function drawDiagram({ source, isDark, font }: DiagramRequest): Promise<DrawnDiagram> {
  const { default: mermaid } = await loading;
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    suppressErrorRendering: true,
    theme: isDark ? 'dark' : 'default',
    fontFamily: font,
    themeVariables: { fontFamily: font },
  });
  drawn += 1;
  const { svg } = await mermaid.render(`diagram-${drawn}`, source);
  return standalone(svg);
}

/** A standalone picture: well-formed XML, with its size. */
function standalone(svg: string): DrawnDiagram {
  const holder = document.createElement('div');
  holder.innerHTML = svg;
  const picture = holder.querySelector('svg');
  if (!picture) throw new Error('Nothing was drawn.');
  const [, , width = 0, height = 0] = (picture.getAttribute('viewBox') ?? '').split(/[\s,]+/).map(Number);
  if (width > 0 && height > 0) {
    picture.setAttribute('width', String(width));
    picture.setAttribute('height', String(height));
  }
  const textOf = (name: string) => picture.querySelector(`:scope > ${name}`)?.textContent.trim() ?? '';
  return {
    svg: new XMLSerializer().serializeToString(picture),
    width,
    height,
    text: [textOf('title'), textOf('desc')].filter(Boolean).join('. '),
  };
}

window.drawDiagram = drawDiagram;
