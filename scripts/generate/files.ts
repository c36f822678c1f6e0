import { completionFiles, completionScripts } from '../../src/describe/completions.ts';
import { manPages } from './man.ts';
import { markdownPages } from './markdown.ts';
import { describeCommands } from './reference.ts';

export interface Generated {
  /** Everything that is generated and committed: its path from the root, and its text. */
  committed: Map<string, string>;
  /** Manual pages by file name: written when the package is packed, and not committed. */
  man: Map<string, string>;
}

/** Folders that hold generated files and nothing else, all committed. */
export const generatedFolders = ['completions', 'docs/commands'];

export async function generate(): Promise<Generated> {
  const reference = await describeCommands();
  const shells = Object.keys(completionFiles) as (keyof typeof completionFiles)[];
  return {
    committed: new Map([
      ...shells.map((shell) => [`completions/${completionFiles[shell]}`, completionScripts[shell]] as const),
      ...[...markdownPages(reference)].map(([name, text]) => [`docs/commands/${name}`, text] as const),
    ]),
    man: manPages(reference),
  };
}

/** `man` of package.json: npm links these pages, one by one, where the package is installed for the whole machine. */
export const manList = ({ man }: Generated): string[] => [...man.keys()].map((name) => `man/${name}`).toSorted();
