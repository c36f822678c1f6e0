import type { Row } from '../store/tables.ts';
import { draftChanges, readChanges } from './contentChanges.ts';
import type { OrgAt, Scope } from './context.ts';
import { mainContent } from './reading.ts';
import { revise } from './revising.ts';

const markdown = `# Welcome

This page shows what a page can hold. Change it, or delete it and begin with your own.

## Text

Words can be **bold**, _italic_, ~~struck~~ or \`code\`, and [link](https://commonmark.org/help/) elsewhere.

1. Lists have numbers,
2. one after the other,

- or none at all.

> Quotes stand apart.

## Code

\`\`\`sh
docsctl content pages list
\`\`\`
`;

/** Gives a new space the one page of sample content. */
export async function writeSample({ db, base, caller, now }: Scope, org: OrgAt, space: Row<'space'>): Promise<void> {
  const read = await readChanges([{ operation: 'insert_page', document: { markdown } }]);
  const content = await mainContent({ db, base, at: { org, space: { ...space, level: 'admin' } } });
  const draft = await draftChanges(db, content, read, now);
  await revise(db, content, draft, { documents: read.documents.values(), files: [] }, { author: caller.id, now });
}
