import { command } from '../../cli/command/define.ts';
import { objects } from '../../contract/objects.ts';

/** The path parameter of an object, by the words for it. */
const params: ReadonlyMap<string, string> = new Map(
  Object.entries(objects).flatMap(([param, kind]) =>
    'open' in kind ? kind.open.words.map((word) => [word, param]) : [],
  ),
);
const resources = Object.values(objects).flatMap((kind) => ('open' in kind ? [kind.open.words[0]] : []));

const open = command({
  use: 'open [resource] [id]',
  changes: [],
  prints: async () => (await import('../shared/printed-local.ts')).address,
  summary: 'Open an object in the browser.',
  description:
    'Opens it in the app or, with --published, as readers see it. On an instance of docsctl, a link that works once signs the browser in. The resource is org, space, site, collection, cr, page or openapi. Without an ID, opens the current organization, space or site; without a resource, the organization. If no browser can be started, the error contains the address; --print only prints it.',
  examples: {
    'Print the address of a space': 'docsctl open space handbook0001 --print',
    'Print the published address of a site': 'docsctl open site lumensite001 --published --print',
    'Print the address of a change request': 'docsctl open cr 1 --space handbook0001 --print',
  },
  exitStatuses: { 1: 'no browser could be started', 5: 'no such object, or it is not published' },
  docs: 'docs/application.md',
  seeAlso: ['sites view', 'spaces view', 'cr view'],
  flags: [
    { flags: '--published', description: 'open the published version' },
    { flags: '--print', description: 'print the address instead of opening it' },
    { flags: '--cr <change-request>', description: 'page of this change request (ID or number)' },
  ],
  input: {
    context: ['org', 'space', 'site'],
    suggestions: { resource: () => resources },
    objects: { id: ([resource]) => params.get(resource ?? '') },
  },
  output: { columns: [{ key: 'url', title: 'Address' }], idKey: 'url' },
  run: async (invocation) => (await import('./open-object.ts')).openObject(invocation),
});
export default open;
