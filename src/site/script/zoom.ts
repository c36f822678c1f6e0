import { element, sign, textOf } from './texts.ts';

/** Images that are shown smaller than they are open in full size. Those of one theme only, in links and in cards do not. */
export function startZoom(): void {
  for (const image of document.querySelectorAll<HTMLImageElement>('.text img')) {
    if (image.closest('a, button, .card, .diagram') || image.matches('.image-line, .image-light, .image-dark'))
      continue;
    const check = () => {
      if (image.naturalWidth > image.clientWidth * 1.15 && image.clientWidth > 0) makeZoomable(image);
    };
    if (image.complete) check();
    else image.addEventListener('load', check, { once: true });
  }
}

function makeZoomable(image: HTMLImageElement): void {
  const name = [textOf('enlarge'), image.alt].filter((part) => part !== '').join(': ');
  const button = element('button', { type: 'button', class: 'zoom', 'aria-label': name });
  image.replaceWith(button);
  button.append(image);
  button.addEventListener('click', () => show(image));
}

function show({ src, alt }: HTMLImageElement): void {
  const close = element('button', { type: 'button', class: 'icon-button zoom-close', 'aria-label': textOf('close') }, [
    sign('close'),
  ]);
  const large = element('img', { src, alt });
  const dialog = element('dialog', { class: 'zoom-dialog', 'aria-label': alt === '' ? textOf('enlarge') : alt }, [
    close,
    large,
  ]);
  dialog.addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
