import { DOMParser, type Element } from '@xmldom/xmldom';
import { messageOf } from '../shared/error-text.ts';
import { type Certificate, readCertificates, UnreadableCertificate } from './certificate.ts';

/** One identity provider in SAML metadata. */
export interface IdentityProvider {
  entityID: string;
  /** Where people sign in; undefined if no address works in a browser. */
  ssoURL: string | undefined;
  /** The name it gives itself. */
  displayName: string | undefined;
  /** Certificates for signing, in the order of the document. */
  certificates: Certificate[];
  /** Why certificates cannot be read, one text for each. */
  unreadable: string[];
  /** Whether it requires signed requests. */
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
/** Bindings that a browser can use, the simplest first. */
const bindings = ['HTTP-Redirect', 'HTTP-POST'].map((name) => `urn:oasis:names:tc:SAML:2.0:bindings:${name}`);

/**
 * The identity providers in a document: one, or all of a federation. The signature is not checked, because people compare
 * the fingerprint of the certificate.
 *
 * @throws UnreadableMetadata that says what the text is instead
 */
export function readMetadata(text: string): IdentityProvider[] {
  const root = rootOf(text.replace(/^\uFEFF/, '').trim());
  const entities = entitiesOf(root);
  const providers = entities.flatMap((entity) => providerOf(entity) ?? []);
  if (providers.length > 0) return providers;
  if (entities.some((entity) => entity.hasAttribute('entityID') && !isEntityId(idOf(entity))))
    throw new UnreadableMetadata('An entity ID is empty or longer than 1024 characters.');
  if (entities.some((entity) => children(entity, saml, 'SPSSODescriptor').length > 0))
    throw new UnreadableMetadata('It is the metadata of a service provider, not of an identity provider.');
  throw new UnreadableMetadata('It does not describe an identity provider for SAML 2.0.');
}

function rootOf(text: string): Element {
  if (text === '') throw new UnreadableMetadata('It is empty.');
  if (Buffer.byteLength(text) > maxMetadataBytes)
    throw new UnreadableMetadata(`It is larger than ${maxMetadataBytes / 1024 / 1024} MiB.`);
  if (/^<(!doctype )?html/i.test(text))
    throw new UnreadableMetadata(
      'It is a web page. The metadata may have another address. If you have to sign in to see it, save it to a file.',
    );
  // A document type may declare entities that make a small text large.
  if (/<!DOCTYPE/i.test(text))
    throw new UnreadableMetadata('It has a document type (<!DOCTYPE>), which metadata must not have.');
  refuseStructure(text);
  const root = parse(text);
  if (root?.namespaceURI !== saml)
    throw new UnreadableMetadata(
      `It is XML, but not SAML metadata: its root is <${shortened(root?.localName ?? '')}>.`,
    );
  return root;
}

/** Real metadata has about ten levels, and a few more if a federation contains another one. */
const maxDepth = 100;
/** More than in 10 MiB of real metadata, and few enough to fit in memory. */
const maxParts = 300_000;
const tag = /<[^<>"']*(?:(?:"[^<"]*"|'[^<']*')[^<>"']*)*>/y;

/**
 * Refuses documents that are small but expensive: the parser looks up namespaces through all levels, walking the document
 * is recursive, and each part takes some hundred bytes of memory.
 */
function refuseStructure(text: string): void {
  let depth = 0;
  let parts = 0;
  const behind = (end: string, from: number) => {
    const index = text.indexOf(end, from);
    if (index < 0) throw new UnreadableMetadata(`It is not XML: "${end}" is missing.`);
    return index + end.length;
  };
  for (let offset = text.indexOf('<'); offset >= 0; offset = text.indexOf('<', offset)) {
    parts += 1;
    if (parts > maxParts) throw new UnreadableMetadata(`It has more than ${maxParts} elements and comments.`);
    if (text.startsWith('<!--', offset)) offset = behind('-->', offset);
    else if (text.startsWith('<![CDATA[', offset)) offset = behind(']]>', offset);
    else if (text.startsWith('<?', offset)) offset = behind('?>', offset);
    else {
      tag.lastIndex = offset;
      if (!tag.test(text)) throw new UnreadableMetadata('It is not XML: a tag has no end.');
      if (text[offset + 1] === '/') depth -= 1;
      else if (text[tag.lastIndex - 2] !== '/') depth += 1;
      if (depth > maxDepth) throw new UnreadableMetadata(`Its elements are nested deeper than ${maxDepth} levels.`);
      offset = tag.lastIndex;
    }
  }
}

function parse(text: string): Element | null {
  let problem: string | undefined;
  // Stops at the first problem, because continuing with a text that is not XML can take hours.
  const onError = (level: string, message: string) => {
    if (level === 'warning') return;
    problem ??= message;
    throw new Error(message);
  };
  try {
    return new DOMParser({ onError }).parseFromString(text, 'text/xml').documentElement;
  } catch (error) {
    throw new UnreadableMetadata(`It is not XML: ${shortened(problem ?? messageOf(error))}.`);
  }
}

/** Shortened, because the document may contain long texts. */
const shortened = (quoted: string) => quoted.split('\n', 1).join('').slice(0, 200);

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

/** The limit is that of the SAML specification. */
const isEntityId = (text: string) => text !== '' && text.length <= 1024;

/** Whether an address works in a browser and has no user name, which could look like a host. */
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

/** The certificates for signing or for any use. */
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
