import { KnownIds } from './known-ids.ts';
import type { Service } from './service.ts';

/** A person with each role. */
export const people = ['admin', 'create', 'edit', 'review', 'comment', 'read'] as const;
export type Person = (typeof people)[number];

/** An organization with at least two objects of each kind that commands change. */
export class SmallOrganization extends KnownIds {
  readonly service: Service;
  readonly id: string;
  readonly users = new Map<Person, string>();

  private constructor(service: Service) {
    super();
    this.service = service;
    this.id = service.organization;
    this.add(this.id, 'organization');
    this.add(service.admin, 'user');
  }

  /** The same organization on a copy of its service. */
  copy(service: Service): SmallOrganization {
    const copy = new SmallOrganization(service);
    for (const [kind, ids] of this.all()) for (const id of ids) copy.add(id, kind);
    for (const [person, id] of this.users) copy.users.set(person, id);
    return copy;
  }

  static async create(service: Service): Promise<SmallOrganization> {
    const made = new SmallOrganization(service);
    for (const role of people) {
      const id = await service.newMember(made.id, { name: role, email: `${role}@example.org`, role });
      made.users.set(role, id);
      made.add(id, 'user');
    }
    await made.#addTeamsAndSpaces();
    await made.#addContent();
    await made.#addSites();
    await service.settle();
    return made;
  }

  async #make(kind: string, path: string, body: object, method = 'POST'): Promise<string> {
    const answer = await this.service.call(method, path, body);
    this.learn(answer);
    if (typeof answer?.id === 'string') this.add(answer.id, kind);
    return String(answer?.id);
  }

  async #addTeamsAndSpaces(): Promise<void> {
    const org = `/v1/orgs/${this.id}`;
    for (const title of ['Writers', 'Readers']) {
      const team = await this.#make('team', `${org}/teams`, { title }, 'PUT');
      const memberships = {
        [this.users.get('read') ?? '']: { role: 'member' },
        [this.users.get('edit') ?? '']: { role: 'owner' },
      };
      await this.service.call('PUT', `${org}/teams/${team}/members`, { memberships });
    }
    const outer = await this.#make('collection', `${org}/collections`, { title: 'Outer' });
    await this.#make('collection', `${org}/collections`, { title: 'Inner', parent: outer });
    for (const title of ['Guide', 'Manual', 'Notes'])
      await this.#make('space', `${org}/spaces`, { title, ...(title === 'Notes' && { parent: outer }) });
    for (const name of ['alpha', 'beta'])
      await this.service.call('POST', `${org}/custom-fields`, { name, title: name, type: 'text' });
    await this.#make('saml-provider', `${org}/saml`, { label: 'Okta' });
    await this.#make('translation', `${org}/translations`, { title: 'German', languages: ['de'] }).catch(() => '');
  }

  async #addContent(): Promise<void> {
    const [guide, manual] = this.idsOf('space');
    await this.#make('invite', `/v1/orgs/${this.id}/link-invites`, { space: guide, level: 'edit' });
    for (const space of [guide, manual]) {
      const markdown = `# Start\n\nSee [it](/spaces/${guide}).\n`;
      const change = { operation: 'insert_page', title: 'Start', document: { markdown } };
      const base = `/v1/spaces/${space}`;
      await this.service.call('POST', `${base}/content`, { changes: [change] });
      await this.#make('change-request', `${base}/change-requests`, { subject: 'Draft' });
      const comment = await this.#make('comment', `${base}/comments`, { body: { markdown: 'Why?' } });
      await this.#make('comment-reply', `${base}/comments/${comment}/replies`, { body: { markdown: 'So.' } });
    }
  }

  async #addSites(): Promise<void> {
    const sites = `/v1/orgs/${this.id}/sites`;
    const spaces = this.idsOf('space');
    const flat = await this.#make('site', sites, { title: 'Flat' });
    for (const spaceId of spaces.slice(0, 2))
      await this.#make('site-space', `${sites}/${flat}/site-spaces`, { spaceId });
    const deep = await this.#make('site', sites, { title: 'Deep' });
    const sections: string[] = [];
    for (const spaceId of spaces)
      sections.push(await this.#make('site-section', `${sites}/${deep}/sections`, { spaceId }));
    for (const title of ['One', 'Two'])
      await this.#make('site-section-group', `${sites}/${deep}/section-groups`, { title, sections: [] });
    await this.#make('share-link', `${sites}/${flat}/share-links`, { name: 'For Ada' });
    this.learn(await this.service.call('GET', `${sites}/${deep}/structure`));
  }
}
