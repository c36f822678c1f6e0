import type { Node } from '../../cli/command/command.ts';
import { command } from '../../cli/command/define.ts';
import { exit } from '../../cli/program/failure.ts';
import { findingColumns, findingFlags } from '../../cli/report/report.ts';
import { noCi } from '../shared/flags.ts';

const file = { flags: '--file <file>', description: 'file of the snapshot (default urls.json)' } as const;

const allSpaces = {
  flags: '--all-spaces',
  description: 'read the published sites of the organization instead of folders',
};

const nodes: Node[] = [
  command({
    use: 'snapshot [folder...]',
    changes: ['files'],
    prints: 'nothing',
    summary: 'Write every published address into a file.',
    description:
      'Writes the address, the file and the anchors of every page, and the addresses that are redirected. Commit the file: "urls check" compares with it. Addresses in it that have disappeared since stay in it, unless --forget. Without a folder, reads everything under "content:" in .docsctl.yaml. Only --all-spaces needs an account.',
    examples: {
      'Write urls.json': 'docsctl urls snapshot ./docs',
      'Write another file': 'docsctl urls snapshot ./docs --file published.json',
      'Write the addresses of all published sites': 'docsctl urls snapshot --all-spaces',
    },
    exitStatuses: { [exit.usage]: 'a folder cannot be read, or the file cannot be written' },
    docs: 'docs/links.md',
    seeAlso: ['urls check', 'links check'],
    flags: [file, allSpaces, { flags: '--forget', description: 'drop lost addresses and the sites of other folders' }],
    input: { context: ['org', 'site'] },
    run: async (invocation) => (await import('./run.ts')).writeSnapshotOf(invocation),
  }),
  command({
    use: 'check [folder...]',
    changes: ['files'],
    prints: async () => (await import('../shared/printed.ts')).linkFindings,
    summary: 'Check that no published address has disappeared.',
    description:
      'Compares the pages and redirects of folders, or of all published sites, with a snapshot. An address with neither is an error, with the redirect that it needs. --cr compares a change request with the content that it started from. --fix writes the redirects of pages that were renamed or moved according to Git into .gitbook.yaml, and removes redirects that hide a page. The API has no redirects: import those of a site with --redirects.',
    examples: {
      'Check a folder': 'docsctl urls check ./docs',
      'Write the missing redirects for an import': 'docsctl urls check ./docs --redirects redirects.csv --fail-on none',
      'Check a change request': 'docsctl urls check --cr 1 --space handbook0001 --fail-on none',
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
      allSpaces,
      { flags: '--cr <request>', description: 'check this change request of --space (ID or number)' },
      { flags: '--fix', description: 'write the certain redirects into .gitbook.yaml' },
      { flags: '--known <file>', description: 'CSV file with the redirects that the published sites have' },
      { flags: '--redirects <file>', description: 'write the certain redirects as CSV with source,destination' },
      ...findingFlags,
      { flags: '--ignore <file>', description: 'skip the findings that this file accepts' },
      noCi,
    ],
    input: { context: ['org', 'space', 'site'] },
    output: { columns: findingColumns },
    run: async (invocation) => (await import('./run.ts')).checkAddressesOf(invocation),
  }),
];

export default nodes;
