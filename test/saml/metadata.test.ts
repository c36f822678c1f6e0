import { expect, test } from 'vitest';
import { readMetadata } from '../../src/saml/metadata.ts';
import { certificates, entra, federation, keycloak, okta, provider, service } from './documents.ts';
import { isLong } from '../support/long-form.ts';

const only = (text: string) => {
  const providers = readMetadata(text);
  expect(providers).toHaveLength(1);
  return providers[0]!;
};
const subjects = (text: string) => only(text).certificates.map(({ subject }) => subject);

test("entity id, address and certificate are read from Keycloak's metadata", () => {
  expect(only(keycloak(certificates.signing))).toMatchObject({
    entityID: 'https://id.lumen.example/realms/lumen',
    ssoURL: 'https://id.lumen.example/realms/lumen/protocol/saml',
    wantsSignedRequests: true,
    certificates: [{ subject: 'CN=id.lumen.example, O=Lumen', key: 'EC prime256v1' }],
  });
});

test("they are read from Okta's metadata too, with a certificate broken into lines", () => {
  expect(only(okta(certificates.signing))).toMatchObject({
    entityID: 'http://www.okta.com/exk1lumen',
    ssoURL: 'https://lumen.okta.com/app/lumen_docs_1/exk1lumen/sso/saml',
    wantsSignedRequests: false,
    certificates: [{ subject: 'CN=id.lumen.example, O=Lumen' }],
  });
});

test("neither the signature's certificate nor that of another protocol is read from Entra's metadata", () => {
  expect(subjects(entra(certificates.next, certificates.signing))).toEqual(['CN=id.lumen.example, O=Lumen']);
});

test('a certificate for encryption is not one for signing, and one without a use is', () => {
  const text = provider('https://a.example', [
    ['encryption', certificates.encryption],
    ['signing', certificates.signing],
    ['', certificates.next],
    ['signing', certificates.signing],
  ]);

  expect(subjects(text)).toEqual(['CN=id.lumen.example, O=Lumen', 'CN=id.lumen.example next, O=Lumen']);
  expect(only(text).displayName).toBe('Sign-in');
});

test('a certificate that cannot be read is reported, and the others are used', () => {
  const text = provider('https://a.example', [
    ['signing', 'bm90IG9uZQ=='],
    ['signing', certificates.signing],
  ]);

  expect(subjects(text)).toHaveLength(1);
  expect(only(text).unreadable).toEqual(['This is not an X.509 certificate, or it is incomplete.']);
});

test('an address that a browser cannot open is ignored', () => {
  expect(only(provider('https://a.example', [['signing', certificates.signing]], 'SOAP')).ssoURL).toBeUndefined();
});

test('a federation gives all its identity providers', () => {
  const text = federation(
    provider('https://a.example', [['signing', certificates.signing]]),
    service,
    provider('https://b.example', [['signing', certificates.next]]),
  );

  expect(readMetadata(text).map(({ entityID }) => entityID)).toEqual(['https://a.example', 'https://b.example']);
});

test.for([
  ['', 'It is empty.'],
  ['<!DOCTYPE html><html></html>', 'It is a web page.'],
  ['{"issuer":"https://a.example"}', 'It is not XML'],
  ['<md:EntityDescriptor', 'It is not XML'],
  [keycloak(certificates.signing).replace('</md:IDPSSODescriptor>', ''), 'It is not XML'],
  ['<EntityDescriptor entityID="https://a.example"/>', 'It is XML, but not SAML metadata'],
  [service, 'the metadata of a service provider, not of an identity provider'],
  [
    keycloak('').replaceAll('SAML:2.0:protocol"', 'SAML:1.1:protocol"'),
    'does not describe an identity provider for SAML 2.0',
  ],
  [
    `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>${keycloak('&b;')}`,
    'It has a document type',
  ],
  [`${'<a>'.repeat(90)}`, 'It is not XML'],
  [keycloak('').replaceAll('entityID="', `entityID="${'a'.repeat(1025)}`), 'An entity ID is empty or longer than 1024'],
  [keycloak('').replaceAll(/entityID="[^"]*"/g, 'entityID=" "'), 'An entity ID is empty or longer than 1024'],
] as const)('a text that is not metadata (%#) is refused with what it is', ([text, reason]) => {
  expect(() => readMetadata(text)).toThrow(reason);
});

const saml = 'urn:oasis:names:tc:SAML:2.0';
const x509 = (text: string) =>
  `<KeyDescriptor><X509Certificate xmlns="http://www.w3.org/2000/09/xmldsig#">${text}</X509Certificate></KeyDescriptor>`;
const around = (inner: string, attributes = '') =>
  `<EntityDescriptor xmlns="${saml}:metadata" entityID="https://a.example"${attributes}><IDPSSODescriptor protocolSupportEnumeration="${saml}:protocol">${inner}</IDPSSODescriptor></EntityDescriptor>`;
const size = isLong ? 1_000_000 : 300_000;
const filled = (piece: string) => piece.repeat(Math.ceil(size / piece.length));
const numbered = (piece: (index: number) => string) =>
  Array.from({ length: size / piece(99_999).length }, (_, index) => piece(index));

// The bounds are those between linear and quadratic: the worst of these took minutes.
test.for([
  ['elements in one another', () => around('<a>'.repeat(size / 7) + '</a>'.repeat(size / 7)), 'deeper than 100 levels'],
  ['groups in one another', () => filled(`<EntitiesDescriptor xmlns="${saml}:metadata">`), 'deeper than 100 levels'],
  [
    'a namespace at each level',
    () => numbered((index) => `<a${index} xmlns:n${index}="u">`).join(''),
    'deeper than 100 levels',
  ],
  ['namespaces on one element', () => around('<a/>', numbered((index) => ` xmlns:n${index}="u"`).join('')), undefined],
  ['attributes on one element', () => around('', numbered((index) => ` a${index}=""`).join('')), undefined],
  ['the same attribute', () => around('', filled(' a=""')), 'It is not XML'],
  ['tags that do not end', () => around(filled('<')), 'It is not XML'],
  ['quotes that do not end', () => around(filled('<a b="')), 'It is not XML'],
  ['comments that do not end', () => around(filled('<!--')), 'It is not XML'],
  ['sections that do not end', () => around(filled('<![CDATA[')), 'It is not XML'],
  ['instructions that do not end', () => around(filled('<?a')), 'It is not XML'],
  ['entities that are not declared', () => around(filled('&lol;')), 'It is not XML'],
  ['ends without beginnings', () => filled('</a>'), 'It is not XML'],
  ['comments around ends', () => filled('<a><!--</a>-->'), 'deeper than 100 levels'],
  ['ends within attributes', () => filled('<a b="/>">'), 'deeper than 100 levels'],
  ['beginnings of certificates', () => around(x509(filled('-----BEGIN CERTIFICATE-----'))), undefined],
  [
    'beginnings of many kinds',
    () => around(x509(numbered((index) => `-----BEGIN A${index}-----`).join(''))),
    undefined,
  ],
  ['one certificate', () => around(x509(filled('MIIB'))), undefined],
  ['certificates', () => around(filled(x509(certificates.signing))), undefined],
  ['what is no certificate', () => around(filled(x509('bm90'))), undefined],
] as const)('a long text of %s is read or refused at once', ([, text, refusal]) => {
  const document = text();
  const start = performance.now();
  const read = () => readMetadata(document);
  if (refusal === undefined) expect(read()).toHaveLength(1);
  else expect(read).toThrow(refusal);
  expect(performance.now() - start).toBeLessThan(10_000);
});

test('a document with more elements than memory should hold is refused', () => {
  expect(() => readMetadata(around('<a/>'.repeat(400_000)))).toThrow('It has more than 300000 elements and comments.');
});

test('error messages quote only a short part', () => {
  const long = 'a'.repeat(100_000);
  for (const text of [`<${long}/>`, `<a>${`<${long}>`.repeat(2)}`, `<a ${long}`]) {
    const refusal = () => readMetadata(text);
    expect(refusal).toThrow('It ');
    expect(refusal).not.toThrow(/^[^]{400}/);
  }
});

test.for([
  'javascript:alert(1)',
  'data:text/html,x',
  'ftp://a.example',
  'https://',
  'https://a b.example/',
  'https://login.example@evil.example/',
  '//a.example',
  '',
  // Longer than any.
  `https://a.example/${'a'.repeat(2048)}`,
])('a sign-in address that is none is skipped (%#)', (address) => {
  const text = keycloak(certificates.signing).replaceAll(
    /(<md:SingleSignOnService[^>]*Location=")[^"]*/g,
    `$1${address}`,
  );
  expect(only(text).ssoURL).toBeUndefined();
});

test('where a sign-in address is invalid, another binding is used', () => {
  const text = keycloak(certificates.signing).replace(/(HTTP-Redirect" Location=")[^"]*/, '$1javascript:alert(1)');
  expect(only(text).ssoURL).toBe('https://id.lumen.example/realms/lumen/protocol/saml');
});
