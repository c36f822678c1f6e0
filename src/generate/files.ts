import { completionFiles, completionScripts } from './completions.ts';
import { manPages } from './man.ts';
import { markdownPages } from './markdown.ts';
import { describeCommands } from './reference.ts';

/** Folders that hold generated files and nothing else. */
export const generatedFolders = ['completions', 'docs/commands', 'man'];

/** Everything that is generated and committed: its path from the root, and its text. */
export async function generatedFiles(): Promise<Map<string, string>> {
  const reference = await describeCommands();
  const shells = Object.keys(completionFiles) as (keyof typeof completionFiles)[];
  return new Map([
    ...shells.map((shell) => [`completions/${completionFiles[shell]}`, completionScripts[shell]] as const),
    ...[...markdownPages(reference)].map(([name, text]) => [`docs/commands/${name}`, text] as const),
    ...[...manPages(reference)].map(([name, text]) => [`man/${name}`, text] as const),
  ]);
}

/** `man` of package.json: npm links these pages, one by one, where the package is installed for the whole machine. */
export const manList = (files: ReadonlyMap<string, string>): string[] =>
  [...files.keys()].filter((path) => path.startsWith('man/')).toSorted();
