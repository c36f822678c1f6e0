import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder, Service } from '../world/service.ts';

/** The words to replace, and what is written instead: it occurs nowhere else. */
export const words = { old: 'pump', new: 'heat valve' };
/** A link that `links check --fix` corrects, because only its spelling is wrong. */
export const links = { old: '(#First-Part)', new: '(#first-part)' };

const slots = [0, 1, 2];

/** A page with places that a campaign changes and places that it must leave alone. */
export const pageText = (title: string): string =>
  [
    `# ${title}`,
    '## First part',
    ...slots.map((slot) => `Slot ${slot} has w0 and a ${words.old}, [a link](https://${words.old}.example/a) too.`),
    `Code: \`${words.old} --start\`.`,
    `See [the first part]${links.old}.`,
    `\`\`\`sh\n${words.old}\n\`\`\``,
  ].join('\n\n') + '\n';

/** The text as its authors wrote it, whatever campaigns changed in it. */
export const asWritten = (text: string): string =>
  text.replaceAll(`a ${words.new},`, `a ${words.old},`).replaceAll(links.new, links.old);

/** The text after all campaigns. */
export const asReplaced = (text: string): string => text.replaceAll(`a ${words.old},`, `a ${words.new},`);

/** Somebody writes a word that occurs nowhere else. */
export const withWord = (text: string, slot: number, word: number): string =>
  text.replace(new RegExp(`Slot ${slot} has w\\d+ `), `Slot ${slot} has w${word} `);

export interface Page {
  id: string;
  title: string;
  text: string;
}

export interface OpenRequest {
  id: string;
  number: number;
  subject: string;
  status: string;
}

const pagesIn = 3;
const maxHistory = 10;

/** Two spaces and a folder. */
export class World {
  readonly service: Service;
  readonly organization: string;
  readonly spaces: readonly string[];
  readonly folder: string;

  private constructor(service: Service, organization: string, spaces: readonly string[], folder: string) {
    this.service = service;
    this.organization = organization;
    this.spaces = spaces;
    this.folder = folder;
  }

  static async open(service: Service): Promise<World> {
    const organization = await service.newOrganization('Campaigns');
    const spaces: string[] = [];
    for (const name of ['One', 'Two']) {
      const { id } = await service.call('POST', `/v1/orgs/${organization}/spaces`, { title: name });
      const titles = Array.from({ length: pagesIn }, (_, index) => `${name} ${index}`);
      const changes = titles.map((title) => ({
        operation: 'insert_page',
        title,
        document: { markdown: pageText(title) },
      }));
      await edit(service, id, changes);
      spaces.push(id);
    }
    const folder = await makeFolder('campaigns');
    const world = new World(service, organization, spaces, folder);
    mkdirSync(world.docs);
    for (const file of world.files) writeFileSync(file, pageText(file.slice(-4, -3)));
    return world;
  }

  get docs(): string {
    return join(this.folder, 'docs');
  }

  get files(): string[] {
    return Array.from({ length: pagesIn }, (_, index) => join(this.docs, `${index}.md`));
  }

  textOf = (file: string): string => readFileSync(file, 'utf8');

  /** The pages of main content, or of a change request. */
  async pages(space: string, request?: string): Promise<Page[]> {
    const base = `/v1/spaces/${space}${request === undefined ? '' : `/change-requests/${request}`}/content`;
    const { pages } = await this.service.call('GET', `${base}?metadata=false`);
    const read = (pages as Page[]).map(async ({ id, title }) => {
      const { markdown } = await this.service.call('GET', `${base}/page/${id}?format=markdown&metadata=false`);
      return { id, title, text: markdown as string };
    });
    return Promise.all(read);
  }

  /** Change requests that are neither merged nor archived. */
  async requests(space: string): Promise<OpenRequest[]> {
    const lists = ['draft', 'open'].map(async (status): Promise<OpenRequest[]> => {
      const query = `status=${status}&limit=1000`;
      return (await this.service.call('GET', `/v1/spaces/${space}/change-requests?${query}`)).items;
    });
    return (await Promise.all(lists)).flat();
  }

  /** The last texts of a page of a change request, newest first. */
  async history(space: string, request: string, page: string): Promise<string[]> {
    const { revision } = await this.service.call('GET', `/v1/spaces/${space}/change-requests/${request}`);
    const texts: string[] = [];
    for (let id = revision, steps = 0; id !== undefined && steps < maxHistory; steps += 1) {
      const base = `/v1/spaces/${space}/revisions/${id}`;
      const answer = await this.service.tryCall('GET', `${base}/page/${page}?format=markdown&metadata=false`);
      // Before the page was there.
      if (answer.status !== 200) break;
      texts.push(answer.body.markdown);
      [id] = (await this.service.call('GET', `${base}?metadata=false`)).parents;
    }
    return texts;
  }

  /** Somebody writes a word into a page of main content, or of a change request. */
  async write(space: string, page: Page, markdown: string, request?: string): Promise<void> {
    const change = { operation: 'update_page', page: page.id, document: { markdown } };
    await edit(this.service, space, [change], request);
  }

  close(): void {
    rmSync(this.folder, { recursive: true });
  }
}

async function edit(service: Service, space: string, changes: object[], request?: string): Promise<void> {
  const base = `/v1/spaces/${space}/change-requests`;
  const id = request ?? (await service.call('POST', base, { subject: 'In the app' })).id;
  await service.call('POST', `${base}/${id}/content`, { changes });
  if (request !== undefined) return;
  await service.call('PATCH', `${base}/${id}`, { status: 'open' });
  await service.call('POST', `${base}/${id}/merge`);
}
