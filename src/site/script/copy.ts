import { announce, element, sign, textOf } from './texts.ts';

/** Languages whose names are not that of their class with a capital letter. */
const languages: Record<string, string> = {
  bash: 'Shell',
  console: 'Shell',
  cpp: 'C++',
  cs: 'C#',
  csharp: 'C#',
  css: 'CSS',
  env: '.env',
  graphql: 'GraphQL',
  html: 'HTML',
  http: 'HTTP',
  ini: 'INI',
  javascript: 'JavaScript',
  js: 'JavaScript',
  json: 'JSON',
  jsx: 'JSX',
  md: 'Markdown',
  php: 'PHP',
  plaintext: '',
  powershell: 'PowerShell',
  py: 'Python',
  rb: 'Ruby',
  rs: 'Rust',
  sh: 'Shell',
  shell: 'Shell',
  sql: 'SQL',
  text: '',
  toml: 'TOML',
  ts: 'TypeScript',
  tsx: 'TSX',
  txt: '',
  typescript: 'TypeScript',
  xml: 'XML',
  yaml: 'YAML',
  yml: 'YAML',
  zsh: 'Shell',
};

const languageOf = (pre: HTMLElement): string => {
  const name = /(?:^| )language-(\S+)/.exec(pre.querySelector('code')?.className ?? '')?.[1] ?? '';
  return languages[name] ?? name.charAt(0).toUpperCase() + name.slice(1);
};

/** A button at each code block, those that show long ones whole, and the one that copies the page as Markdown. */
export function startCopy(): void {
  for (const pre of document.querySelectorAll<HTMLPreElement>('.text pre')) addButton(pre);
  for (const block of document.querySelectorAll<HTMLElement>('.text .code-expandable')) makeExpandable(block);
  for (const button of document.querySelectorAll<HTMLButtonElement>('.copy-page')) {
    // Browsers read no other files from there.
    if (location.protocol === 'file:') button.remove();
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
  const language = languageOf(pre);
  if (language !== '' && block instanceof HTMLElement) block.dataset.language = language;
  const button = element(
    'button',
    { type: 'button', class: 'copy-code', 'aria-label': textOf('copy'), title: textOf('copy') },
    [sign('copy')],
  );
  button.addEventListener(
    'click',
    () => void copy((pre.querySelector('code') ?? pre).textContent.replace(/\n$/, ''), button),
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

/** Browsers offer the clipboard only on secure pages; on others, an old command copies what is selected. */
async function write(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = element('textarea', { class: 'visually-hidden' });
    area.value = text;
    document.body.append(area);
    const before = document.activeElement;
    area.select();
    document.execCommand('copy');
    area.remove();
    if (before instanceof HTMLElement) before.focus();
  }
}

async function copy(text: string, button: HTMLButtonElement): Promise<void> {
  await write(text);
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
