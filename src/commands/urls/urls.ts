import type { Node } from '../../cli/command/command.ts';
import { command } from '../../cli/command/define.ts';
import { exit } from '../../cli/program/failure.ts';
import { findingColumns, findingFlags } from '../../cli/report/report.ts';
import { noCi } from '../shared/flags.ts';

const file = { flags: '--file <file>', description: 'file of the snapshot (default urls.json)' } as const;

const nodes: Node[] = [
  command({
    use: 'snapshot [folder...]',
    summary: 'Write every published address into a file.',
    description:
      'Writes the address, the file and the anchors of every page, and the addresses that are redirected. Commit the file: "urls check" compares with it. Addresses in it that have disappeared since stay in it, unless --forget. Without a folder, reads everything under "content:" in .docsctl.yaml. Needs no account.',
    examples: {
      'Write urls.json': 'docsctl urls snapshot ./docs',
      'Write another file': 'docsctl urls snapshot ./docs --file published.json',
    },
    exitStatuses: { [exit.usage]: 'a folder cannot be read, or the file cannot be written' },
    docs: 'docs/links.md',
    seeAlso: ['urls check', 'links check'],
    flags: [file, { flags: '--forget', description: 'drop lost addresses and the sites of other folders' }],
    run: async (invocation) => (await import('./run.ts')).writeSnapshotOf(invocation),
  }),
  command({
    use: 'check [folder...]',
    summary: 'Check that no published address has disappeared.',
    description:
      'Compares the pages and redirects of folders with a snapshot. An address with neither is an error, with the redirect that it needs. --fix writes the redirects of pages that were renamed or moved according to Git into .gitbook.yaml, and removes redirects that hide a page.',
    examples: {
      'Check a folder': 'docsctl urls check ./docs',
      'Write the missing redirects for an import': 'docsctl urls check ./docs --redirects redirects.csv --fail-on none',
    },
    exitStatuses: {
      [exit.usage]: 'there is no snapshot, or a folder cannot be read',
      [exit.someFailed]: 'some redirects could not be written',
      [exit.checkFailed]: 'lost addresses, or warnings with --fail-on warning',
    },
    docs: 'docs/links.md',
    seeAlso: ['urls snapshot', 'links check'],
    flags: [
      file,
      { flags: '--fix', description: 'write the certain redirects into .gitbook.yaml' },
      { flags: '--redirects <file>', description: 'write the certain redirects as CSV with source,destination' },
      ...findingFlags,
      { flags: '--ignore <file>', description: 'skip the findings that this file accepts' },
      noCi,
    ],
    output: { columns: findingColumns },
    run: async (invocation) => (await import('./run.ts')).checkAddressesOf(invocation),
  }),
];

export default nodes;
