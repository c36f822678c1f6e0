import type { Named, OffboardingRecord, Step } from './record.ts';

export const nameOf = ({ title, id }: Named) => `${title} (${id})`;
const maxText = 60;

/** What a member has and what happens to it, as lines of text. */
export function planText(record: OffboardingRecord): string[] {
  const { member, organization, heir, teams, changeRequests, comments, levels, links, unread, steps } = record;
  const section = (title: string, note: string, items: string[]) => [
    `${title}: ${items.length}${items.length === 0 ? '' : note}`,
    ...items.map((item) => `  ${item}`),
  ];
  return [
    `${nameOf(member)}, ${member.role ?? 'guest'} in ${nameOf(organization)}`,
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
      heir ? `, of which a comment tells that ${heir.title} takes over` : ', which stay',
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
    ...section(
      'Invite links that they created',
      ', which still work',
      links.map(({ id, text }) => `${id}, ${text}`),
    ),
    ...(record.otherLinks > 0
      ? [`Invite links of which the journal does not know the creator: ${record.otherLinks}`]
      : []),
    ...(unread.length > 0 ? section('Spaces that could not be read', '', unread.map(nameOf)) : []),
    'Steps:',
    ...steps.map((step, index) => `  ${index + 1}. ${stepText(step, record)}`),
  ];
}

/** What became of each step, as lines of text. */
export function progressText(record: OffboardingRecord, file: string): string[] {
  const lines = record.steps.map((step) => {
    const word =
      step.result === 'planned' ? 'not tried' : step.result === 'unknown' ? 'may have been done' : step.result;
    return `${word}: ${stepText(step, record)}`;
  });
  return [...lines, `The record is in ${file}.`];
}

function firstLine(text: string): string {
  const [line = ''] = text.trim().split('\n');
  return line.length > maxText ? `${line.slice(0, maxText)}…` : line;
}

export function stepText({ action, user, team, changeRequest }: Step, record: OffboardingRecord): string {
  if (action === 'remove from organization')
    return `remove ${nameOf(record.member)} from ${nameOf(record.organization)}`;
  const heir = record.heir ? nameOf(record.heir) : user;
  if (action === 'hand over') {
    const request = record.changeRequests.find(({ id }) => id === changeRequest);
    return `hand over ${request ? `#${request.number} ${request.subject}` : changeRequest} to ${heir}`;
  }
  const target = record.teams.find(({ id }) => id === team);
  return `make ${heir} owner of ${target ? nameOf(target) : team}`;
}
