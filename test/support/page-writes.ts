import type { TestInstance } from './instance.ts';

/** Inserts a page into main content or that of a change request: `content` is the address of either. */
export async function insertPage(
  { call }: TestInstance,
  content: string,
  title: string,
  markdown: string,
  more: object = {},
): Promise<string> {
  const { body } = await call('POST', `${content}/content?compat=false`, {
    changes: [{ operation: 'insert_page', title, document: { markdown }, ...more }],
  });
  return body.changes[0].page.id;
}

export async function updatePage({ call }: TestInstance, content: string, page: string, change: object): Promise<void> {
  await call('POST', `${content}/content`, { changes: [{ operation: 'update_page', page, ...change }] });
}
