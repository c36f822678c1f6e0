import { command } from '../../cli/command/define.ts';
import { exit } from '../../cli/program/exit-status.ts';
import { noCi } from '../shared/no-ci.ts';

export const exportCommand = command({
  use: 'export [source]',
  help: {
    summary: 'Write a site, or a folder of Markdown, as static files that any web server can serve.',
    description: `The source is a folder, or the id or name of a site; without one and without --site, it is the folder that .docsctl.yaml names under "content:".

A folder needs no account and no service: it is read as "preview" reads it. A site is read from the service of the profile, with all its sections and variants, and its customization. Everything is exported, also what only some visitors may see: files have no gates. A warning counts what loses its protection. What adapts to visitors is as strangers see it.

The files link to each other by relative addresses, so they work below any path; search works in the browser without a server; for reading, index.html can be opened as a file. Beside the pages there are each page as .md, search index, 404.html, robots.txt, llms.txt, llms-full.txt, _headers, and for redirects _redirects with a small page for each. sitemap.xml, feeds of updates and whole addresses need --base-url; so does 404.html where the site is below a path of its host.

What is the same as in the last export is not written again; files that it made and that are no more are removed; others in the folder are never touched. Everything is written beside the last export first: whoever is interrupted still has that.

What is wrong in pages is printed as "content check" prints it. With --check, each link, anchor and file of the export is followed as well, and an error ends the command with status 9; the files are there even so.`,
    examples: [
      { run: 'docsctl sites export ./docs --out public --check', does: 'A folder' },
      {
        run: 'docsctl sites export lumensite001 --out public --base-url https://docs.example.com',
        does: 'A site of the service',
      },
    ],
    exitStatuses: {
      [exit.usage]: 'the folder cannot be read, or --out holds files that no export made',
      [exit.notFound]: 'there is no such site',
      [exit.checkFailed]: '--check found errors',
    },
    seeAlso: ['preview', 'content check', 'sites publish'],
  },
  input: {
    flags: [
      { flags: '--out <folder>', description: 'where the files go (needed)' },
      { flags: '--base-url <url>', description: 'where the files will be served: for addresses that must be whole' },
      { flags: '--check', description: 'follow every link of the export; status 9 where one leads nowhere' },
      {
        flags: '--overwrite',
        description: 'also into a folder with other files; those of the same names are replaced',
      },
      noCi,
    ],
    context: ['org', 'site'],
    files: ['source'],
    texts: { source: 'a folder, or the id or name of a site' },
  },
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
