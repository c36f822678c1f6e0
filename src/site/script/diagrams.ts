/** Shows the diagrams of a page as pictures, drawn in a frame. Their sources stay, for those who cannot see pictures. */

import type { DrawnDiagram } from './diagram-frame-types.ts';
import { element, textOf } from './texts.ts';

async function start(): Promise<void> {
  const figures = [...document.querySelectorAll<HTMLElement>('figure.diagram')];
  const [first] = figures;
  if (!first) return;
  const frame = await openFrame(first.clientWidth);
  const font = getComputedStyle(document.body).fontFamily;
  for (const figure of figures) await show(figure, frame, font);
  frame.remove();
}

/** Diagrams that fill the available width are drawn for this one. */
async function openFrame(width: number): Promise<HTMLIFrameElement> {
  const frame = element('iframe', {
    class: 'diagram-frame',
    src: new URL('frame.html', import.meta.url).href,
    title: textOf('diagram'),
    tabindex: '-1',
    'aria-hidden': 'true',
  });
  frame.style.width = `${width}px`;
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
  document.body.append(frame);
  await loaded;
  return frame;
}

async function show(figure: HTMLElement, frame: HTMLIFrameElement, font: string): Promise<void> {
  const source = figure.querySelector('pre');
  const text = source?.querySelector('code')?.textContent ?? '';
  const drawDiagram = frame.contentWindow?.drawDiagram;
  if (!source || !drawDiagram) return;
  try {
    const light = await drawDiagram({ source: text, isDark: false, font });
    const dark = await drawDiagram({ source: text, isDark: true, font });
    const details = element('details', { class: 'diagram-source' }, [
      element('summary', {}, [textOf('diagramSource')]),
      source.closest('.code') ?? source,
    ]);
    figure.replaceChildren(picture(light, 'image-light'), picture(dark, 'image-dark'), details);
    figure.classList.add('drawn');
  } catch (error) {
    const message = (error instanceof Error ? error.message : String(error)).replace(/^Error: /, '');
    figure.querySelector('figcaption')?.replaceChildren(textOf('diagramMistake', message));
    figure.classList.add('mistaken');
  }
}

function picture({ svg, width, height, text }: DrawnDiagram, name: string): HTMLImageElement {
  const made = element('img', {
    class: name,
    src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`,
    alt: text || textOf('diagram'),
  });
  if (width > 0 && height > 0) {
    made.width = Math.ceil(width);
    made.height = Math.ceil(height);
  }
  return made;
}

await start();
