import { folderOf } from '../../sync/plan-pull.ts';
import type { Invocation } from '../../cli/command/command.ts';
import { eachOf } from '../../shared/each-of.ts';
import { getFrom } from '../../shared/get-from.ts';
import type { FolderTexts } from '../../sync/folder-texts.ts';
import { readContent, withAllTexts } from '../../sync/read-remote.ts';

const maxDownloads = 8;

/** The pages and files of a revision, as `content pull` writes them into an empty folder. */
export async function contentFiles(
  invocation: Invocation<{}, {}>,
  texts: FolderTexts,
  { spaceId, revisionId, name }: { spaceId: string; revisionId: string; name: string },
): Promise<Map<string, Uint8Array>> {
  const content = await readContent(invocation, { spaceId, revisionId });
  try {
    const remote = await withAllTexts(invocation, spaceId, content);
    const written = await texts.run(
      'writeFolder',
      { remote },
      { folder: name, texts: remote.pages.map(({ text }) => text) },
    );
    const bytes = new Map<string, Uint8Array>();
    const ids = new Set([...written.files.values()].map(({ id }) => id));
    await eachOf([...ids], async (id) => void bytes.set(id, await content.bytesOf(id)), maxDownloads);
    return new Map(folderOf(written, ({ id }) => getFrom(bytes, id)));
  } finally {
    await content.close();
  }
}
