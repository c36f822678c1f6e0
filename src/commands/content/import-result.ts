import type { Client } from '../../client/client.ts';
import { HttpError } from '../../client/errors/http-error.ts';
import type { content } from '../../contract/content.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import { importStatePath, type ImportState, isImportState, type LeftOut } from '../../contract/instance.ts';
import type { ImportInvocation } from './import-flags.ts';

/** The state of an import of an instance; undefined where it does not know it. */
export async function stateOf(client: Client, id: string): Promise<ImportState | undefined> {
  try {
    const { body } = await client.request('GET', importStatePath(id));
    return isImportState(body) ? body : undefined;
  } catch (error) {
    if (error instanceof HttpError) return undefined;
    throw error;
  }
}

/** Says on standard error what was left out, and what was replaced. */
export async function noteResult(
  { io }: ImportInvocation,
  { importedResources, totalResources }: AnswerOf<typeof content.import>,
  state: ImportState | undefined,
  replace: boolean,
): Promise<void> {
  const missing = totalResources - importedResources;
  const reasons = state ? reasonsOf(state) : [];
  if (missing > 0) {
    await io.note(`${missing} of ${totalResources} pages and files were not imported.`);
    for (const reason of reasons) await io.note(`  ${reason}`);
  }
  if (!replace || !state) return;
  if (!state.replaced) return io.note('The pages were added, because there was no earlier import of this address.');
  const { added, changed, unchanged, deleted, kept } = state.replaced;
  await io.note(`Replaced: ${added} added, ${changed} changed, ${deleted} deleted, ${unchanged} unchanged.`);
  if (kept.length > 0) await io.note(`Kept, because they were changed in the space: ${kept.join(', ')}.`);
}

const count = (pages: number) => `${pages} page${pages === 1 ? '' : 's'}`;

function reasonsOf({ leftOut, limits }: ImportState): string[] {
  const texts: Record<keyof LeftOut, (pages: number) => string> = {
    pages: (pages) =>
      `${count(pages)}: the limit of ${limits.pages} pages; "docsctl serve --import-pages ${limits.pages + pages}" raises it`,
    depth: (pages) =>
      `${count(pages)}: more than ${limits.depth} links away from the first; "docsctl serve --import-depth" raises it`,
    time: (pages) => `${count(pages)}: the time limit of ${limits.seconds} s was reached`,
    robots: (pages) => `${count(pages)}: robots.txt disallows them`,
    failed: (pages) => `${count(pages)}: no HTML page could be fetched`,
  };
  const reasons: (keyof LeftOut)[] = ['pages', 'depth', 'time', 'robots', 'failed'];
  return reasons.flatMap((reason) => (leftOut[reason] > 0 ? [texts[reason](leftOut[reason])] : []));
}
