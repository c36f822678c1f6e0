import type { Invocation } from '../../cli/command/command.ts';
import { isNotCompared } from '../../openapi/index.ts';
import type { FieldChange, PageChange } from '../../organization/plan/change.ts';
import type { MadePlan } from '../../organization/plan/make-plan.ts';
import { counted } from '../../shared/counted.ts';
import { unifiedDiff } from '../../shared/unified-diff.ts';
import { DescriptionThread } from '../shared/description-worker.ts';
import type { PlanRow } from '../shared/print-plan.ts';

/**
 * Adds the differences of texts to rows: of pages, and of specifications with what changes for their users.
 *
 * @param rows of the plan, without the values of secrets
 */
export async function withDiffs<Row extends PlanRow>(
  invocation: Invocation<Invocation['args'], {}>,
  { contents, path }: MadePlan,
  rows: readonly Row[],
): Promise<Row[]> {
  const texts = new Map(contents.flatMap(({ pageTexts }) => [...pageTexts]));
  const thread = new DescriptionThread(invocation);
  const page = async (change: PageChange) => {
    const both = texts.get(change);
    return both ? { ...change, diff: await unifiedDiff(both.before, both.after) } : change;
  };
  const field = async (change: FieldChange, slug: string) => {
    const { before = '', after = '' } = change;
    if (change.field !== 'text' || typeof before !== 'string' || typeof after !== 'string') return change;
    const diff = await unifiedDiff(before, after);
    return {
      field: change.field,
      diff,
      ...(before !== '' && { verdict: await verdictOn(thread, { slug, before, after, directory: path }) }),
    };
  };
  try {
    const done: Row[] = [];
    for (const row of rows) {
      const pages = row.pages && (await Promise.all(row.pages.map(page)));
      const isText = row.kind === 'specification' && row.action !== 'delete' && row.action !== 'unmanaged';
      const fields = isText ? await Promise.all(row.fields.map((each) => field(each, row.name))) : row.fields;
      done.push({ ...row, fields, ...(pages && { pages }) });
    }
    return done;
  } finally {
    await thread.close();
  }
}

/** What changes for the users of an API: `2 breaking changes, 1 other`. */
async function verdictOn(
  thread: DescriptionThread,
  { slug, before, after, directory }: { slug: string; before: string; after: string; directory: string },
): Promise<string> {
  const side = (text: string) => ({
    from: { text },
    named: { name: slug },
    // References lead to no files outside the folder of the organization.
    directory,
    referenceRoots: [],
    referenceHosts: [],
    wasChecked: true,
  });
  const compared = await thread.compare({ before: side(before), after: side(after), now: new Date() }, slug);
  if (!('changes' in compared) || !compared.changes) return 'cannot be compared for breaking changes';
  const breaking = compared.changes.filter(({ level }) => level === 'breaking').length;
  const unknown = compared.changes.filter(isNotCompared).length;
  const others = compared.changes.length - breaking - unknown;
  if (compared.changes.length === 0) return 'nothing changes for users of the API';
  const rest = unknown === 0 ? '' : `, ${counted(unknown, 'part')} not compared`;
  return `${counted(breaking, 'breaking change')}, ${counted(others, 'other')}${rest}`;
}
