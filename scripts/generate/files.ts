import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { agentsPage } from './agents.ts';
import { errorsPage } from './errors.ts';
import { openapiChanges } from './openapi-changes.ts';
import { manPages } from './man.ts';
import { markdownPages } from './markdown.ts';
import { organizationCoverage } from './organization-coverage.ts';
import { describeCommands } from './reference.ts';
import { summaryWith } from './summary.ts';
import { templateUnit } from './unit.ts';

export interface Generated {
  /** All files that are generated and committed: path from the root, and text. */
  committed: Map<string, string>;
  /** Manual pages by file name: written when the package is packed, and not committed. */
  man: Map<string, string>;
}

/** Folders that contain only generated files, all of them committed. */
export const generatedFolders = ['docs/commands'];

export async function generate(): Promise<Generated> {
  const reference = await describeCommands();
  const pages = markdownPages(reference);
  return {
    committed: new Map([
      ['src/contract/all.ts', contractExports()] as const,
      ['docs/openapi-changes.md', openapiChanges()] as const,
      ['docs/errors.md', errorsPage()] as const,
      ['docs/agents.md', agentsPage(reference)] as const,
      ['examples/deployment/docsctl@.service', templateUnit()] as const,
      ['docs/organization-coverage.md', organizationCoverage()] as const,
      ['docs/SUMMARY.md', await summaryWith(pages.keys())] as const,
      ...[...pages].map(([name, text]) => [`docs/commands/${name}`, text] as const),
    ]),
    man: manPages(reference),
  };
}

/** `man` of package.json: npm links these pages where the package is installed globally. */
export const manList = ({ man }: Generated): string[] => [...man.keys()].map((name) => `man/${name}.gz`).toSorted();

/** `src/contract/all.ts`: an export of each group of `src/contract/groups.ts`, from the file that the group loads. */
function contractExports(): string {
  const table = readFileSync(join(import.meta.dirname, '../../src/contract/groups.ts'), 'utf8');
  const namesByFile = Map.groupBy(table.matchAll(/^  (\w+): \{[^]*?import\('(.*?)'\)/gm), ([, , file]) => file!);
  const lines = [...namesByFile].map(
    ([file, groups]) =>
      `export { ${groups
        .map(([, name]) => name!)
        .toSorted()
        .join(', ')} } from '${file}';`,
  );
  return `/** Every group of endpoints, for programs: commands and requests load the one they need. Generated. */\n${lines.join('\n')}\n`;
}
