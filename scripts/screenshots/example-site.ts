import { setTimeout } from 'node:timers/promises';
import type { Instance } from '../../src/server/engine/instance.ts';
import { administrator } from '../../src/server/organizations/bootstrap.ts';
import { jsonText } from '../../src/store/json.ts';
import { description } from './example-description.ts';
import { docs, guides, reference, updates, type ExamplePage } from './example-pages.ts';

export interface ExampleSite {
  /** Path of the site in the API. */
  site: string;
  /** Path of its first page, from the server. */
  root: string;
  /** Changes who may read the site. */
  setVisibility(visibility: string): Promise<void>;
}

type Call = (method: string, path: string, body?: unknown) => Promise<Record<string, any>>;

/** A published site with sections, versions, a header, a footer and pages of a made-up product. */
export async function makeExampleSite(instance: Instance): Promise<ExampleSite> {
  const owner = await instance.store.read(administrator);
  if (!owner) throw new Error('The new instance has no administrator.');
  const call = callAs(instance, owner.user);
  const org = `/v1/orgs/${owner.organization}`;
  const space = async (title: string, pages: ExamplePage[]) => {
    const { id } = await call('POST', `${org}/spaces`, { title });
    await writePages({ call, instance }, id, pages);
    return String(id);
  };
  await publishDescription(call, org);
  const main = await space('v3', docs);
  const old = await space('v2', docs.slice(0, 1));
  const { id } = await call('POST', `${org}/sites`, { title: 'Tidewater' });
  const site = `${org}/sites/${id}`;
  const section = async (body: object) => String((await call('POST', `${site}/sections`, body)).id);
  const documentation = await section({ spaceId: main, title: 'Documentation', icon: 'book-open' });
  await call('POST', `${site}/site-spaces`, { spaceId: old, sectionId: documentation });
  await section({ spaceId: await space('Guides', guides), title: 'Guides', icon: 'compass' });
  await section({ spaceId: await space('API', reference), title: 'API reference', icon: 'code' });
  await section({ spaceId: await space('Changelog', updates), title: 'Changelog', icon: 'clock-rotate-left' });
  await call('PUT', `${site}/customization`, await customized(call, site));
  await call('POST', `${site}/publish`);
  const { urls } = await call('GET', site);
  return {
    site,
    root: new URL(urls.published).pathname,
    setVisibility: async (visibility) => void (await call('PATCH', site, { visibility })),
  };
}

async function publishDescription(call: Call, org: string): Promise<void> {
  await call('POST', `${org}/openapi`, { slug: 'tidewater', source: { text: JSON.stringify(description) } });
  for (let state = ''; state !== 'complete'; await setTimeout(20)) {
    state = (await call('GET', `${org}/openapi/tidewater`)).processingState;
  }
}

function callAs(instance: Instance, user: string): Call {
  return async (method, path, body) => {
    const url = new URL(path, 'http://instance');
    const response = await instance.handle({
      method,
      path: url.pathname,
      query: url.searchParams,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
      as: user,
    });
    const text = typeof response.body === 'string' ? response.body : Buffer.from(response.body).toString();
    if (response.status >= 400) throw new Error(`${method} ${path}: ${text}`);
    return text === '' ? {} : JSON.parse(text);
  };
}

interface Writer {
  call: Call;
  instance: Instance;
}

async function writePages(writer: Writer, space: string, pages: ExamplePage[], into?: string): Promise<void> {
  for (const { text = '', below = [], type, layout, computed, ...members } of pages) {
    const change = { operation: 'insert_page', ...members, into, document: { markdown: text } };
    const { changes } = await writer.call('POST', `/v1/spaces/${space}/content?compat=false`, { changes: [change] });
    const { id } = changes[0].page;
    await shape(writer.instance, id, { type, layout, computed });
    await writePages(writer, space, below, id);
  }
}

/** Makes a page a group or the place of a reference, or gives it a layout: pages get none of it through the API. */
async function shape(
  instance: Instance,
  page: string,
  { type, layout, computed }: Pick<ExamplePage, 'type' | 'layout' | 'computed'>,
) {
  const changes = {
    ...(type && { type, document: null }),
    ...(computed && { type: 'computed' as const, document: null }),
    ...((layout ?? computed) && { extra: jsonText({ layout, computed }) }),
  };
  if (Object.keys(changes).length === 0) return;
  await instance.store.write((db) => db.updateTable('page_version').set(changes).where('page', '=', page).execute());
}

async function customized(call: Call, site: string): Promise<object> {
  const settings = await call('GET', `${site}/customization`);
  const url = (path: string) => ({ kind: 'url', url: `https://tidewater.example/${path}` });
  const color = (light: string, dark: string) => ({ light, dark });
  return {
    ...settings,
    styling: { ...settings['styling'], primaryColor: color('#0F6FDE', '#6CB0FF') },
    favicon: { emoji: '🌊' },
    header: {
      links: [
        { title: 'Status', to: url('status'), links: [] },
        { title: 'Support', to: url('support'), links: [] },
        { title: 'Get an API key', style: 'button-primary', to: url('signup'), links: [] },
      ],
    },
    footer: {
      groups: [
        {
          title: 'Product',
          links: [
            { title: 'Pricing', to: url('pricing') },
            { title: 'Coverage', to: url('coverage') },
          ],
        },
        {
          title: 'Company',
          links: [
            { title: 'About', to: url('about') },
            { title: 'Blog', to: url('blog') },
          ],
        },
      ],
      copyright: '© 2026 Tidewater Ltd.',
    },
    privacyPolicy: { url: 'https://tidewater.example/privacy' },
  };
}
