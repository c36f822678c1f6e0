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
import { EngineError } from '../../shared/engine-error.ts';
import type { Customization } from '../model.ts';
import { RemoteChanges } from './remote-changes.ts';
import { openContent } from './remote-content.ts';
import { type PartSection, type RemotePart, RemotePreview } from './remote-preview.ts';
import { RemoteSpace, type SpaceAddresses } from './remote-space.ts';
import { descriptionId, RemoteSpecs } from './remote-specs.ts';
import { Pictures } from './site-pictures.ts';
import type { PreviewFile, PreviewSource } from '../preview/source.ts';

type SiteSpace = ItemOf<typeof siteSpaces.list>;
type Section = ItemOf<typeof siteSections.list>;
type Group = ItemOf<typeof sectionGroups.list>;
type Content = Awaited<ReturnType<RemotePart['content']>>;

/** What this engine needs from a command. */
export interface ServicePort {
  client: Client;
  /** Downloads files from addresses that the service returned. */
  download: { bytes(url: string): Promise<Uint8Array> };
}

interface OpenedRemote {
  source: PreviewSource;
  /** A description of the source, for messages. */
  name: string;
  /** The address of the page to open; by default the first page. */
  path?: string;
}

/** @param request a change request of the space */
export async function openSpace(
  port: ServicePort,
  { spaceId, request }: { spaceId: string; request?: string | undefined },
): Promise<OpenedRemote> {
  const space = await port.client.call(spaces.view, { params: { spaceId } });
  const reader = new ContentReader(port, space.organization);
  const content = await reader.read(space.id, addressesOf('', space, []), request);
  const part = { address: '', title: space.title, isDefault: true, content: () => Promise.resolve(content) };
  const ofRequest = content.changes ? `change request #${content.changes.number} of ` : '';
  return {
    source: new RemotePreview([part], { title: space.title, bytesOf: (id) => reader.files.bytesOf(id) }),
    name: `${ofRequest}the space "${space.title}"`,
  };
}

/** Reads a site with everything that all its pages show. */
export async function readSite({ client }: Pick<ServicePort, 'client'>, params: { orgId: string; siteId: string }) {
  const [site, { structure }, customization] = await Promise.all([
    client.call(sites.view, { params }),
    client.call(sites.structure, { params, query: {} }),
    client.call(siteCustomization.view, { params }),
  ]);
  return { site, structure, customization, places: placesIn(structure) };
}

interface SiteToOpen {
  orgId: string;
  siteId: string;
  /** The space whose first page to open. */
  space?: string | undefined;
  /** A change request of this space. */
  request?: string | undefined;
}

/** @throws EngineError if the space is not in the site */
export async function openSite(
  port: ServicePort,
  { space: named, request, ...params }: SiteToOpen,
): Promise<OpenedRemote> {
  const { client } = port;
  const { site, customization, places } = await readSite(port, params);
  const reader = new ContentReader(port, params.orgId);
  const spaceId = named === undefined ? undefined : (await client.call(spaces.view, { params: { spaceId: named } })).id;
  const own = places.find(({ siteSpace }) => siteSpace.space.id === spaceId);
  if (spaceId !== undefined && !own) {
    throw new EngineError('usage', `The space ${named} is not in the site "${site.title}".`, {
      hint: `List its spaces: docsctl sites spaces list --site ${site.id}`,
    });
  }
  if (request !== undefined && !own) {
    throw new EngineError('usage', '--cr needs the space of the change request.', {
      hint: 'Name it: docsctl preview <space> --site <site> --cr <request>',
    });
  }
  const parts = places.map((place) => {
    const { id } = place.siteSpace.space;
    let content: Promise<Content> | undefined;
    return partOf(place, () => {
      const addresses = addressesOf(place.address, place.siteSpace.space, places, customization);
      content ??= reader.read(id, addresses, id === spaceId ? request : undefined);
      // A failed request may succeed the next time.
      content.catch(() => (content = undefined));
      return content;
    });
  });
  const [first] = own ? parts.filter(({ address }) => address === own.address) : parts;
  // Read the content now, so that the command fails if, for example, the change request does not exist.
  await first?.content();
  return {
    source: new RemotePreview(parts, {
      title: site.title,
      customization,
      pictures: new Pictures(reader.files, new URL(site.urls.location).origin),
      bytesOf: (id) => reader.files.bytesOf(id),
    }),
    name: `the site "${site.title}"`,
    ...(first && first.address !== '' ? { path: first.address } : {}),
  };
}

export const partOf = ({ address, section, siteSpace }: Place, content: RemotePart['content']): RemotePart => ({
  address,
  title: siteSpace.title,
  ...(section ? { section } : {}),
  isDefault: siteSpace.default === true,
  content,
});

/** A space with its place in a site. */
export interface Place {
  siteSpace: SiteSpace;
  section?: NonNullable<RemotePart['section']>;
  address: string;
}

type Structure = AnswerOf<typeof sites.structure>['structure'];

function placesIn(structure: Structure): Place[] {
  return structure.flatMap((entry: SiteSpace | Section | Group): Place[] => {
    if (entry.object === 'site-space') return [{ siteSpace: entry, address: pathOf(entry) }];
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
    address: [pathOf(section), pathOf(siteSpace)].filter(Boolean).join('/'),
  }));
}

/** Defaults have no part in addresses. */
const pathOf = (entry: { default?: boolean | undefined; path: string }): string => (entry.default ? '' : entry.path);

/** Links to another space lead to its place in the site, or else to the application. */
export function addressesOf(
  address: string,
  { id, urls, gitSync }: Pick<SiteSpace['space'], 'id' | 'urls' | 'gitSync'>,
  places: readonly Place[],
  customization?: Customization,
): SpaceAddresses {
  return {
    address,
    gitSync,
    ...(customization && { icons: customization.styling.icons, locale: customization.internationalization.locale }),
    elsewhere(target: string) {
      const other = /^\/spaces\/([^/#]+)/.exec(target)?.[1];
      if (other === undefined) return undefined;
      const place = places.find(({ siteSpace }) => siteSpace.space.id === other);
      return place ? `/${place.address}` : urls.app.replace(id, other);
    },
  };
}

/** Reads the contents of spaces. */
export class ContentReader {
  readonly files: RemoteFiles;
  readonly specs: RemoteSpecs;
  readonly #client: Client;

  /** @param orgId of the spaces */
  constructor({ client, download }: ServicePort, orgId: string) {
    this.#client = client;
    this.files = new RemoteFiles(download);
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

  /** Opens a content that was read. */
  open(side: Side, addresses: SpaceAddresses): Promise<RemoteSpace> {
    this.files.add(side.revision.files);
    return this.#open(side, addresses);
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

/** The bytes of files, which are fetched on demand. */
export class RemoteFiles {
  readonly #files = new Map<string, RemoteFile>();
  readonly #descriptions = new Map<string, { reference: Reference; format: 'json' | 'yaml' }>();
  readonly #download: ServicePort['download'];

  constructor(download: ServicePort['download']) {
    this.#download = download;
  }

  add(files: readonly RemoteFile[]): void {
    for (const file of files) this.#files.set(file.id, file);
  }

  addDescription(spec: string, reference: Reference): void {
    for (const format of ['json', 'yaml'] as const) {
      this.#descriptions.set(descriptionId(spec, format), { reference, format });
    }
  }

  /** The hosts that files of the content come from. */
  get origins(): ReadonlySet<string> {
    return new Set([...this.#files.values()].map(({ downloadURL }) => new URL(downloadURL).origin));
  }

  /** The bytes at an address that is not a file of the content. */
  bytesAt(url: string): Promise<Uint8Array> {
    return this.#download.bytes(url);
  }

  async bytesOf(id: string): Promise<PreviewFile | undefined> {
    const description = this.#descriptions.get(id);
    if (description) {
      const { reference, format } = description;
      const { descriptionText } = await import('../../openapi/reference/index.ts');
      const bytes = Buffer.from(await descriptionText(reference.document, format));
      return { contentType: `application/${format}`, bytes };
    }
    const file = this.#files.get(id);
    return file && { contentType: file.contentType, bytes: await this.#download.bytes(file.downloadURL) };
  }
}
