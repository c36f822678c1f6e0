import { type Command, isBranch, nameOf, type Node } from '../../src/cli/command/command.ts';
import { entries } from '../../src/commands/index.ts';

export interface Leaf {
  /** Such as `teams members list`. */
  path: string;
  command: Command;
}

/** Every command of the tree, but for hidden ones. */
export async function commandsOfTree(): Promise<Leaf[]> {
  const leaves: Leaf[] = [];
  const walk = (nodes: readonly Node[], above: string) => {
    for (const node of nodes) {
      const path = `${above} ${nameOf(node)}`.trim();
      if (isBranch(node)) walk(node.children, path);
      else if (!node.hidden) {
        leaves.push({ path, command: node });
        walk(node.subcommands ?? [], path);
      }
    }
  };
  for (const entry of entries) {
    if (entry.hidden) continue;
    const { default: loaded } = await entry.load();
    if (Array.isArray(loaded)) walk(loaded, entry.name);
    else walk([loaded], '');
  }
  return leaves;
}

/** The words of a line as a shell splits them; undefined where a shell would do more, such as expand a variable. */
export function wordsOf(line: string): string[] | undefined {
  const words: string[] = [];
  let rest = line.trim();
  while (rest !== '') {
    const match =
      /^(?:[^\s'"$`\\|&;<>(){}*?~#=]|=|\{\w+\})*(?:(?:'[^']*'|"[^"$`\\]*")(?:[^\s'"$`\\|&;<>()*?~#])*)*/.exec(rest)!;
    const [word] = match;
    const next = rest.slice(word.length);
    if (word === '' || (next !== '' && !/^\s/.test(next))) return undefined;
    words.push(word.replace(/'([^']*)'|"([^"]*)"/g, (_, single, double) => single ?? double));
    rest = next.trimStart();
  }
  return words;
}
