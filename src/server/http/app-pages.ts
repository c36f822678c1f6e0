import { tryDecode } from '../../shared/decode.ts';
import { escapeHtml } from '../../shared/escape-html.ts';
import { findCollection, findOrganization, findSpace, lookup } from '../../store/lookups.ts';
import type { Db } from '../../store/store.ts';
import type { Instance } from '../engine/instance.ts';
import type { InstanceRequest, InstanceResponse } from '../engine/request.ts';
import { nothingHere, webPage } from './web-page.ts';

/** What is at an address of the application, and the command that shows it. */
interface AppPage {
  title: string;
  command: string[];
}

const siteOf = lookup('site', 'organization');
const specOf = lookup('openapi_spec', 'organization', 'slug');
const changeRequestOf = lookup('change_request', 'space', 'number');

/**
 * Answers `/o/...`, the `urls.app` of all objects. A local instance has no application, so the page names the command
 * that shows the object. There is no sign-in here, so the page shows nothing that is not in the address.
 */
export async function answerApp(instance: Instance, request: InstanceRequest): Promise<InstanceResponse | undefined> {
  const parts = request.path.split('/').slice(2).map(tryDecode);
  if (!parts.every((part) => part !== undefined)) return nothingHere(request);
  const page = await instance.store.read((db) => findPage(db, parts));
  if (!page) return nothingHere(request);
  return webPage({
    title: page.title,
    body: `<main><h1>${escapeHtml(page.title)}</h1>
<p>This local instance has no application. See it on the command line:</p>
<pre><code>${escapeHtml(['docsctl', ...page.command.map(quote)].join(' '))}</code></pre></main>`,
  });
}

const quote = (word: string) => (/^[\w./:=?&-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`);

async function findPage(db: Db, [org = '', kind, id = '', ...rest]: string[]): Promise<AppPage | undefined> {
  if (!(await findOrganization(db, org, ''))) return undefined;
  switch (kind) {
    case undefined:
      return { title: `Organization ${org}`, command: ['orgs', 'view', org] };
    case 's':
      return findInSpace(db, org, id, rest);
    case 'c':
      if (rest.length > 0 || (await findCollection(db, id))?.organization !== org) return undefined;
      return { title: `Collection ${id}`, command: ['collections', 'view', id] };
    case 'sites':
      if (rest.length > 0 || !(await siteOf(db, org, id))) return undefined;
      return { title: `Docs site ${id}`, command: ['sites', 'view', id, '--org', org] };
    case 'openapi':
      if (rest.length > 0 || !(await specOf(db, org, id))) return undefined;
      return { title: `OpenAPI specification ${id}`, command: ['openapi', 'view', id, '--org', org] };
    default:
      return undefined;
  }
}

async function findInSpace(db: Db, org: string, space: string, rest: string[]): Promise<AppPage | undefined> {
  const row = await findSpace(db, space);
  if (row?.organization !== org || row.deleted_at !== null) return undefined;
  const [kind, id = ''] = rest;
  if (kind === undefined) return { title: `Space ${space}`, command: ['spaces', 'view', space] };
  const within = `/v1/spaces/${space}`;
  if (kind === 'cr' && /^\d{1,15}$/.test(id)) {
    if (!(await changeRequestOf(db, space, Number(id)))) return undefined;
    if (rest.length === 2)
      return { title: `Change request #${id} of space ${space}`, command: ['cr', 'view', id, '--space', space] };
    return contentPage(`change request #${id} of space ${space}`, `${within}/change-requests/${id}`, rest.slice(2));
  }
  if (kind === 'r' && id !== '') {
    if (rest.length > 2)
      return contentPage(`revision ${id} of space ${space}`, `${within}/revisions/${id}`, rest.slice(2), '');
    return { title: `Revision ${id} of space ${space}`, command: ['api', 'GET', `${within}/revisions/${id}`] };
  }
  return contentPage(`space ${space}`, within, rest);
}

function contentPage(where: string, prefix: string, path: string[], content = '/content'): AppPage {
  const address = `${prefix}${content}/path/${path.map(encodeURIComponent).join('/')}?format=markdown`;
  return { title: `Page ${path.join('/')} of ${where}`, command: ['api', 'GET', address] };
}
