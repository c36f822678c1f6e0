import type { Invocation } from '../../cli/command/command.ts';
import { contentPort } from '../../commands/shared/content-port.ts';
import type { Folder } from '../../content/folder/folder.ts';
import type { FolderTexts } from '../../sync/folder-texts.ts';
import { withFiles } from '../../sync/pull.ts';
import { readContent, withAllTexts } from '../../sync/read-remote.ts';

/** The pages and files of a revision, as `content pull` writes them into an empty folder. */
export async function contentFiles(
  invocation: Invocation<{}, {}>,
  texts: FolderTexts,
  { spaceId, revisionId, name }: { spaceId: string; revisionId: string; name: string },
): Promise<Folder> {
  const port = await contentPort(invocation);
  const content = await readContent(port, { spaceId, revisionId });
  const remote = await withAllTexts(port, spaceId, content);
  const written = await texts.run(
    'writeFolder',
    { remote },
    { folder: name, texts: remote.pages.map(({ text }) => text) },
  );
  return withFiles(port, content, written);
}
