import { objects } from '../../contract/objects.ts';
import type { Command } from '../../cli/command/command.ts';

/** The path parameter of an object, by its words. */
const params: ReadonlyMap<string, string> = new Map(
  Object.entries(objects).flatMap(([param, kind]) =>
    'open' in kind ? kind.open.words.map((word) => [word, param]) : [],
  ),
);
const resources = Object.values(objects).flatMap((kind) => ('open' in kind ? [kind.open.words[0]] : []));

const command: Command = {
  use: 'open <resource> [id]',
  help: {
    summary: 'Open an object in the browser.',
    description:
      'Shows it in the application, or with --published as its readers see it. The resource is org, space, site, collection, cr, page or openapi. Without an id, the organization, space or site of the context. Where no browser can be started, as on a machine without a display, the address is told with status 1; --print prints it in any case.',
    examples: [
      { run: 'docsctl open space handbook0001 --print', does: 'Where a space is' },
      { run: 'docsctl open site lumensite001 --published --print', does: 'Where its readers find a site' },
      { run: 'docsctl open cr 1 --space handbook0001 --print', does: 'Where a change request is' },
    ],
    exitStatuses: { 1: 'no browser could be started', 5: 'there is no such object, or it is not published' },
    seeAlso: ['sites view', 'spaces view', 'cr view'],
  },
  input: {
    flags: [
      { flags: '--published', description: 'as readers see it, where it is published' },
      { flags: '--print', description: 'print the address instead of opening it' },
      { flags: '--cr <change-request>', description: 'a page of this change request (id or number)' },
    ],
    context: ['org', 'space', 'site'],
    suggestions: { resource: () => resources },
    objects: { id: ([resource]) => params.get(resource ?? '') },
  },
  output: {
    columns: [{ key: 'url', title: 'Address' }],
    idKey: 'url',
  },
  run: async (invocation) => (await import('./browser.ts')).openObject(invocation),
};
export default command;
