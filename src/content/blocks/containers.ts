import type { PageProblems } from './problems.ts';

/** The hints of GitHub, Docusaurus, VitePress and Starlight, with the style that each has here. */
export const hintStyles: ReadonlyMap<string, string> = new Map([
  ['note', 'info'],
  ['info', 'info'],
  ['important', 'info'],
  ['tip', 'success'],
  ['success', 'success'],
  ['warning', 'warning'],
  ['caution', 'danger'],
  ['danger', 'danger'],
  ['error', 'danger'],
]);

/** The attributes of a hint that hold the title of its container, and whether it is one that readers open. */
export const containerTitle = 'container-title';
export const containerOpens = 'container-opens';

interface Container {
  line: number;
  style: string | undefined;
  title: string;
  /** Whether its content is hidden until readers open it, as in VitePress. */
  opens: boolean;
}

/** Calls back for each line outside of fenced code. */
export function eachTextLine(lines: readonly string[], onLine: (line: string, index: number) => void): void {
  let fence: string | undefined;
  for (const [index, line] of lines.entries()) {
    const text = line.trimStart();
    const run = /^(?:`{3,}|~{3,})/.exec(text)?.[0];
    if (fence === undefined && run === undefined) onLine(line, index);
    else if (fence === undefined) fence = run;
    else if (run?.startsWith(fence) && text.slice(run.length).trim() === '') fence = undefined;
  }
}

/** A text with `:::tip` containers as hints. Each line stays where it is. Others are added to the problems. */
export function hintsOfContainers(text: string, problems: PageProblems, firstLine = 1): string {
  if (!text.includes(':::')) return text;
  const lines = text.split('\n');
  const open: Container[] = [];
  const changed = new Map<number, string>();
  const report = ({ line }: Container) => {
    const message = `The container "${lines[line]?.trim()}" is shown as text. Write it as {% hint style="info" %} ... {% endhint %}.`;
    problems.add('other-markdown', { line: firstLine + line }, message);
  };
  eachTextLine(lines, (line, index) => {
    const start = line.trimStart();
    const colons = /^:{3,}/.exec(start)?.[0];
    if (colons === undefined) return;
    const rest = start.slice(colons.length).trim();
    if (rest !== '') {
      open.push(containerOf(rest, index));
      return;
    }
    const container = open.pop();
    if (!container) return;
    if (container.style === undefined) return report(container);
    const indent = (at: number) => /^\s*/.exec(lines[at] ?? '')?.[0] ?? '';
    changed.set(container.line, `${indent(container.line)}${tagOf(container)}`);
    changed.set(index, `${indent(index)}{% endhint %}`);
  });
  for (const container of open) report(container);
  return changed.size === 0 ? text : lines.map((line, index) => changed.get(index) ?? line).join('\n');
}

/** @param rest what follows the colons: `tip Title`, `tip[Title]` or `tip{title="Title"}` */
function containerOf(rest: string, line: number): Container {
  const [name = ''] = /^[a-z]\w*/i.exec(rest) ?? [];
  const after = rest.slice(name.length).trim();
  const title = after.startsWith('{')
    ? /\btitle="([^"]*)"/.exec(after)?.[1]
    : after.startsWith('[') && after.endsWith(']')
      ? after.slice(1, -1)
      : after;
  const opens = name.toLowerCase() === 'details';
  const style = opens ? 'info' : hintStyles.get(name.toLowerCase());
  return { line, style, title: title?.trim() || (opens ? 'Details' : ''), opens };
}

function tagOf({ style, title, opens }: Container): string {
  const text = title.replaceAll('\\', '').replaceAll('"', '\\"').replaceAll('%}', '');
  return `{% hint style="${style}"${text === '' ? '' : ` ${containerTitle}="${text}"`}${opens ? ` ${containerOpens}="true"` : ''} %}`;
}
