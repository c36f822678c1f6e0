import { command } from '../../cli/command/define.ts';
import { exit } from '../../cli/program/failure.ts';
import { noCi } from '../shared/flags.ts';

export const exportCommand = command({
  use: 'export [source]',
  changes: ['files'],
  prints: async () => (await import('../shared/printed.ts')).exportedSite,
  summary: 'Export a site or a folder of Markdown as static files.',
  description:
    'Writes a folder, which needs no account, or a site of the service with all sections, variants and customization. Without a source, exports the folder in .docsctl.yaml. The files work under any path of any web server. Files cannot restrict access: everything is exported, with warnings. Later exports write only what changed and delete stale files. Problems are printed as with "content check".',
  examples: {
    'Export a folder and check its links': 'docsctl sites export ./docs --out public --check',
    'Export a site of the service':
      'docsctl sites export lumensite001 --out public --base-url https://docs.example.com',
  },
  exitStatuses: {
    [exit.usage]: 'the folder cannot be read, or --out contains files from elsewhere',
    [exit.notFound]: 'no such site',
    [exit.checkFailed]: '--check found errors',
  },
  docs: 'docs/static-sites.md',
  seeAlso: ['preview', 'content check', 'sites publish'],
  flags: [
    { flags: '--out <folder>', description: 'output folder (required)' },
    { flags: '--base-url <url>', description: 'address where the files will be served, for absolute addresses' },
    {
      flags: '--system-fonts',
      description: "use fonts of the reader's system instead of loading Inter and JetBrains Mono",
    },
    { flags: '--check', description: 'check every link in the export; exit with status 9 if one is broken' },
    { flags: '--overwrite', description: 'export to a folder with other files, replacing those with the same names' },
    noCi,
  ],
  input: { context: ['org', 'site'], files: ['source'], texts: { source: 'folder, or ID or name of a site' } },
  output: {
    columns: [
      { key: 'out', title: 'Folder' },
      { key: 'pages', kind: 'number' },
      { key: 'written', kind: 'number' },
      { key: 'removed', kind: 'number' },
      { key: 'unchanged', kind: 'number' },
      { key: 'errors', kind: 'number' },
      { key: 'warnings', kind: 'number' },
    ],
  },
  run: async (invocation) => (await import('./export-site.ts')).exportSource(invocation),
});
