import { announce, element, sign, textOf } from './texts.ts';

/** A button at each code block, and the one that copies the page as Markdown. */
export function startCopy(): void {
  for (const pre of document.querySelectorAll<HTMLPreElement>('.text pre')) addButton(pre);
  for (const button of document.querySelectorAll<HTMLButtonElement>('.copy-page')) {
    button.addEventListener('click', async () => {
      const answer = await fetch(button.dataset.href ?? '');
      if (answer.ok) await copy(await answer.text(), button);
    });
  }
}

function addButton(pre: HTMLPreElement): void {
  // A block that scrolls must be reachable with the keyboard.
  if (pre.scrollWidth > pre.clientWidth) pre.tabIndex = 0;
  let block = pre.closest('.code');
  if (!block) {
    block = element('div', { class: 'code' });
    pre.replaceWith(block);
    block.append(pre);
  }
  const button = element(
    'button',
    { type: 'button', class: 'copy-code', 'aria-label': textOf('copy'), title: textOf('copy') },
    [sign('copy')],
  );
  button.addEventListener(
    'click',
    () => void copy((pre.querySelector('code') ?? pre).innerText.replace(/\n$/, ''), button),
  );
  block.append(button);
}

async function copy(text: string, button: HTMLButtonElement): Promise<void> {
  await navigator.clipboard.writeText(text);
  const mark = button.querySelector('.sign');
  const before = mark?.className ?? '';
  if (mark) mark.className = 'sign sign-check';
  button.classList.add('done');
  announce(textOf('copied'));
  setTimeout(() => {
    if (mark) mark.className = before;
    button.classList.remove('done');
  }, 2000);
}
