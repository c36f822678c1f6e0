import type { InstanceOptions } from '../../src/server/open-instance.ts';
import { type Answer, type Call, testInstance, type TestInstance } from './instance.ts';

export interface ContentSpace extends TestInstance {
  /** `/v1/spaces/<id>` and its id. */
  path: string;
  space: string;
  content: string;
  /** Changes main content, or that of a change request. @returns what was changed */
  change(changes: object[], where?: string, as?: Call): Promise<Answer>;
  /** Inserts one page into main content, or that of a request, and gives its id. */
  insert(title: string, more?: object, where?: string): Promise<string>;
  /** Makes a change request and gives its path. */
  request(options?: { open?: boolean }): Promise<string>;
  pages(where?: string): Promise<any[]>;
  markdown(page: string, where?: string): Promise<string>;
}

/** A service with one space, and short functions that change its content. */
export async function contentSpace(options: Partial<InstanceOptions> = {}): Promise<ContentSpace> {
  return newSpace(await testInstance(options));
}

/** The same in a service that there is. */
export async function newSpace(instance: TestInstance): Promise<ContentSpace> {
  const { call, orgPath } = instance;
  const made = await call('POST', `${orgPath}/spaces`, { title: 'Docs' });
  return { ...instance, ...inSpace(call, made.body.id) };
}

export function inSpace(call: Call, space: string) {
  const path = `/v1/spaces/${space}`;
  const change: ContentSpace['change'] = (changes, where = path, as = call) =>
    as('POST', `${where}/content?compat=false`, { changes });
  return {
    path,
    space,
    content: `${path}/content`,
    change,
    async insert(title: string, more: object = {}, where = path) {
      const { body } = await change([{ operation: 'insert_page', title, document: {}, ...more }], where);
      if (!body.changes) throw new Error(JSON.stringify(body));
      return body.changes[0].page.id as string;
    },
    async request({ open = false } = {}) {
      const { body } = await call('POST', `${path}/change-requests`, {});
      const requestPath = `${path}/change-requests/${body.number}`;
      if (open) await call('PATCH', requestPath, { status: 'open' });
      return requestPath;
    },
    async pages(where = path) {
      return (await call('GET', `${where}/content/pages`)).body.pages as any[];
    },
    async markdown(page: string, where = path) {
      return (await call('GET', `${where}/content/page/${page}?format=markdown`)).body.markdown as string;
    },
  };
}

/** Titles of a tree of pages; a page with subpages is a pair of its title and theirs. */
export const outline = (pages: any[]): unknown[] =>
  pages.map((page) => (page.pages?.length ? [page.title, outline(page.pages)] : page.title));

/** The header of a PNG of this size. */
export function png(width: number, height: number): Buffer {
  const header = Buffer.alloc(33);
  header.write('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1');
  header.writeUInt32BE(width, 16);
  header.writeUInt32BE(height, 20);
  header.set([8, 6, 0, 0, 0], 24);
  return header;
}
