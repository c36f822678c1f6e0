import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { hasFingerprint, judgeCertificate, readCertificates, remarksOn } from '../../src/saml/certificate.ts';
import { guideFor, kindOf } from '../../src/saml/guide.ts';
import { certificates, pem } from './documents.ts';

const read = (text: string) => readCertificates(text)[0]!;

test('a certificate is read as PEM, as PEM with text around it, and as bare Base64', () => {
  const bare = read(certificates.signing);

  expect(read(pem(certificates.signing))).toEqual(bare);
  expect(read(`Bag Attributes\n${pem(certificates.signing)}\n`)).toEqual(bare);
  expect(bare).toMatchObject({
    subject: 'CN=id.lumen.example, O=Lumen',
    issuer: 'CN=id.lumen.example, O=Lumen',
    validTo: new Date('2055-01-01T00:00:00Z'),
  });
  expect(readCertificates(pem(certificates.signing) + pem(certificates.next))).toHaveLength(2);
});

test('a private key is refused and not repeated', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const text = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;

  expect(() => read(text + pem(certificates.signing))).toThrow(/^This is a private key\. [^-]*$/);
});

test.for([
  ['', 'There is no certificate.'],
  ['hello world!', 'neither PEM nor Base64'],
  [certificates.signing.slice(0, 100), 'not an X.509 certificate, or it is incomplete'],
  [pem(certificates.signing).slice(0, 200), 'its END line is missing'],
  [
    '-----BEGIN CERTIFICATE REQUEST-----\nMIIB\n-----END CERTIFICATE REQUEST-----',
    'a certificate request, not a certificate',
  ],
] as const)('a text that is not a certificate (%#) is refused with what it is', ([text, reason]) => {
  expect(() => read(text)).toThrow(reason);
});

test('there are warnings for an expired certificate, one that expires soon, one that is not valid yet, and a weak key', () => {
  const now = new Date('2026-03-01T08:00:00Z');
  const warningsOf = (text: string, date = now) => remarksOn(read(text), date).join(' ');

  expect(warningsOf(certificates.signing)).toBe('');
  expect(warningsOf(certificates.expired)).toContain('expired on 2016-01-01');
  expect(warningsOf(certificates.expired, new Date('2015-12-11T12:00:00Z'))).toContain(
    'expires on 2016-01-01, in 20 days',
  );
  expect(warningsOf(certificates.next, new Date('2025-03-01T08:00:00Z'))).toContain('not valid before 2025-06-01');
  expect(warningsOf(certificates.weak)).toContain('RSA with 1024 bits');
});

test('of the certificates of a text, those that are valid decide whether it can be used', () => {
  const now = new Date('2026-03-01T08:00:00Z');
  const judge = (text: string) => judgeCertificate(text, now);

  expect(judge(pem(certificates.signing))).toEqual({ remarks: [], isUsable: true });
  expect(judge(pem(certificates.expired) + pem(certificates.signing))).toEqual({ remarks: [], isUsable: true });
  expect(judge(certificates.expired)).toMatchObject({ isUsable: false, remarks: [expect.stringContaining('expired')] });
  expect(judge('none')).toEqual({
    remarks: ['This is not an X.509 certificate, or it is incomplete.'],
    isUsable: false,
  });
  expect(() => judge('-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----')).toThrow('a private key');
});

test('a fingerprint names a certificate in any spelling, from eight digits on', () => {
  const certificate = read(certificates.signing);
  const bare = certificate.fingerprint.replaceAll(':', '').toLowerCase();

  expect(hasFingerprint(certificate, certificate.fingerprint)).toBe(true);
  expect(hasFingerprint(certificate, bare.slice(0, 8))).toBe(true);
  expect(hasFingerprint(certificate, bare.slice(0, 7))).toBe(false);
  expect(hasFingerprint(read(certificates.next), bare)).toBe(false);
});

test.for([
  ['http://www.okta.com/exk1', '', 'okta'],
  ['https://sts.windows.net/0f1e/', 'https://login.microsoftonline.com/0f1e/saml2', 'entra'],
  ['https://accounts.google.com/o/saml2?idpid=C01', '', 'google'],
  ['https://id.example/realms/lumen', '', 'keycloak'],
  ['https://id.example/saml', '', 'other'],
] as const)('%s is recognized', ([entityID, ssoURL, kind]) => {
  expect(kindOf({ entityID, ssoURL })).toBe(kind);
  const addresses = { acsURL: 'https://acs', entityID: 'https://entity', startURL: 'https://start' };
  const values = guideFor(kind, addresses).fields.map(({ value }) => value);
  expect(new Set(values)).toEqual(new Set(Object.values(addresses)));
});
