import { command } from '../../cli/command/define.ts';
import { exit } from '../../cli/program/exit-status.ts';
import { defaultPort } from '../shared/default-port.ts';

const preview = command({
  use: 'preview [source]',
  help: {
    summary:
      'Show a folder of Markdown, an OpenAPI description, a space or a site in the browser, as its readers will see it.',
    description: `The source is a folder, the file or address of an OpenAPI description, or the id or name of a space; without one, it is the folder that .docsctl.yaml names under "content:", else the working directory.

A folder needs no account and no service. It is read as "content push" reads it: SUMMARY.md, front matter, .gitbook.yaml, .gitbook/includes, .gitbook/vars.yaml; with a docs.yaml, its sections and variants are shown too. A page that is saved is shown at once, with everything else that shows a part of it. What is wrong is printed with file and line, and shown in the page.

A description is shown as its API reference; while its files change, the pages do too. With --try-it, each operation has a form that sends it from the browser to the servers that the description names, and what is typed is not stored.

A space is read from the service of the profile. With --cr it is that of a change request: pages that it adds, changes and deletes are marked, and a page that was changed can be compared with main content side by side. With --site, the space is shown with the sections, variants and customization of the site; without a source, its first space.

Only browsers on this machine can open it. It runs until it is interrupted; the exit status is then 0. With --json the result is one line: {"url"}.`,
    examples: [
      { run: 'docsctl preview ./docs --open', does: 'A folder, in the browser' },
      { run: 'docsctl preview petstore.yaml --port 0', does: 'The reference of an API' },
      { run: 'docsctl preview handbook0001 --cr 1', does: 'What a change request changes' },
      { run: 'docsctl preview --site lumensite001 --port 0', does: 'A site, on any free port' },
    ],
    exitStatuses: {
      [exit.failed]: 'the port is in use',
      [exit.usage]: 'the folder or description cannot be read, or its settings name a folder outside of it',
      [exit.notFound]: 'there is no such space, change request or site',
    },
    seeAlso: ['content check', 'content push', 'serve', 'open'],
  },
  input: {
    flags: [
      { flags: '--cr <request>', description: 'a change request of the space, by id or number' },
      { flags: '--port <port>', description: 'port to listen on; 0 picks a free one', default: defaultPort },
      { flags: '--try-it', description: 'let readers of a description send its requests' },
      { flags: '--open', description: 'open it in the browser' },
    ],
    context: ['org', 'space', 'site'],
    files: ['source'],
    texts: { source: 'a folder, an OpenAPI description, or the id or name of a space' },
  },
  endsQuietly: true,
  run: async (invocation) => (await import('./run-preview.ts')).runPreview(invocation),
});
export default preview;
