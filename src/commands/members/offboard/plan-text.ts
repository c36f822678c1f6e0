import { wordOf } from '../../shared/roles.ts';
import type { Named, OffboardingRecord } from './record.ts';

const nameOf = ({ title, id }: Named) => `${title} (${id})`;
const maxText = 60;

/** What a member has and what happens to it, as lines of text. */
export function planText(record: OffboardingRecord): string[] {
  const { member, organization, heir, teams, changeRequests, comments, levels, unread, steps } = record;
  const section = (title: string, note: string, items: string[]) => [
    `${title}: ${items.length}${items.length === 0 ? '' : note}`,
    ...items.map((item) => `  ${item}`),
  ];
  return [
    `${nameOf(member)}, ${wordOf(member.role)} in ${nameOf(organization)}`,
    ...section(
      'Teams',
      '',
      teams.map((team) => {
        const next = heir ? `; ${nameOf(heir)} becomes owner` : '; no owner is left (--to names one)';
        return `${nameOf(team)}: ${team.role}${team.ownedAlone ? `, alone${next}` : ''}`;
      }),
    ),
    ...section(
      'Open change requests',
      ', which stay',
      changeRequests.map(
        ({ number, subject, status, space }) => `#${number} ${subject}, ${status}, in ${nameOf(space)}`,
      ),
    ),
    ...section(
      'Unresolved comments',
      ', which stay',
      comments.map(({ id, text, space }) => `${firstLine(text)} (${id}), in ${nameOf(space)}`),
    ),
    ...section(
      'Levels above the role',
      ', which are removed',
      levels.map((space) => `${nameOf(space)}: ${space.level}`),
    ),
    ...(unread.length > 0 ? section('Spaces that could not be read', '', unread.map(nameOf)) : []),
    'Steps:',
    ...steps.map((step, index) => `  ${index + 1}. ${stepText(step, record)}`),
  ];
}

function firstLine(text: string): string {
  const [line = ''] = text.trim().split('\n');
  return line.length > maxText ? `${line.slice(0, maxText)}…` : line;
}

export function stepText(
  { action, user, team }: OffboardingRecord['steps'][number],
  record: OffboardingRecord,
): string {
  if (action === 'remove from organization')
    return `remove ${nameOf(record.member)} from ${nameOf(record.organization)}`;
  const target = record.teams.find(({ id }) => id === team);
  return `make ${record.heir ? nameOf(record.heir) : user} owner of ${target ? nameOf(target) : team}`;
}
