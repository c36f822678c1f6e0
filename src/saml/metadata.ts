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
  const root = parse(text);
  if (root?.namespaceURI !== saml)
    throw new UnreadableMetadata(`It is XML, but not SAML metadata: its root is <${root?.localName ?? ''}>.`);
  return root;
}

function parse(text: string): Element | null {
  let fault: string | undefined;
  const onError = (level: string, message: string) => {
    if (level !== 'warning') fault ??= message;
  };
  let root: Element | null = null;
  try {
    root = new DOMParser({ onError }).parseFromString(text, 'text/xml').documentElement;
  } catch (error) {
    fault ??= (error as Error).message;
  }
  if (fault !== undefined) throw new UnreadableMetadata(`It is no XML: ${fault.split('\n')[0]}.`);
  return root;
}

function entitiesOf(element: Element): Element[] {
  if (element.localName === 'EntityDescriptor') return [element];
  return elementsOf(element).flatMap((child) => (child.namespaceURI === saml ? entitiesOf(child) : []));
}

function providerOf(entity: Element): IdentityProvider | undefined {
  const descriptor = children(entity, saml, 'IDPSSODescriptor').find((candidate) =>
    (candidate.getAttribute('protocolSupportEnumeration') ?? '').split(/\s+/).includes(protocol),
  );
  const entityID = entity.getAttribute('entityID')?.trim();
  if (!descriptor || !entityID) return undefined;
  return {
    entityID,
    ssoURL: signInOf(descriptor),
    displayName: displayNameOf(entity, descriptor),
    ...certificatesOf(descriptor),
    wantsSignedRequests: /^(true|1)$/.test(descriptor.getAttribute('WantAuthnRequestsSigned') ?? ''),
  };
}

function signInOf(descriptor: Element): string | undefined {
  const services = children(descriptor, saml, 'SingleSignOnService');
  return bindings
    .map((binding) => services.find((service) => service.getAttribute('Binding') === binding))
    .find((service) => service !== undefined)
    ?.getAttribute('Location')
    ?.trim();
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
  return (english ?? names[0])?.textContent?.trim() || undefined;
}

function elementsOf(parent: Element): Element[] {
  return [...parent.childNodes].filter((node): node is Element => node.nodeType === 1);
}

function children(parent: Element, namespace: string, name: string): Element[] {
  return elementsOf(parent).filter(({ namespaceURI, localName }) => namespaceURI === namespace && localName === name);
}
