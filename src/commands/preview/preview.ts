import { command } from '../../cli/command/define.ts';
import { exit } from '../../cli/program/failure.ts';
import { previewPort } from '../shared/listening.ts';

const preview = command({
  use: 'preview [source]',
  changes: [],
  prints: async () => (await import('../shared/printed-local.ts')).address,
  summary: 'Preview a folder, an OpenAPI description, a space or a site in the browser.',
  description:
    "Serves the source to browsers on this machine until you interrupt the command. Without a source, previews the folder in .docsctl.yaml, or else the working directory. Folders and descriptions need no account; pages update when files change, and problems are printed with file and line. A space is read from the service: --cr marks the changes of a change request, and --site adds the site's sections, variants and customization.",
  examples: {
    'Preview a folder and open the browser': 'docsctl preview ./docs --open',
    'Preview an API reference on a free port': 'docsctl preview petstore.yaml --port 0',
    'Show what a change request changes': 'docsctl preview handbook0001 --cr 1',
    'Preview a site on a free port': 'docsctl preview --site lumensite001 --port 0',
  },
  exitStatuses: {
    [exit.failed]: 'the port is in use',
    [exit.usage]: 'the folder or description cannot be read, or its settings name a folder outside it',
    [exit.notFound]: 'no such space, change request or site',
  },
  docs: 'docs/sites.md',
  seeAlso: ['content check', 'content push', 'serve', 'open'],
  flags: [
    { flags: '--cr <request>', description: 'change request of the space (ID or number)' },
    { flags: '--port <port>', description: 'port to listen on; 0 picks a free one', default: previewPort },
    { flags: '--try-it', description: 'let readers of a description send requests' },
    { flags: '--open', description: 'open the browser' },
  ],
  input: {
    context: ['org', 'space', 'site'],
    files: ['source'],
    texts: { source: 'folder, OpenAPI description, or ID or name of a space' },
  },
  endsQuietly: true,
  run: async (invocation) => (await import('./run-preview.ts')).runPreview(invocation),
});
export default preview;
