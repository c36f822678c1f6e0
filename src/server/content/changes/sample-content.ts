import type { Row } from '../../../store/tables.ts';
import { draftChanges } from './draft-changes.ts';
import { readChanges } from './read-changes.ts';
import type { Context, LoadedOrg } from '../../engine/context.ts';
import { mainContent } from '../find-content.ts';
import { commitRevision } from './commit-revision.ts';

const markdown = `# Welcome

This page shows what a page can hold. Change it, or delete it and begin with your own.

## Text

Words can be **bold**, _italic_, ~~struck~~ or \`code\`, and [link](https://commonmark.org/help/) elsewhere.

1. Lists have numbers,
2. one after the other,

- or none at all.

> Quotes are set apart.

## Code

\`\`\`sh
docsctl content pages list
\`\`\`
`;

type Writing = Pick<Context, 'db' | 'base' | 'caller' | 'now' | 'texts'>;

/** Adds the sample page to a new space. */
export async function writeSampleContent(writing: Writing, org: LoadedOrg, space: Row<'space'>): Promise<void> {
  const { db, base, caller, now, texts } = writing;
  const changes = await readChanges([{ operation: 'insert_page', document: { markdown } }], (name, input, what) =>
    texts.run(name, input, { what, key: what }),
  );
  const content = await mainContent({ db, base, objects: { org, space: { ...space, level: 'admin' } } });
  const draft = await draftChanges(db, content, changes, now);
  await commitRevision(
    db,
    content,
    draft,
    { documents: changes.documents.values(), files: [] },
    { author: caller.id, now },
  );
}
