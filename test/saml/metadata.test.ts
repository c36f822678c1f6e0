import { expect, test } from 'vitest';
import { readMetadata } from '../../src/saml/metadata.ts';
import { certificates, entra, federation, keycloak, okta, provider, service } from './documents.ts';

const only = (text: string) => {
  const found = readMetadata(text);
  expect(found).toHaveLength(1);
  return found[0]!;
};
const subjects = (text: string) => only(text).certificates.map(({ subject }) => subject);

test("Keycloak's metadata tell entity id, address and certificate", () => {
  expect(only(keycloak(certificates.signing))).toMatchObject({
    entityID: 'https://id.lumen.example/realms/lumen',
    ssoURL: 'https://id.lumen.example/realms/lumen/protocol/saml',
    wantsSignedRequests: true,
    certificates: [{ subject: 'CN=id.lumen.example, O=Lumen', key: 'EC prime256v1' }],
  });
});

test("Okta's metadata tell them too, with a certificate broken into lines", () => {
  expect(only(okta(certificates.signing))).toMatchObject({
    entityID: 'http://www.okta.com/exk1lumen',
    ssoURL: 'https://lumen.okta.com/app/lumen_docs_1/exk1lumen/sso/saml',
    wantsSignedRequests: false,
    certificates: [{ subject: 'CN=id.lumen.example, O=Lumen' }],
  });
});

test("of Entra's metadata neither the signature's certificate nor that of another protocol is taken", () => {
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

test('a certificate that cannot be read is told, and the others are taken', () => {
  const text = provider('https://a.example', [
    ['signing', 'bm90IG9uZQ=='],
    ['signing', certificates.signing],
  ]);

  expect(subjects(text)).toHaveLength(1);
  expect(only(text).unreadable).toEqual(['This is no X.509 certificate, or it is cut off.']);
});

test('an address that no browser can go to is none', () => {
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
  ['{"issuer":"https://a.example"}', 'It is no XML'],
  ['<md:EntityDescriptor', 'It is no XML'],
  [keycloak(certificates.signing).replace('</md:IDPSSODescriptor>', ''), 'It is no XML'],
  ['<EntityDescriptor entityID="https://a.example"/>', 'It is XML, but not SAML metadata'],
  [service, 'the metadata of a service, not of an identity provider'],
  [keycloak('').replaceAll('SAML:2.0:protocol"', 'SAML:1.1:protocol"'), 'No identity provider for SAML 2.0'],
  [
    `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>${keycloak('&b;')}`,
    'It has a document type',
  ],
  [`${'<a>'.repeat(10_000)}`, 'It is no XML'],
] as const)('what is no metadata (%#) is told as what it is', ([text, reason]) => {
  expect(() => readMetadata(text)).toThrow(reason);
});
