import { announce, element, sign, textOf } from './texts.ts';

/** A button at each code block, those that show long ones whole, and the one that copies the page as Markdown. */
export function startCopy(): void {
  for (const pre of document.querySelectorAll<HTMLPreElement>('.text pre')) addButton(pre);
  for (const block of document.querySelectorAll<HTMLElement>('.text .code-expandable')) makeExpandable(block);
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

/** As high as `.code-closed` makes a block, and a few lines more: for so few, no button is needed. */
const closedHeight = 360;

function makeExpandable(block: HTMLElement): void {
  if (block.clientHeight <= closedHeight) return;
  const button = element('button', { type: 'button', class: 'show-lines' });
  const show = (isClosed: boolean) => {
    block.classList.toggle('code-closed', isClosed);
    button.setAttribute('aria-expanded', String(!isClosed));
    button.textContent = textOf(isClosed ? 'showAllLines' : 'showFewerLines');
  };
  button.addEventListener('click', () => show(!block.classList.contains('code-closed')));
  show(true);
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
