import { tryDecode } from '../../shared/decode.ts';
import { escapeHtml } from '../../content/markdown/render-html.ts';
import { lookup } from '../../store/lookups.ts';
import { findOrganization, findSpace, findCollection } from '../../store/lookups.ts';
import type { Db } from '../../store/store.ts';
import type { Instance } from '../engine/instance.ts';
import type { InstanceRequest, InstanceResponse } from '../engine/request.ts';
import { nothingHere, webPage } from './web-page.ts';

/** What an address of the application names, and the command that shows it. */
interface Named {
  what: string;
  command: string[];
}

const siteOf = lookup('site', 'organization');
const specOf = lookup('openapi_spec', 'organization', 'slug');
const requestOf = lookup('change_request', 'space', 'number');

/**
 * Answers `/o/...`, the `urls.app` of all objects. The instance has no application: the page says what the address
 * names and how to see it. Nobody has signed in here, so it tells no more than the address itself does.
 */
export async function answerApp(instance: Instance, request: InstanceRequest): Promise<InstanceResponse | undefined> {
  const parts = request.path.split('/').slice(2).map(tryDecode);
  if (!parts.every((part) => part !== undefined)) return nothingHere(request);
  const named = await instance.store.read((db) => find(db, parts));
  if (!named) return nothingHere(request);
  return webPage({
    title: named.what,
    body: `<main><h1>${escapeHtml(named.what)}</h1>
<p>This local instance has no application. See it on the command line:</p>
<pre><code>${escapeHtml(['docsctl', ...named.command.map(quoted)].join(' '))}</code></pre></main>`,
  });
}

const quoted = (word: string) => (/^[\w./:=?&-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`);

async function find(db: Db, [org = '', kind, id = '', ...rest]: string[]): Promise<Named | undefined> {
  if (!(await findOrganization(db, org, ''))) return undefined;
  switch (kind) {
    case undefined:
      return { what: `Organization ${org}`, command: ['orgs', 'view', org] };
    case 's':
      return inSpace(db, org, id, rest);
    case 'c':
      if (rest.length > 0 || (await findCollection(db, id))?.organization !== org) return undefined;
      return { what: `Collection ${id}`, command: ['collections', 'view', id] };
    case 'sites':
      if (rest.length > 0 || !(await siteOf(db, org, id))) return undefined;
      return { what: `Docs site ${id}`, command: ['sites', 'view', id, '--org', org] };
    case 'openapi':
      if (rest.length > 0 || !(await specOf(db, org, id))) return undefined;
      return { what: `OpenAPI specification ${id}`, command: ['openapi', 'view', id, '--org', org] };
    default:
      return undefined;
  }
}

async function inSpace(db: Db, org: string, space: string, rest: string[]): Promise<Named | undefined> {
  const row = await findSpace(db, space);
  if (row?.organization !== org || row.deleted_at !== null) return undefined;
  const [kind, id = ''] = rest;
  if (kind === undefined) return { what: `Space ${space}`, command: ['spaces', 'view', space] };
  const within = `/v1/spaces/${space}`;
  if (kind === 'cr' && /^\d{1,15}$/.test(id)) {
    if (!(await requestOf(db, space, Number(id)))) return undefined;
    if (rest.length === 2) {
      return { what: `Change request #${id} of space ${space}`, command: ['cr', 'view', id, '--space', space] };
    }
    return page(`change request #${id} of space ${space}`, `${within}/change-requests/${id}`, rest.slice(2));
  }
  if (kind === 'r' && id !== '') {
    if (rest.length > 2)
      return page(`revision ${id} of space ${space}`, `${within}/revisions/${id}`, rest.slice(2), '');
    return { what: `Revision ${id} of space ${space}`, command: ['api', 'GET', `${within}/revisions/${id}`] };
  }
  return page(`space ${space}`, within, rest);
}

function page(where: string, prefix: string, path: string[], content = '/content'): Named {
  const address = `${prefix}${content}/path/${path.map(encodeURIComponent).join('/')}?format=markdown`;
  return { what: `Page ${path.join('/')} of ${where}`, command: ['api', 'GET', address] };
}
