import type { Invocation } from '../../cli/command/command.ts';
import type { FieldChange, PageChange } from '../../organization/plan/change.ts';
import type { MadePlan } from '../../organization/plan/make-plan.ts';
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
  { contents }: MadePlan,
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
    if (typeof before !== 'string' || typeof after !== 'string') return change;
    const diff = await unifiedDiff(before, after);
    return {
      field: change.field,
      diff,
      ...(before !== '' && { verdict: await verdictOn(thread, slug, before, after) }),
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
async function verdictOn(thread: DescriptionThread, slug: string, before: string, after: string): Promise<string> {
  const side = (text: string) => ({
    from: { text },
    named: { name: slug },
    directory: '/',
    referenceRoots: [],
    referenceHosts: [],
    wasChecked: true,
  });
  const compared = await thread.compare({ before: side(before), after: side(after), now: new Date() }, slug);
  if (!('changes' in compared) || !compared.changes) return 'cannot be compared for breaking changes';
  const breaking = compared.changes.filter(({ level }) => level === 'breaking').length;
  const others = compared.changes.length - breaking;
  const count = (number: number, one: string, more: string) => `${number} ${number === 1 ? one : more}`;
  if (compared.changes.length === 0) return 'nothing changes for users of the API';
  return `${count(breaking, 'breaking change', 'breaking changes')}, ${count(others, 'other', 'others')}`;
}
