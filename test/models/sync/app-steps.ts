import { checkSpace, type Expected } from './expected.ts';
import { step, type SyncStep } from './step.ts';
import { picture, pictureOf, withImage } from './words.ts';
import type { SpacePage, World } from './world.ts';

async function pickPage(world: World, index: number): Promise<SpacePage | undefined> {
  const pages = await world.pages();
  return pages[index % Math.max(pages.length, 1)];
}

export async function editInApp(world: World, index: number, slot: string): Promise<void> {
  const page = await pickPage(world, index);
  if (!page) return;
  const old = page.words.get(slot) ?? '';
  const markdown = page.text.replace(`word ${old}.`, `word ${world.words.next(page.key + slot, [old])}.`);
  await world.edit({ operation: 'update_page', page: page.id, document: { markdown } });
}

const appStep = (text: string, run: (expected: Expected, world: World) => Promise<void>) =>
  step(`the app: ${text}`, async (expected, world) => {
    await run(expected, world);
    await checkSpace(expected, world);
  });

export const appEdit = (index: number, slot: string): SyncStep =>
  appStep(`edits slot ${slot} of page ${index}`, (_, world) => editInApp(world, index, slot));

/** Uploads another picture for a page, and shows it there. */
export const appPicture = (index: number): SyncStep =>
  appStep(`replaces the picture of page ${index}`, async (_, world) => {
    const page = await pickPage(world, index);
    const shown = page?.words.get('picture');
    if (!page || shown === undefined) return;
    const word = world.words.next('i', [shown]);
    const base64 = Buffer.from(pictureOf(word)).toString('base64');
    const file = { name: `img/${word}.png`, base64, contentType: 'image/png' };
    const markdown = withImage(page.text, `/${file.name}`);
    await world.edit(
      { operation: 'insert_files', files: [file] },
      { operation: 'update_page', page: page.id, document: { markdown } },
    );
  });

export const appRename = (index: number): SyncStep =>
  appStep(`changes title and slug of page ${index}`, async (_, world) => {
    const page = await pickPage(world, index);
    if (!page) return;
    const [title, slug] = [world.words.next('t', [page.title]), world.words.next('s', [page.slug])];
    await world.edit({ operation: 'update_page', page: page.id, title, slug });
  });

export const appMove = (index: number, under: number): SyncStep =>
  appStep(`moves page ${index} under page ${under}`, async (expected, world) => {
    const [page, parent] = [await pickPage(world, index), await pickPage(world, under)];
    if (!page || !parent || page.id === parent.id || page.parent !== null || parent.parent !== null) return;
    if ([...expected.parents.values()].includes(page.key)) return;
    await world.edit({ operation: 'update_page', page: page.id, into: parent.id });
    expected.parents.set(page.key, parent.key);
  });

export const appDelete = (index: number): SyncStep =>
  appStep(`deletes page ${index}`, async (expected, world) => {
    const page = await pickPage(world, index);
    if (!page) return;
    // Those above come first.
    const deleted = new Set([page.id]);
    for (const { id, key, parent, words } of await world.pages()) {
      if (parent !== null && deleted.has(parent)) deleted.add(id);
      if (deleted.has(id)) expected.remove(key, words.values());
    }
    await world.edit({ operation: 'delete_page', page: page.id });
  });

export const appAdd = (linked: number | undefined): SyncStep =>
  appStep(`adds a page${linked === undefined ? '' : ` with a link to page ${linked}`}`, async (expected, world) => {
    const target = linked === undefined ? undefined : await pickPage(world, linked);
    await insertPage(world, expected.newKey(), target);
  });

export async function insertPage(world: World, key: string, target?: SpacePage, text?: string): Promise<void> {
  const markdown = text ?? world.newPage(key, target && { to: target.key, url: `/pages/${target.id}` }, `/${picture}`);
  await world.edit({ operation: 'insert_page', title: `Page ${key}`, slug: key, document: { markdown } });
}
