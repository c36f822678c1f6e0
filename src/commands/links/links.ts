import type { Node } from '../../cli/command/command.ts';
import { command } from '../../cli/command/define.ts';
import { exit } from '../../cli/program/failure.ts';
import { findingColumns, findingFlags } from '../../cli/report/report.ts';
import { noCi } from '../shared/flags.ts';

const nodes: Node[] = [
  command({
    use: 'check [folder...]',
    changes: ['service', 'files'],
    prints: async () => (await import('../shared/printed.ts')).linkFindings,
    summary: 'Check the links between all pages and spaces.',
    description:
      'Resolves every link, image, include and heading anchor in Markdown, HTML and SUMMARY.md, also links to pages of other folders by their address in the app. Each finding has the file, the line and, where there is one, the new address. --fix writes those that are certain: renames in Git, and anchors that differ only in spelling; with --all-spaces, in one change request for each space. Without a folder, checks everything under "content:" in .docsctl.yaml. Only --all-spaces needs an account.',
    examples: {
      'Check a folder': 'docsctl links check ./docs',
      'See what --fix would change': 'docsctl links check ./docs --fix --dry-run --fail-on none',
      'Check all spaces of the organization': 'docsctl links check --all-spaces --fail-on none',
      'Write a report for code scanning': 'docsctl links check ./docs --format sarif --fail-on none',
    },
    exitStatuses: {
      [exit.usage]: 'a folder, the --ignore file or the --baseline file cannot be read',
      [exit.someFailed]: 'some fixes could not be written or sent',
      [exit.checkFailed]: 'broken links, or warnings with --fail-on warning',
    },
    docs: 'docs/links.md',
    seeAlso: ['content check', 'spaces links', 'content pages links'],
    flags: [
      { flags: '--all-spaces', description: 'check the spaces and sites of the organization instead of folders' },
      { flags: '--fix', description: 'write the certain fixes, and list the other findings' },
      { flags: '--subject <text>', description: 'subject of the change requests of --all-spaces --fix' },
      ...findingFlags,
      { flags: '--ignore <file>', description: 'skip the findings that this file accepts' },
      { flags: '--external', description: 'also check links to other websites' },
      noCi,
    ],
    input: { context: ['org'] },
    output: { columns: findingColumns },
    rehearsedWith: ['allSpaces', 'fix'],
    run: async (invocation) => (await import('./check.ts')).checkLinksOf(invocation),
  }),
];

export default nodes;
