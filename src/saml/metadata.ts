import { DOMParser, type Element } from '@xmldom/xmldom';
import { type Certificate, readCertificates, UnreadableCertificate } from './certificate.ts';

/** What SAML metadata tell about one identity provider. */
export interface IdentityProvider {
  entityID: string;
  /** Where people are sent to sign in; undefined when it offers no address that a browser can go to. */
  ssoURL: string | undefined;
  /** What it calls itself, if it does. */
  displayName: string | undefined;
  /** Certificates that it may sign with, in the order of the document. */
  certificates: Certificate[];
  /** Certificates that cannot be read, and why. */
  unreadable: string[];
  /** It asks for signed requests. */
  wantsSignedRequests: boolean;
}

export class UnreadableMetadata extends Error {
  override readonly name = 'UnreadableMetadata';
}

export const maxMetadataBytes = 10 * 1024 * 1024;

const saml = 'urn:oasis:names:tc:SAML:2.0:metadata';
const signature = 'http://www.w3.org/2000/09/xmldsig#';
const display = 'urn:oasis:names:tc:SAML:metadata:ui';
const protocol = 'urn:oasis:names:tc:SAML:2.0:protocol';
/** Bindings by which a browser is sent there, the simplest first. */
const bindings = ['HTTP-Redirect', 'HTTP-POST'].map((name) => `urn:oasis:names:tc:SAML:2.0:bindings:${name}`);

/**
 * The identity providers of a document: one, or those of a federation. Its signature is not judged; compare the
 * certificate's fingerprint.
 *
 * @throws UnreadableMetadata that says what the text is instead
 */
export function readMetadata(text: string): IdentityProvider[] {
  const root = rootOf(text.replace(/^\uFEFF/, '').trim());
  const entities = entitiesOf(root);
  const providers = entities.flatMap((entity) => providerOf(entity) ?? []);
  if (providers.length > 0) return providers;
  if (entities.some((entity) => entity.hasAttribute('entityID') && !isEntityId(idOf(entity))))
    throw new UnreadableMetadata('An entity id is empty or has more than 1024 characters.');
  if (entities.some((entity) => children(entity, saml, 'SPSSODescriptor').length > 0))
    throw new UnreadableMetadata('These are the metadata of a service, not of an identity provider.');
  throw new UnreadableMetadata('No identity provider for SAML 2.0 is described there.');
}

function rootOf(text: string): Element {
  if (text === '') throw new UnreadableMetadata('It is empty.');
  if (Buffer.byteLength(text) > maxMetadataBytes)
    throw new UnreadableMetadata(`It is larger than ${maxMetadataBytes / 1024 / 1024} MiB.`);
  if (/^<(!doctype )?html/i.test(text))
    throw new UnreadableMetadata(
      'It is a web page. Metadata may need another address, or signing in first; then save them to a file.',
    );
  // Metadata have none, and what it declares could make little text large.
  if (/<!DOCTYPE/i.test(text)) throw new UnreadableMetadata('It has a document type, which metadata never have.');
  refuseStructure(text);
  const root = parse(text);
  if (root?.namespaceURI !== saml)
    throw new UnreadableMetadata(
      `It is XML, but not SAML metadata: its root is <${shortened(root?.localName ?? '')}>.`,
    );
  return root;
}

/** Real metadata have some ten levels, and a few more where federations are in one another. */
const maxDepth = 100;
/** More than 10 MiB of real metadata hold, and as much as fits into memory. */
const maxParts = 300_000;
const tag = /<[^<>"']*(?:(?:"[^<"]*"|'[^<']*')[^<>"']*)*>/y;

/**
 * Refuses documents that are small and cost much: the parser looks up namespaces through all levels, who walks the
 * document calls itself at each of them, and each part takes some hundred bytes of memory.
 */
function refuseStructure(text: string): void {
  let depth = 0;
  let parts = 0;
  const after = (end: string, from: number) => {
    const at = text.indexOf(end, from);
    if (at < 0) throw new UnreadableMetadata(`It is no XML: "${end}" is missing.`);
    return at + end.length;
  };
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at)) {
    parts += 1;
    if (parts > maxParts) throw new UnreadableMetadata(`It has more than ${maxParts} elements and comments.`);
    if (text.startsWith('<!--', at)) at = after('-->', at);
    else if (text.startsWith('<![CDATA[', at)) at = after(']]>', at);
    else if (text.startsWith('<?', at)) at = after('?>', at);
    else {
      tag.lastIndex = at;
      if (!tag.test(text)) throw new UnreadableMetadata('It is no XML: a tag has no end.');
      if (text[at + 1] === '/') depth -= 1;
      else if (text[tag.lastIndex - 2] !== '/') depth += 1;
      if (depth > maxDepth) throw new UnreadableMetadata(`It has more than ${maxDepth} elements in one another.`);
      at = tag.lastIndex;
    }
  }
}

function parse(text: string): Element | null {
  let fault: string | undefined;
  // Ends at the first one: to go on with what is no XML can take hours.
  const onError = (level: string, message: string) => {
    if (level === 'warning') return;
    fault ??= message;
    throw new Error(message);
  };
  try {
    return new DOMParser({ onError }).parseFromString(text, 'text/xml').documentElement;
  } catch (error) {
    throw new UnreadableMetadata(`It is no XML: ${shortened(fault ?? (error as Error).message)}.`);
  }
}

/** What is quoted of the document, which may be long. */
const shortened = (quoted: string) => quoted.split('\n')[0]!.slice(0, 200);

function entitiesOf(element: Element): Element[] {
  if (element.localName === 'EntityDescriptor') return [element];
  return elementsOf(element).flatMap((child) => (child.namespaceURI === saml ? entitiesOf(child) : []));
}

function providerOf(entity: Element): IdentityProvider | undefined {
  const descriptor = children(entity, saml, 'IDPSSODescriptor').find((candidate) =>
    (candidate.getAttribute('protocolSupportEnumeration') ?? '').split(/\s+/).includes(protocol),
  );
  const entityID = idOf(entity);
  if (!descriptor || !isEntityId(entityID)) return undefined;
  return {
    entityID,
    ssoURL: signInOf(descriptor),
    displayName: displayNameOf(entity, descriptor),
    ...certificatesOf(descriptor),
    wantsSignedRequests: /^(true|1)$/.test(descriptor.getAttribute('WantAuthnRequestsSigned') ?? ''),
  };
}

const idOf = (entity: Element) => entity.getAttribute('entityID')?.trim() ?? '';

/** The limit is that of SAML. */
const isEntityId = (text: string) => text !== '' && text.length <= 1024;

/** Whether a browser can be sent there, and who reads the address sees where: a user name could look like a host. */
export function isSignInAddress(text: string): boolean {
  if (text.length > 2048 || !/^https?:\/\/[^\s/]\S*$/i.test(text)) return false;
  const url = URL.parse(text);
  return url !== null && url.username === '' && url.password === '';
}

function signInOf(descriptor: Element): string | undefined {
  const services = children(descriptor, saml, 'SingleSignOnService').map((service) => ({
    binding: service.getAttribute('Binding'),
    address: service.getAttribute('Location')?.trim() ?? '',
  }));
  const usable = services.filter(({ address }) => isSignInAddress(address));
  return bindings
    .map((binding) => usable.find((service) => service.binding === binding))
    .find((service) => service !== undefined)?.address;
}

/** Those for signing, and those for any use. */
function certificatesOf(descriptor: Element): Pick<IdentityProvider, 'certificates' | 'unreadable'> {
  const certificates = new Map<string, Certificate>();
  const unreadable: string[] = [];
  for (const key of children(descriptor, saml, 'KeyDescriptor')) {
    if (!['', 'signing'].includes(key.getAttribute('use') ?? '')) continue;
    for (const element of key.getElementsByTagNameNS(signature, 'X509Certificate')) {
      try {
        for (const certificate of readCertificates(element.textContent ?? ''))
          certificates.set(certificate.fingerprint, certificate);
      } catch (error) {
        if (!(error instanceof UnreadableCertificate)) throw error;
        unreadable.push(error.message);
      }
    }
  }
  return { certificates: [...certificates.values()], unreadable };
}

function displayNameOf(entity: Element, descriptor: Element): string | undefined {
  const names = [
    ...descriptor.getElementsByTagNameNS(display, 'DisplayName'),
    ...entity.getElementsByTagNameNS(saml, 'OrganizationDisplayName'),
  ];
  const english = names.find((name) => name.getAttribute('xml:lang') === 'en');
  return (english ?? names[0])?.textContent?.trim().slice(0, 200) || undefined;
}

function elementsOf(parent: Element): Element[] {
  return [...parent.childNodes].filter((node): node is Element => node.nodeType === 1);
}

function children(parent: Element, namespace: string, name: string): Element[] {
  return elementsOf(parent).filter(({ namespaceURI, localName }) => namespaceURI === namespace && localName === name);
}
