import { exit } from '../../cli/program/exit-status.ts';
import { CommandError, UsageError } from '../../cli/program/failure.ts';
import { type Organization, type Part, parts } from '../organization.ts';
import { onlyChanges, type OrganizationPlan } from './plan.ts';
import { Selection, UnknownPart } from '../selection.ts';

/** What `--only` names; everything without it. */
export function selectionOf(words: readonly string[] | undefined): Selection {
  try {
    return new Selection(words);
  } catch (error) {
    if (error instanceof UnknownPart) throw new UsageError(`--only: ${error.message}`);
    throw error;
  }
}

/** Parts whose files make a plan; levels are compared and never sent. */
type FilePart = Exclude<Part, 'content' | 'levels'>;

const members: Record<FilePart, keyof Organization> = {
  organization: 'organization',
  members: 'members',
  teams: 'teams',
  sso: 'sso',
  collections: 'collections',
  spaces: 'spaces',
  sites: 'sites',
  openapi: 'openapi',
  translations: 'translations',
  'invite-links': 'inviteLinks',
};

/** The parts themselves, and those whose objects they mention. */
export const mentionedParts: Record<FilePart, Part[]> = {
  organization: ['organization', 'sites'],
  members: ['members'],
  teams: ['teams', 'members'],
  sso: ['sso', 'teams'],
  collections: ['collections', 'spaces'],
  spaces: ['spaces', 'collections', 'organization'],
  sites: ['sites', 'spaces', 'collections'],
  openapi: ['openapi'],
  translations: ['translations'],
  'invite-links': ['invite-links', 'spaces', 'collections'],
};

const fileParts = parts.filter((part) => part !== 'content' && part !== 'levels');

/** The parts that files manage. */
export const managedParts = (organization: Organization): FilePart[] =>
  fileParts.filter((part) => organization[members[part]] !== undefined);

/** The parts of which something is selected, and what they mention. */
export function selectedParts(organization: Organization, only: Selection): Organization {
  const needed = new Set(fileParts.filter((part) => only.has(part)).flatMap((part) => mentionedParts[part]));
  const selected: Organization = { ...organization };
  for (const part of fileParts) if (!needed.has(part)) delete selected[members[part]];
  return selected;
}

/** @throws CommandError for a name of `--only` that neither the files nor the service have */
export function refuseUnknown(
  only: Selection,
  folder: Organization,
  service: Organization,
  contents: Selectable,
): void {
  const missing = only.named().find(([part, name]) => {
    if (part === 'content') return !contents.has(name) && !has(folder.spaces, name) && !has(service.spaces, name);
    if (part === 'levels') return false;
    const member = members[part];
    return !has(folder[member], name) && !has(service[member], name);
  });
  if (!missing) return;
  throw new CommandError(`--only: there is no "${missing[1]}" in ${missing[0]}.`, {
    exitCode: exit.notFound,
    hint: 'Names are those of the files.',
  });
}

type Selectable = Pick<ReadonlySet<string>, 'has'>;
const has = (objects: unknown, name: string) => objects instanceof Map && objects.has(name);

/** The part of a plan that is selected. @throws CommandError where it needs an object that the rest would make */
export function selectedPlan(plan: OrganizationPlan, only: Selection): OrganizationPlan {
  const problems = plan.problems.filter(({ file }) => only.covers(file));
  const unnamed = plan.unnamed.filter(({ file }) => only.covers(file));
  const selected = { ...onlyChanges(plan, ({ file }) => only.covers(file)), problems, unnamed };
  const makersOf = ({ steps }: OrganizationPlan) => new Set(steps.flatMap(({ makes = {} }) => Object.keys(makes)));
  const [all, made] = [makersOf(plan), makersOf(selected)];
  const needed = JSON.stringify([selected.steps, selected.contents]).matchAll(/"\{([^"{}]+)\}"/g);
  for (const [, placeholder = ''] of needed) {
    if (!all.has(placeholder) || made.has(placeholder)) continue;
    const [kind, ...name] = placeholder.split('/');
    throw new CommandError(`--only leaves out the ${kind} "${name.join('/')}", which is needed and not there yet.`, {
      exitCode: exit.refused,
      hint: 'Name it with --only too.',
    });
  }
  return selected;
}
