import { roles } from '../contract/access.ts';
import { members } from '../contract/members.ts';
import { accessOf, collectionsOf } from '../organization/access.ts';
import { html, type Html } from '../site/html.ts';
import { command, draw } from './frame.ts';
import { pager, readPage } from './lists.ts';
import { organizationFrame } from './organization-frame.ts';
import type { AppResponse } from './port.ts';
import { date } from './times.ts';
import { hrefOf, type Visit } from './visit.ts';

const roleWords = [...roles.toReversed(), 'guest'] as const;
type RoleWord = (typeof roleWords)[number];
const isRole = (text: string | null): text is RoleWord => roleWords.some((role) => role === text);

const sorts = { joinedAt: 'joined', lastSeenAt: 'last seen' } as const;

/** The members, with the filters of the API. */
export async function peoplePage(visit: Visit, orgId: string): Promise<AppResponse> {
  const { query } = visit;
  const { org, frame } = await organizationFrame(visit, orgId, { tab: 'people' });
  const [role, search] = [query.get('role'), query.get('search')?.trim() ?? ''];
  const sort = query.get('sort') === 'lastSeenAt' ? 'lastSeenAt' : 'joinedAt';
  const order = query.get('order') === 'asc' ? 'asc' : 'desc';
  const filters = { sort, order, ...(isRole(role) && { role }), ...(search !== '' && { search }) } as const;
  const input = { params: { orgId: org.id }, query: filters };
  const list = await readPage(visit.client, members.list, input, query.get('page'));
  const rows = list.items.map(
    (member) =>
      html`<tr>
        <td><a href="${hrefOf(visit, org.id, 'people', member.id)}">${member.user.displayName}</a></td>
        <td>${member.user.email ?? ''}</td>
        <td>${member.role ?? 'guest'}${member.disabled && html` <span class="app-state app-bad">disabled</span>`}</td>
        <td>${date(member.joinedAt)}</td>
        <td>${member.lastSeenAt === undefined ? '' : date(member.lastSeenAt)}</td>
      </tr>`,
  );
  return draw(frame, {
    title: 'People',
    html: html`<div class="app-wide">
      ${filterForm({ role, search, sort, order })}
      <p class="app-facts">${list.count.toLocaleString('en')} ${list.count === 1 ? 'person' : 'people'}</p>
      <div class="table" tabindex="0" role="region" aria-label="People">
        <table>
          <thead>
            <tr>
              <th>Name</th>
              <th>Email</th>
              <th>Role</th>
              <th>Joined</th>
              <th>Last seen</th>
            </tr>
          </thead>
          <tbody>
            ${rows}
          </tbody>
        </table>
      </div>
      ${pager(visit, list)}
      <h2>On the command line</h2>
      ${command('members', 'list', '--org', org.id, ...(isRole(role) ? ['--role', role] : []), ...(search === '' ? [] : ['--search', search]))}
    </div>`,
  });
}

interface Filters {
  role: string | null;
  search: string;
  sort: keyof typeof sorts;
  order: 'asc' | 'desc';
}

const option = (value: string, text: string, chosen: string): Html =>
  html`<option value="${value}" ${value === chosen && html` selected`}>${text}</option>`;

const filterForm = ({ role, search, sort, order }: Filters): Html =>
  html`<form class="app-form" role="search" aria-label="People">
    <label>Name or email<input type="search" name="search" value="${search}" maxlength="512" /></label>
    <label
      >Role<select name="role">
        ${option('', 'all', role ?? '')}${roleWords.map((word) => option(word, word, role ?? ''))}
      </select></label
    >
    <label
      >Sort by<select name="sort">
        ${Object.entries(sorts).map(([value, text]) => option(value, text, sort))}
      </select></label
    >
    <label
      >Order<select name="order">
        ${option('desc', 'latest first', order)}${option('asc', 'earliest first', order)}
      </select></label
    >
    <button class="button button-primary">Filter</button>
  </form>`;

/** A member: the teams, and what they can see and why. */
export async function personPage(visit: Visit, orgId: string, userId: string): Promise<AppResponse> {
  const { client } = visit;
  const member = await client.call(members.view, { params: { orgId, userId } });
  const { org, frame } = await organizationFrame(visit, orgId, { tab: 'people' });
  const params = { orgId: org.id, userId };
  const collections = await collectionsOf(client, org.id);
  const [access, teams] = await Promise.all([
    accessOf({ client, orgId: org.id, collections }, member),
    readPage(client, members.teams, { params }),
  ]);
  const shown = access.slice(0, maxAccess);
  const rows = shown.map(
    ({ space, level, reason }) =>
      html`<tr>
        <td><a href="${hrefOf(visit, org.id, 's', space.id)}">${space.title === '' ? 'Untitled' : space.title}</a></td>
        <td>${level}</td>
        <td>${reason}</td>
      </tr>`,
  );
  return draw(frame, {
    title: member.user.displayName,
    breadcrumbs: [{ title: 'People', href: hrefOf(visit, org.id, 'people') }],
    html: html`<p class="app-facts">
        ${member.user.email ?? ''} ${member.role ?? 'guest'}${member.disabled && html`, <strong>disabled</strong>`},
        joined
        ${date(member.joinedAt)}${member.lastSeenAt !== undefined && html`, last seen ${date(member.lastSeenAt)}`}
      </p>
      <h2>What they can see, and why</h2>
      ${
        rows.length === 0
          ? html`<p>No spaces.</p>`
          : html`<div class="table" tabindex="0" role="region" aria-label="Access">
              <table>
                <thead>
                  <tr>
                    <th>Space</th>
                    <th>Level</th>
                    <th>Why</th>
                  </tr>
                </thead>
                <tbody>
                  ${rows}
                </tbody>
              </table>
            </div>`
      }
      ${access.length > maxAccess && html`<p>${access.length - maxAccess} more spaces: use the command line.</p>`}
      <h2>Teams</h2>
      ${
        teams.items.length === 0
          ? html`<p>No teams.</p>`
          : html`<ul class="app-rows app-tight">
              ${teams.items.map(({ team, member: { role } }) => html`<li>${team.title} <span class="app-facts">${role}</span></li>`)}
            </ul>`
      }
      <h2>On the command line</h2>
      ${command('access', 'list', '--member', member.id)}
      ${org.permissions.admin && command('members', 'edit', member.id, '--role', 'edit')}`,
  });
}

const maxAccess = 200;
