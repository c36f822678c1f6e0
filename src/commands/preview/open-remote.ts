import { scopeOf } from '../../cli/command/invocation.ts';
import { UsageError } from '../../cli/program/failure.ts';
import type { Client } from '../../client/client.ts';
import { changeRequests } from '../../contract/change-requests.ts';
import type { AnswerOf, ItemOf } from '../../contract/endpoint.ts';
import type { sectionGroups } from '../../contract/section-groups.ts';
import { siteCustomization } from '../../contract/site-customization.ts';
import type { siteSections } from '../../contract/site-sections.ts';
import type { siteSpaces } from '../../contract/site-spaces.ts';
import { sites } from '../../contract/sites.ts';
import { spaces } from '../../contract/spaces.ts';
import type { Reference } from '../../openapi/reference/index.ts';
import { currentMain, readSides, type Side } from '../../change-requests/read-sides.ts';
import { downloaderOf } from '../shared/download.ts';
import { RemoteChanges } from './remote-changes.ts';
import { openContent } from './remote-content.ts';
import { type PartSection, type RemotePart, RemotePreview } from './remote-preview.ts';
import { RemoteSpace, type SpaceAddresses } from './remote-space.ts';
import { descriptionId, RemoteSpecs } from './remote-specs.ts';
import type { Customization } from './site-customization.ts';
import { Pictures } from './site-pictures.ts';
import type { OpenedSource, PreviewInvocation } from './opened-source.ts';
import type { PreviewFile } from './source.ts';

type SiteSpace = ItemOf<typeof siteSpaces.list>;
type Section = ItemOf<typeof siteSections.list>;
type Group = ItemOf<typeof sectionGroups.list>;
type Content = Awaited<ReturnType<RemotePart['content']>>;

/** A space, a change request or a site of the service. */
export async function openRemote(invocation: PreviewInvocation): Promise<OpenedSource> {
  const { args, flags } = invocation;
  const client = await invocation.client();
  const files = new RemoteFiles(invocation);
  if (flags.site !== undefined) return openSite(invocation, client, files);
  const spaceId = args.source ?? (await scopeOf(invocation, 'space'));
  const space = await client.call(spaces.view, { params: { spaceId } });
  const reader = new ContentReader(client, files, space.organization);
  const content = await reader.read(space.id, addressesOf('', space, []), flags.cr);
  const part: RemotePart = {
    address: '',
    title: space.title,
    isDefault: true,
    content: () => Promise.resolve(content),
  };
  const request = content.changes ? `change request #${content.changes.number} of ` : '';
  return {
    source: new RemotePreview([part], { title: space.title, bytesOf: (id) => files.bytesOf(id) }),
    name: `${request}the space "${space.title}"`,
    close: () => files.close(),
  };
}

async function openSite(invocation: PreviewInvocation, client: Client, files: RemoteFiles): Promise<OpenedSource> {
  const { args, flags } = invocation;
  const params = { orgId: await scopeOf(invocation, 'org'), siteId: await scopeOf(invocation, 'site') };
  const [site, { structure }, customization] = await Promise.all([
    client.call(sites.view, { params }),
    client.call(sites.structure, { params, query: {} }),
    client.call(siteCustomization.view, { params }),
  ]);
  const reader = new ContentReader(client, files, params.orgId);
  const named = args.source ?? flags.space;
  const spaceId = named === undefined ? undefined : (await client.call(spaces.view, { params: { spaceId: named } })).id;
  const placed = placesIn(structure);
  const own = placed.find(({ siteSpace }) => siteSpace.space.id === spaceId);
  if (spaceId !== undefined && !own) {
    throw new UsageError(
      `The space ${named} is not in the site "${site.title}".`,
      `List its spaces: docsctl sites spaces list --site ${site.id}`,
    );
  }
  if (flags.cr !== undefined && !own) {
    throw new UsageError(
      '--cr needs the space of the change request.',
      'Name it: docsctl preview <space> --site <site> --cr <request>',
    );
  }
  const parts = placed.map(({ siteSpace, section, address }): RemotePart => {
    let content: Promise<Content> | undefined;
    return {
      address,
      title: siteSpace.title,
      ...(section ? { section } : {}),
      isDefault: siteSpace.default === true,
      content: () => {
        const request = siteSpace.space.id === spaceId ? flags.cr : undefined;
        content ??= reader.read(
          siteSpace.space.id,
          addressesOf(address, siteSpace.space, placed, customization),
          request,
        );
        // What failed may work the next time.
        content.catch(() => (content = undefined));
        return content;
      },
    };
  });
  const [first] = own ? parts.filter(({ address }) => address === own.address) : parts;
  // Problems such as a missing change request are errors of the command.
  await first?.content();
  return {
    source: new RemotePreview(parts, {
      title: site.title,
      customization,
      pictures: new Pictures(files, new URL(site.urls.location).origin),
      bytesOf: (id) => files.bytesOf(id),
    }),
    name: `the site "${site.title}"`,
    ...(first && first.address !== '' ? { path: first.address } : {}),
    close: () => files.close(),
  };
}

/** A space with its place in a site. */
export interface Place {
  siteSpace: SiteSpace;
  section?: NonNullable<RemotePart['section']>;
  address: string;
}

type Structure = AnswerOf<typeof sites.structure>['structure'];

export function placesIn(structure: Structure): Place[] {
  return structure.flatMap((entry: SiteSpace | Section | Group): Place[] => {
    if (entry.object === 'site-space') return [{ siteSpace: entry, address: partOf(entry) }];
    if (entry.object === 'site-section') return placesInSection(entry);
    const { id, title, icon } = entry;
    return entry.sections.flatMap((section) => placesInSection(section, { id, title, icon }));
  });
}

function placesInSection(
  { id, title, icon, description, siteSpaces: inside, ...section }: Section,
  group?: PartSection['group'],
): Place[] {
  return inside.map((siteSpace) => ({
    siteSpace,
    section: { id, title, icon, description, group },
    address: [partOf(section), partOf(siteSpace)].filter(Boolean).join('/'),
  }));
}

/** A default has no part of the address of its own. */
const partOf = (entry: { default?: boolean | undefined; path: string }): string => (entry.default ? '' : entry.path);

/** Links to another space lead to its place in the site, else into the application. */
export function addressesOf(
  address: string,
  { id, urls }: Pick<SiteSpace['space'], 'id' | 'urls'>,
  places: readonly Place[],
  customization?: Customization,
): SpaceAddresses {
  return {
    address,
    ...(customization && { icons: customization.styling.icons, locale: customization.internationalization.locale }),
    elsewhere(target: string) {
      const other = /^\/spaces\/([^/#]+)/.exec(target)?.[1];
      if (other === undefined) return undefined;
      const place = places.find(({ siteSpace }) => siteSpace.space.id === other);
      return place ? `/${place.address}` : urls.app.replace(id, other);
    },
  };
}

/** Reads contents of spaces. */
export class ContentReader {
  readonly files: RemoteFiles;
  readonly specs: RemoteSpecs;
  readonly #client: Client;

  /** @param orgId of the spaces */
  constructor(client: Client, files: RemoteFiles, orgId: string) {
    this.#client = client;
    this.files = files;
    this.specs = new RemoteSpecs(client, orgId);
  }

  async read(spaceId: string, addresses: SpaceAddresses, request: string | undefined): Promise<Content> {
    if (request === undefined) {
      const side = await currentMain(this.#client, spaceId);
      this.files.add(side.revision.files);
      return { space: await this.#open(side, addresses) };
    }
    const params = { spaceId, changeRequestId: request };
    const changeRequest = await this.#client.call(changeRequests.view, { params });
    const { before, after } = await readSides(this.#client, spaceId, changeRequest);
    this.files.add([...before.revision.files, ...after.revision.files]);
    const space = await this.#open(after, addresses);
    return { space, changes: new RemoteChanges(changeRequest.number, await this.#open(before, addresses), space) };
  }

  async #open(side: Side, addresses: SpaceAddresses): Promise<RemoteSpace> {
    const { specs, files } = this;
    const content = await openContent(side, { specs, bytesOf: (id) => files.bytesOf(id) });
    for (const { request, reference } of content.references.values()) {
      if (request.hasDownload) files.addDescription(request.spec, reference);
    }
    return new RemoteSpace(content, addresses);
  }
}

export interface RemoteFile {
  id: string;
  contentType: string;
  downloadURL: string;
}

/** The bytes of files, fetched when a page shows them. */
export class RemoteFiles {
  readonly #files = new Map<string, RemoteFile>();
  readonly #descriptions = new Map<string, Reference>();
  readonly #download: ReturnType<typeof downloaderOf>;

  constructor(invocation: Pick<PreviewInvocation, 'session' | 'client'>) {
    this.#download = downloaderOf(invocation);
  }

  add(files: readonly RemoteFile[]): void {
    for (const file of files) this.#files.set(file.id, file);
  }

  addDescription(spec: string, reference: Reference): void {
    this.#descriptions.set(descriptionId(spec), reference);
  }

  /** The hosts that files of the content come from. */
  get origins(): ReadonlySet<string> {
    return new Set([...this.#files.values()].map(({ downloadURL }) => new URL(downloadURL).origin));
  }

  /** Bytes at an address that is no file of the content. */
  bytesAt(url: string): Promise<Uint8Array> {
    return this.#download.bytes(url);
  }

  async bytesOf(id: string): Promise<PreviewFile | undefined> {
    const description = this.#descriptions.get(id);
    if (description) {
      const bytes = Buffer.from(`${JSON.stringify(description.document, undefined, 2)}\n`);
      return { contentType: 'application/json', bytes };
    }
    const file = this.#files.get(id);
    return file && { contentType: file.contentType, bytes: await this.#download.bytes(file.downloadURL) };
  }

  close(): Promise<void> {
    return this.#download.close();
  }
}
