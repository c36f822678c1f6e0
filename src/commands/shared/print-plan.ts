import { createHash } from 'node:crypto';
import type { ChalkInstance } from 'chalk';
import { outputOptions, print } from '../../cli/command/invocation.ts';
import type { Invocation } from '../../cli/command/command.ts';
import { visible } from '../../cli/output/index.ts';
import type { Names } from '../../organization/names.ts';
import {
  type Change,
  type FieldChange,
  type OrganizationPlan,
  type PageChange,
  requestCount,
  type Unnamed,
} from '../../organization/plan/change.ts';
import { hideSecrets, type Secrets } from '../../organization/plan/variables.ts';

const signs = { create: '+', update: '~', move: '>', delete: '-', unmanaged: '?' } as const;
const colors = { create: 'green', update: 'yellow', move: 'cyan', delete: 'red', unmanaged: 'red' } as const;
const maxLength = 120;

/** Lines of a unified difference, if they are shown. */
interface WithDiff {
  diff?: readonly string[];
}

type ShownField = FieldChange & WithDiff & { verdict?: string };

/** A row of a printed plan: a change, or an object that is not in the files. */
export interface PlanRow extends Omit<Change, 'kind' | 'action' | 'fields' | 'pages'> {
  kind: Change['kind'] | Unnamed['kind'] | 'level';
  action: keyof typeof signs;
  fields: ShownField[];
  pages?: (PageChange & WithDiff)[] | undefined;
}

/** Objects that are not in the files, as rows. */
export const unmanagedRows = (unnamed: readonly Unnamed[]): PlanRow[] =>
  unnamed.map(({ kind, name, file, fields = [] }) => ({ kind, name, action: 'unmanaged', fields, file }));

interface PrintedPlan {
  secrets: Secrets;
  isResult: boolean;
  names?: Names | undefined;
  /** What users should know of it. */
  notes?: readonly string[];
  /** The changes as rows, if they have more than those of the plan. */
  shown?: readonly PlanRow[] | undefined;
  /** Whether the organization matches its files if there are no changes. */
  isEqual?: boolean;
}

/**
 * Prints a plan, or with -o its changes as rows.
 *
 * @param names the names of objects in the files
 * @param isResult whether the plan is the result of the command, rather than part of a question
 */
export async function printPlan(
  invocation: Invocation<{}, {}>,
  { changes, steps, contents, unnamed }: OrganizationPlan,
  { secrets, isResult, names, notes = [], shown, isEqual = true }: PrintedPlan,
): Promise<void> {
  await printRows(invocation, shown ?? shownChanges(changes, secrets), {
    requests: requestCount(steps, contents),
    unnamed,
    isResult,
    isEqual,
    lines: [...nameLines(names, { steps, contents }), ...notes.map((note) => visible(note))],
  });
}

/** Prints rows, and counts on standard error. */
export async function printRows(
  invocation: Invocation<{}, {}>,
  shown: readonly PlanRow[],
  {
    requests,
    unnamed,
    isResult,
    isEqual,
    lines,
  }: Required<Pick<PrintedPlan, 'isResult' | 'isEqual'>> & {
    requests: number;
    unnamed: OrganizationPlan['unnamed'];
    lines: readonly string[];
  },
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
  await io.note(summaryText(shown, requests, isEqual));
}

/** Notes about objects in a plan whose names in the files differ from their titles, because of a lock file. */
export function nameLines(names: Names | undefined, requests: Pick<OrganizationPlan, 'steps' | 'contents'>): string[] {
  const text = JSON.stringify(requests);
  return (names?.others() ?? [])
    .filter(({ id }) => text.includes(JSON.stringify(id).slice(1, -1)))
    .map(({ kind, name, id, title }) => `${kind}/${visible(name)} is "${visible(title)}" (ID ${visible(id)}).`);
}

/** A change as text: its object, and its fields below. */
export const changeLines = ({ kind, name, action, fields, pages = [], isDrift }: PlanRow): string[] => [
  `${signs[action]} ${kind} ${visible(name)}${action === 'unmanaged' ? ' (not in the files)' : isDrift ? ' (changed in the service)' : ''}`,
  ...fields.flatMap((field) => [
    `    ${action === 'unmanaged' ? heldText(field) : fieldText(field)}`,
    ...diffLines(field),
  ]),
  ...pages.flatMap((page) => [`    ${pageText(page, isDrift)}`, ...diffLines(page)]),
];

const diffIndent = '        ';
const diffLines = ({ diff = [] }: WithDiff): string[] => diff.map((line) => `${diffIndent}${visible(line)}`);

/** @param isAllDrift whether the line of the space already says that it was changed in the service */
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

/** Changes as text, in color. */
export async function changesText(changes: readonly PlanRow[], color: boolean): Promise<string> {
  const { Chalk } = await import('chalk');
  const chalk = new Chalk({ level: color ? 1 : 0 });
  return changes
    .flatMap((change) => {
      const [first = '', ...others] = changeLines(change);
      return [chalk[colors[change.action]](first), ...others.map((line) => paintDiff(line, chalk))];
    })
    .join('\n');
}

/** A line of a difference in the colour of its kind. */
function paintDiff(line: string, chalk: ChalkInstance): string {
  if (!line.startsWith(diffIndent)) return line;
  const [sign] = line.slice(diffIndent.length);
  return sign === '+' ? chalk.green(line) : sign === '-' ? chalk.red(line) : sign === '@' ? chalk.dim(line) : line;
}

/** Changes without the values of secret variables. */
export const shownChanges = <Row extends PlanRow>(changes: readonly Row[], secrets: Secrets): Row[] =>
  changes.map((change) => ({
    ...change,
    name: String(hideSecrets(change.name, secrets)),
    fields: change.fields.map((field) => withoutSecrets(field, secrets)),
  }));

const heldText = ({ field, before }: FieldChange) => `${visible(field)}: ${valueText(before)}`;

function fieldText({ field, before, after, isDrift, diff, verdict }: ShownField): string {
  const name = visible(field);
  const drift = isDrift ? ' (changed in the service)' : '';
  if (diff) return `~ ${name}${verdict === undefined ? '' : `: ${verdict}`}${drift}`;
  if (before === undefined) return `+ ${name}: ${valueText(after)}${drift}`;
  if (after === undefined) return `- ${name}: ${valueText(before)}${drift}`;
  return `~ ${name}: ${valueText(before)} -> ${valueText(after)}${drift}`;
}

function valueText(value: unknown): string {
  const text = visible(typeof value === 'string' ? value : JSON.stringify(value));
  if (text.length <= maxLength) return text;
  // The hash shows whether two long texts differ after the part that is printed.
  const hash = createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
  return `${text.slice(0, maxLength)}... (${text.length} characters, SHA-256 ${hash})`;
}

function withoutSecrets(field: FieldChange, secrets: Secrets): FieldChange {
  return {
    field: field.field,
    ...(field.isDrift && { isDrift: true }),
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

/** The number of changes of each kind. */
export function summaryText(changes: readonly PlanRow[], requests: number, isEqual = true): string {
  if (changes.length === 0) return isEqual ? 'No changes: the organization matches its files.' : 'No changes.';
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
