import { X509Certificate } from 'node:crypto';

/** The parts of a certificate that people compare. */
export interface Certificate {
  pem: string;
  /** `CN=..., O=...`. Not trustworthy, because the creator of the certificate chose it. */
  subject: string;
  issuer: string;
  validFrom: Date;
  validTo: Date;
  /** SHA-256, as pairs of digits separated by colons. */
  fingerprint: string;
  /** `RSA 2048` */
  key: string;
}

export class UnreadableCertificate extends Error {
  override readonly name = 'UnreadableCertificate';
  /** Whether the text must not be sent anywhere. */
  readonly isSecret: boolean;

  constructor(message: string, { isSecret = false } = {}) {
    super(message);
    this.isSecret = isSecret;
  }
}

/** Larger than any certificate. */
const maxCharacters = 256 * 1024;

/** The texts between a BEGIN line and the END line of the same label. Each line is read once. */
function pemBlocks(text: string): { label: string; base64: string }[] {
  const blocks: ReturnType<typeof pemBlocks> = [];
  let begin: { label: string; from: number } | undefined;
  for (const line of text.matchAll(/-----(BEGIN|END) ([A-Z0-9 ]{1,64})-----/g)) {
    const [whole, kind, label = ''] = line;
    if (kind === 'BEGIN') begin = { label, from: line.index + whole.length };
    else if (begin?.label === label) {
      blocks.push({ label, base64: text.slice(begin.from, line.index) });
      begin = undefined;
    }
  }
  return blocks;
}

/**
 * The certificates in a text: PEM blocks, or bare Base64 as in SAML metadata.
 *
 * @throws UnreadableCertificate that says what the text is instead, without quoting it
 */
export function readCertificates(text: string): Certificate[] {
  const blocks = pemBlocks(text);
  if (blocks.some(({ label }) => label.includes('PRIVATE KEY'))) {
    const message = 'This is a private key. Keep it secret, and pass the certificate that belongs to it.';
    throw new UnreadableCertificate(message, { isSecret: true });
  }
  const [first] = blocks;
  if (first) {
    const certificates = blocks.filter(({ label }) => /^(X509 |TRUSTED )?CERTIFICATE$/.test(label));
    if (certificates.length === 0)
      throw new UnreadableCertificate(`This is a ${first.label.toLowerCase()}, not a certificate.`);
    return certificates.map(({ base64 }) => readCertificate(derOf(base64)));
  }
  if (/-----BEGIN/.test(text))
    throw new UnreadableCertificate('The certificate is incomplete: its END line is missing.');
  return [readCertificate(derOf(text))];
}

function derOf(base64: string): Buffer {
  const bare = base64.replace(/\s+/g, '');
  if (bare === '') throw new UnreadableCertificate('There is no certificate.');
  if (bare.length > maxCharacters) throw new UnreadableCertificate('This is larger than any certificate.');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(bare))
    throw new UnreadableCertificate('This is not a certificate: neither PEM nor Base64.');
  return Buffer.from(bare, 'base64');
}

function readCertificate(der: Buffer): Certificate {
  let parsed: X509Certificate;
  try {
    parsed = new X509Certificate(der);
  } catch {
    throw new UnreadableCertificate('This is not an X.509 certificate, or it is incomplete.');
  }
  return {
    pem: parsed.toString(),
    subject: oneLine(parsed.subject),
    issuer: oneLine(parsed.issuer),
    validFrom: new Date(parsed.validFrom),
    validTo: new Date(parsed.validTo),
    fingerprint: parsed.fingerprint256,
    key: keyOf(parsed),
  };
}

/** Shortened, because names can be as long as the certificate. */
const oneLine = (name: string | undefined) => (name ?? '').trim().split('\n').toReversed().join(', ').slice(0, 500);

function keyOf({ publicKey }: X509Certificate): string {
  const { asymmetricKeyType: type = 'unknown', asymmetricKeyDetails: details } = publicKey;
  const size = details?.modulusLength ?? details?.namedCurve;
  return size === undefined ? type.toUpperCase() : `${type.toUpperCase()} ${size}`;
}

const soonDays = 30;
const weakBits = 2048;

/** Warnings about a certificate: expired, about to expire, weak. */
export function remarksOn({ validFrom, validTo, key }: Certificate, now: Date): string[] {
  const days = Math.floor((validTo.getTime() - now.getTime()) / 86_400_000);
  const day = validTo.toISOString().slice(0, 10);
  const remarks: string[] = [];
  if (validTo < now) remarks.push(`The certificate expired on ${day}, so nobody can sign in with it.`);
  else if (validFrom > now)
    remarks.push(`The certificate is not valid before ${validFrom.toISOString().slice(0, 10)}.`);
  else if (days <= soonDays)
    remarks.push(`The certificate expires on ${day}, in ${days} day${days === 1 ? '' : 's'}. Prepare the next one.`);
  const bits = /^RSA (\d+)$/.exec(key)?.[1];
  if (bits !== undefined && Number(bits) < weakBits) remarks.push(`Its key is weak: RSA with ${bits} bits.`);
  return remarks;
}

export const isValidAt = ({ validFrom, validTo }: Certificate, now: Date) => validFrom <= now && now <= validTo;

/**
 * Warnings about a text to use as a certificate now, and whether people can sign in with it. If there are several
 * certificates, as during a rotation, only the valid ones count.
 *
 * @throws UnreadableCertificate for a private key
 */
export function judgeCertificate(text: string, now: Date): { remarks: string[]; isUsable: boolean } {
  let certificates: Certificate[];
  try {
    certificates = readCertificates(text);
  } catch (error) {
    if (!(error instanceof UnreadableCertificate) || error.isSecret) throw error;
    return { remarks: [error.message], isUsable: false };
  }
  const valid = certificates.filter((certificate) => isValidAt(certificate, now));
  const judged = valid.length > 0 ? valid : certificates;
  return { remarks: judged.flatMap((certificate) => remarksOn(certificate, now)), isUsable: valid.length > 0 };
}

/** Whether a text of at least eight digits, with or without colons, is the start of the certificate's fingerprint. */
export function hasFingerprint({ fingerprint }: Certificate, text: string): boolean {
  const digitsOf = (value: string) => value.replace(/[^0-9a-f]/gi, '').toUpperCase();
  return digitsOf(text).length >= 8 && digitsOf(fingerprint).startsWith(digitsOf(text));
}

/** The Base64 of a certificate, without the lines around it. */
export const bareText = (text: string): string => text.replace(/-----[^-]+-----|\s/g, '');
