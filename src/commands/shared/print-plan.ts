import { createHash } from 'node:crypto';
import { outputOptions, print } from '../../cli/command/invocation.ts';
import type { Invocation } from '../../cli/command/command.ts';
import { visible } from '../../cli/output/index.ts';
import type { Change, FieldChange, PageChange } from '../../organization/plan/change.ts';
import type { Names } from '../../organization/names.ts';
import type { Unnamed } from '../../organization/plan/draft.ts';
import { type OrganizationPlan, requestCount } from '../../organization/plan/plan.ts';
import { hideSecrets, type Secrets } from '../../organization/plan/variables.ts';

const signs = { create: '+', update: '~', move: '>', delete: '-', unmanaged: '?' } as const;
const colors = { create: 'green', update: 'yellow', move: 'cyan', delete: 'red', unmanaged: 'red' } as const;
const maxLength = 120;

/** A row that people read: a change, or an object that the files do not name. */
export interface PlanRow extends Omit<Change, 'kind' | 'action'> {
  kind: Change['kind'] | Unnamed['kind'] | 'level';
  action: keyof typeof signs;
}

/** Objects that the files do not name, as rows. */
export const unmanagedRows = (unnamed: readonly Unnamed[]): PlanRow[] =>
  unnamed.map(({ kind, name, file, fields = [] }) => ({ kind, name, action: 'unmanaged', fields, file }));

/**
 * Prints a plan for a reviewer; with -o, its changes as rows.
 *
 * @param names the names that objects have in the files
 * @param isResult whether it is the result of the command, and not what is asked about
 */
export async function printPlan(
  invocation: Invocation<{}, {}>,
  { changes, steps, contents, unnamed }: OrganizationPlan,
  { secrets, isResult, names }: { secrets: Secrets; isResult: boolean; names?: Names | undefined },
): Promise<void> {
  await printRows(invocation, shownChanges(changes, secrets), {
    requests: requestCount(steps, contents),
    unnamed,
    isResult,
    lines: nameLines(names, { steps, contents }),
  });
}

/** Prints rows, with the counts on standard error. */
export async function printRows(
  invocation: Invocation<{}, {}>,
  shown: readonly PlanRow[],
  {
    requests,
    unnamed,
    isResult,
    lines,
  }: { requests: number; unnamed: OrganizationPlan['unnamed']; isResult: boolean; lines: readonly string[] },
): Promise<void> {
  const { globals, io } = invocation;
  const isReshaped = globals.output !== undefined || globals.jq !== undefined || globals.columns !== undefined;
  if (!isResult && io.quiet) return;
  if (isResult && isReshaped) await print(invocation, shown, undefined, outputOptions(invocation, { idKey: 'name' }));
  else if (shown.length > 0) await (isResult ? io.out : io.err).write(`${await changesText(shown, io.screen.color)}\n`);
  for (const line of lines) await io.note(line);
  for (const [isUnreadable, list] of Map.groupBy(unnamed, (object) => object.isUnreadable ?? false))
    await io.note(
      isUnreadable
        ? `Not in the files, and kept because an export leaves it out: ${namesText(list)}.`
        : `Not in the files, and kept: ${namesText(list)}. --prune removes them.`,
    );
  await io.note(summaryText(shown, requests));
}

/** The objects of a plan that have other titles than their names say: a lock file may say what a name means. */
export function nameLines(names: Names | undefined, requests: Pick<OrganizationPlan, 'steps' | 'contents'>): string[] {
  const text = JSON.stringify(requests);
  return (names?.others() ?? [])
    .filter(({ id }) => text.includes(JSON.stringify(id).slice(1, -1)))
    .map(({ kind, name, id, title }) => `${kind}/${visible(name)} is "${visible(title)}" (ID ${visible(id)}).`);
}

/** A change as text: its object, with the fields below. */
export const changeLines = ({ kind, name, action, fields, pages = [], isDrift }: PlanRow): string[] => [
  `${signs[action]} ${kind} ${visible(name)}${action === 'unmanaged' ? ' (not in the files)' : isDrift ? ' (changed in the service)' : ''}`,
  ...fields.map((field) => `    ${action === 'unmanaged' ? heldText(field) : fieldText(field)}`),
  ...pages.map((page) => `    ${pageText(page, isDrift)}`),
];

/** @param isAllDrift whether the line of the space says that somebody changed it */
function pageText(page: PageChange, isAllDrift = false): string {
  const { action, path, title, from, to, lines, fields = [], subpages = 0, isDrift, isConflict } = page;
  const details = [
    ...(title === undefined ? [] : [visible(title)]),
    ...(action === 'move' ? [from === undefined ? 'order' : `${visible(from)} -> ${visible(to ?? '')}`] : []),
    ...(lines === undefined ? [] : [`lines +${lines.added} -${lines.removed}`]),
    ...fields.map((field) => visible(field)),
    ...(subpages === 0 ? [] : [`and ${subpages} page${subpages === 1 ? '' : 's'} below it`]),
    ...(isDrift && !isAllDrift ? ['changed in the service'] : []),
    ...(isConflict ? ['changed in the folder and in the service'] : []),
  ];
  const sign = isConflict ? '!' : signs[action];
  return `${sign} ${visible(path)}${details.length > 0 ? ` (${details.join('; ')})` : ''}`;
}

/** Changes as text: an object with its fields below. */
export async function changesText(changes: readonly PlanRow[], color: boolean): Promise<string> {
  const { Chalk } = await import('chalk');
  const chalk = new Chalk({ level: color ? 1 : 0 });
  return changes
    .flatMap((change) => {
      const [first = '', ...others] = changeLines(change);
      return [chalk[colors[change.action]](first), ...others];
    })
    .join('\n');
}

/** Changes without values of variables. */
export const shownChanges = <Row extends PlanRow>(changes: readonly Row[], secrets: Secrets): Row[] =>
  changes.map((change) => ({
    ...change,
    name: String(hideSecrets(change.name, secrets)),
    fields: change.fields.map((field) => withoutSecrets(field, secrets)),
  }));

/** What an object has that the files do not name. */
const heldText = ({ field, before }: FieldChange) => `${visible(field)}: ${valueText(before)}`;

function fieldText({ field, before, after }: FieldChange): string {
  const name = visible(field);
  if (before === undefined) return `+ ${name}: ${valueText(after)}`;
  if (after === undefined) return `- ${name}: ${valueText(before)}`;
  return `~ ${name}: ${valueText(before)} -> ${valueText(after)}`;
}

function valueText(value: unknown): string {
  const text = visible(typeof value === 'string' ? value : JSON.stringify(value));
  if (text.length <= maxLength) return text;
  // Two texts that differ further on must not look alike.
  const hash = createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
  return `${text.slice(0, maxLength)}... (${text.length} characters, SHA-256 ${hash})`;
}

function withoutSecrets(field: FieldChange, secrets: Secrets): FieldChange {
  return {
    field: field.field,
    ...('before' in field && { before: hideSecrets(field.before, secrets) }),
    ...('after' in field && { after: hideSecrets(field.after, secrets) }),
  };
}

function namesText(unnamed: OrganizationPlan['unnamed']): string {
  const kinds = Map.groupBy(unnamed, ({ kind }) => kind);
  const texts = [...kinds].map(([kind, list]) => {
    const names = list.slice(0, 5).map(({ name }) => visible(name));
    return `${list.length} ${kind}${list.length === 1 ? '' : 's'} (${names.join(', ')}${list.length > names.length ? ', ...' : ''})`;
  });
  return texts.join('; ');
}

/** Counts in words. */
export function summaryText(changes: readonly PlanRow[], requests: number): string {
  if (changes.length === 0) return 'No changes: the organization matches its files.';
  const counts = [
    ['create', 'to add'],
    ['update', 'to change'],
    ['move', 'to move'],
    ['delete', 'to remove'],
    ['unmanaged', 'not in the files'],
  ].flatMap(([action, words]) => {
    const count = changes.filter((change) => change.action === action).length;
    return count === 0 ? [] : [`${count} ${words}`];
  });
  const pages = changes.flatMap((change) => change.pages ?? []).length;
  if (pages > 0) counts.push(`${pages} ${pages === 1 ? 'page or file' : 'pages or files'} of content`);
  return `${counts.join(', ')}; ${requests} request${requests === 1 ? '' : 's'}.`;
}
