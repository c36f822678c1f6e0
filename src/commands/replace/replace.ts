import { command } from '../../cli/command/define.ts';
import { exit } from '../../cli/program/failure.ts';

export default command({
  use: 'replace [old] [new] [folder...]',
  changes: ['service', 'files'],
  prints: async () => (await import('../shared/printed.ts')).replaced,
  summary: 'Replace words in many pages.',
  description:
    'Replaces in the Markdown files of folders or, with --all-spaces, in one change request for each space. Prints every place with its line before and after. Only the text of pages is changed: --code, --link, --title and --property choose other places instead. After an interruption, the same command continues. --undo undoes it in folders; "docsctl undo" archives the change requests.',
  examples: {
    'See what would be replaced in all spaces': 'docsctl replace pump "heat pump" --all-spaces --dry-run',
    'Replace the address of a website in links':
      'docsctl replace http://old.example https://new.example ./docs --link --dry-run',
    'Use a regular expression': "docsctl replace 'v(\\d+)' 'version $1' --regex --all-spaces --dry-run",
  },
  exitStatuses: {
    [exit.usage]: 'a folder or the file of --from cannot be read, or the expression is not valid',
    [exit.someFailed]: 'some pages with matches were not changed',
  },
  docs: 'docs/replace.md',
  seeAlso: ['links check', 'cr merge', 'undo'],
  flags: [
    { flags: '--all-spaces', description: 'replace in the spaces of the organization instead of folders' },
    { flags: '--regex', description: 'OLD is a regular expression, and NEW can have $1 and $<name>' },
    { flags: '--from <file>', description: 'replace many words: a CSV file with the columns old and new' },
    { flags: '--text', description: 'with the following flags: also replace in text' },
    { flags: '--code', description: 'replace in code' },
    { flags: '--link', description: 'replace in addresses of links and images' },
    { flags: '--title', description: 'replace in titles of pages' },
    { flags: '--property', description: 'replace in descriptions, and in other front matter of files' },
    { flags: '--undo', description: 'undo the last replacement in the folders' },
    { flags: '--subject <text>', description: 'subject of the change requests' },
  ],
  input: {
    context: ['org'],
    texts: { old: 'words to replace', new: 'words instead', folder: 'folder of Markdown' },
  },
  output: {
    columns: [{ key: 'where' }, { key: 'place', kind: 'state' }, { key: 'before' }, { key: 'after' }],
  },
  rehearsedWith: ['allSpaces'],
  run: async (invocation) => (await import('./run-replace.ts')).runReplace(invocation),
});
