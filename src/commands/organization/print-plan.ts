import { outputOptions, print } from '../../cli/command/invocation.ts';
import type { Invocation } from '../../cli/command/command.ts';
import { visible } from '../../cli/output/index.ts';
import type { Change, FieldChange, PageChange } from '../../organization/plan/change.ts';
import { type OrganizationPlan, requestCount } from '../../organization/plan/plan.ts';
import { hideSecrets, type Secrets } from '../../organization/plan/variables.ts';

const signs = { create: '+', update: '~', move: '>', delete: '-' } as const;
const colors = { create: 'green', update: 'yellow', move: 'cyan', delete: 'red' } as const;
const maxLength = 120;

/**
 * Prints a plan for a reviewer; with -o, its changes as rows.
 *
 * @param isResult whether it is the result of the command, and not what is asked about
 */
export async function printPlan(
  invocation: Invocation<{}, {}>,
  { changes, steps, contents, unnamed }: OrganizationPlan,
  { secrets, isResult }: { secrets: Secrets; isResult: boolean },
): Promise<void> {
  const { globals, io } = invocation;
  const shown = shownChanges(changes, secrets);
  const isReshaped = globals.output !== undefined || globals.jq !== undefined || globals.columns !== undefined;
  if (!isResult && io.quiet) return;
  if (isResult && isReshaped) await print(invocation, shown, undefined, outputOptions(invocation, { idKey: 'name' }));
  else if (shown.length > 0) await (isResult ? io.out : io.err).write(`${await changesText(shown, io.screen.color)}\n`);
  if (unnamed.length > 0) await io.note(unnamedText(unnamed));
  await io.note(summaryText(shown, requestCount(steps, contents)));
}

/** A change as text: its object, with the fields below. */
export const changeLines = ({ kind, name, action, fields, pages = [], isDrift }: Change): string[] => [
  `${signs[action]} ${kind} ${visible(name)}${isDrift ? ' (changed in the service)' : ''}`,
  ...fields.map((field) => `    ${fieldText(field)}`),
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
export async function changesText(changes: readonly Change[], color: boolean): Promise<string> {
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
export const shownChanges = (changes: readonly Change[], secrets: Secrets): Change[] =>
  changes.map((change) => ({
    ...change,
    name: String(hideSecrets(change.name, secrets)),
    fields: change.fields.map((field) => withoutSecrets(field, secrets)),
  }));

function fieldText({ field, before, after }: FieldChange): string {
  const name = visible(field);
  if (before === undefined) return `+ ${name}: ${valueText(after)}`;
  if (after === undefined) return `- ${name}: ${valueText(before)}`;
  return `~ ${name}: ${valueText(before)} -> ${valueText(after)}`;
}

function valueText(value: unknown): string {
  const text = visible(typeof value === 'string' ? value : JSON.stringify(value));
  return text.length > maxLength ? `${text.slice(0, maxLength)}... (${text.length} characters)` : text;
}

function withoutSecrets(field: FieldChange, secrets: Secrets): FieldChange {
  return {
    field: field.field,
    ...('before' in field && { before: hideSecrets(field.before, secrets) }),
    ...('after' in field && { after: hideSecrets(field.after, secrets) }),
  };
}

function unnamedText(unnamed: OrganizationPlan['unnamed']): string {
  const kinds = Map.groupBy(unnamed, ({ kind }) => kind);
  const texts = [...kinds].map(([kind, list]) => {
    const names = list.slice(0, 5).map(({ name }) => visible(name));
    return `${list.length} ${kind}${list.length === 1 ? '' : 's'} (${names.join(', ')}${list.length > names.length ? ', ...' : ''})`;
  });
  return `Not in the files, and kept: ${texts.join('; ')}. Use --prune to remove them.`;
}

/** Counts in words. */
export function summaryText(changes: readonly Change[], requests: number): string {
  if (changes.length === 0) return 'No changes: the organization matches its files.';
  const counts = [
    ['create', 'to add'],
    ['update', 'to change'],
    ['move', 'to move'],
    ['delete', 'to remove'],
  ].flatMap(([action, words]) => {
    const count = changes.filter((change) => change.action === action).length;
    return count === 0 ? [] : [`${count} ${words}`];
  });
  const pages = changes.flatMap((change) => change.pages ?? []).length;
  if (pages > 0) counts.push(`${pages} ${pages === 1 ? 'page or file' : 'pages or files'} of content`);
  return `${counts.join(', ')}; ${requests} request${requests === 1 ? '' : 's'}.`;
}
