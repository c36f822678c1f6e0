import type { Command } from '../cli/tree.ts';

/** What the id of each resource is called in a path. */
const params: Record<string, string> = {
  org: 'orgId',
  space: 'spaceId',
  site: 'siteId',
  collection: 'collectionId',
  cr: 'changeRequestId',
  page: 'pageId',
  openapi: 'specSlug',
};

const command: Command = {
  use: 'open <resource> [id]',
  summary: 'Open an object in the browser.',
  description:
    'Shows it in the application, or with --published as its readers see it. The resource is org, space, site, collection, cr, page or openapi. Without an id, the organization, space or site of the context. Where no browser can be started, as on a machine without a display, the address is told with status 1; --print prints it in any case.',
  flags: [
    { flags: '--published', description: 'as readers see it, where it is published' },
    { flags: '--print', description: 'print the address instead of opening it' },
    { flags: '--cr <change-request>', description: 'a page of this change request (id or number)' },
  ],
  context: ['org', 'space', 'site'],
  columns: [{ key: 'url', title: 'Address' }],
  idKey: 'url',
  words: { resource: () => Object.keys(params) },
  objects: { id: ([resource]) => params[resource ?? ''] },
  run: async (invocation) => (await import('./open-browser.ts')).openObject(invocation),
  examples: [
    { run: 'docsctl open space handbook0001 --print', does: 'Where a space is' },
    { run: 'docsctl open site lumensite001 --published --print', does: 'Where its readers find a site' },
    { run: 'docsctl open cr 1 --space handbook0001 --print', does: 'Where a change request is' },
  ],
  exits: { 1: 'no browser could be started', 5: 'there is no such object, or it is not published' },
  see: ['sites view', 'spaces view', 'cr view'],
};
export default command;
