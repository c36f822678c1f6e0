import { existsSync, statSync } from 'node:fs';
import { CommandError, UsageError } from '../../cli/program/failure.ts';
import { isAddress } from '../../openapi/find-descriptions.ts';
import { fileText } from '../../cli/command/read-input.ts';
import { visible } from '../../cli/output/index.ts';
import {
  type Certificate,
  hasFingerprint,
  isValidAt,
  readCertificates,
  UnreadableCertificate,
} from '../../saml/certificate.ts';
import type { Kind } from '../../saml/guide.ts';
import {
  type IdentityProvider,
  isSignInAddress,
  maxMetadataBytes,
  readMetadata,
  UnreadableMetadata,
} from '../../saml/metadata.ts';

const timeoutMs = 20_000;

/** The identity providers in metadata. @throws UsageError or CommandError that names the source */
export async function identityProvidersAt(
  source: string,
  signal: AbortSignal,
  flag?: string,
): Promise<IdentityProvider[]> {
  const text = isAddress(source) ? await textAt(source, signal) : textOf(source, flag);
  try {
    return readMetadata(text);
  } catch (error) {
    if (!(error instanceof UnreadableMetadata)) throw error;
    throw new UsageError(
      `${nameOf(source)} cannot be used as metadata. ${visible(error.message)}`,
      'Pass the SAML metadata of the identity provider: the XML file or address shown in its settings.',
    );
  }
}

/** Checks the size before reading. */
function textOf(file: string, flag: string | undefined): string {
  const size = file === '-' ? 0 : (statSync(file, { throwIfNoEntry: false })?.size ?? 0);
  if (size <= maxMetadataBytes) return fileText(file, flag);
  throw new UsageError(`${file} cannot be used as metadata. It is larger than ${maxMetadataBytes / 1024 / 1024} MiB.`);
}

const nameOf = (source: string) => (source === '-' ? 'Standard input' : source);

async function textAt(source: string, signal: AbortSignal): Promise<string> {
  const { allowWhereFirst, fetchText } = await import('../../content/import/fetcher.ts');
  try {
    return await fetchText(source, {
      maxBytes: maxMetadataBytes,
      timeoutMs,
      // Identity providers are often in the user's own network, and users may name addresses there.
      allowPrivate: allowWhereFirst(),
      keepsEncryption: true,
      signal,
    });
  } catch (error) {
    signal.throwIfAborted();
    throw new CommandError(
      `The metadata at ${source} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      {
        exitCode: 7,
        hint: 'Open the address in a browser. If you have to sign in there, save the metadata to a file and pass the file.',
      },
    );
  }
}

/** What is wrong with a sign-in address, if anything. */
export const addressProblem = (text: string): string | undefined =>
  isSignInAddress(text) ? undefined : 'It must be an http or https address without a user name.';

/** @throws UsageError */
export function checkSignInAddress(address: string | undefined): void {
  const problem = address === undefined ? undefined : addressProblem(address);
  if (problem !== undefined) throw new UsageError(`--sso-url: ${problem}`);
}

/** Warnings about metadata. */
export function remarksOnMetadata(
  { unreadable, wantsSignedRequests }: IdentityProvider,
  source: string,
  kind: Kind,
): string[] {
  const remarks = unreadable.slice(0, 3).map((reason) => `A certificate in the metadata was skipped. ${reason}`);
  if (unreadable.length > remarks.length) remarks.push(`${unreadable.length - remarks.length} more were skipped.`);
  if (/^http:/i.test(source))
    remarks.push(
      'The metadata was not encrypted in transit (http). Compare the fingerprint with the one that the identity provider shows.',
    );
  if (wantsSignedRequests) {
    remarks.push(
      kind === 'keycloak'
        ? 'The metadata requires signed requests, as it always does in Keycloak. See the note below.'
        : 'The metadata requires signed requests. Turn this off at the provider, because this service does not sign requests.',
    );
  }
  return remarks;
}

/** In characters. Certificates are longer, and most paths are shorter. */
const minCertificateLength = 200;

/** The text of a certificate in a flag or an answer, which is a file, `-`, PEM or Base64. @throws UsageError */
function certificateText(text: string, flag?: string): { text: string; place: string } {
  const path = text.replace(/^@/, '');
  const isFile =
    text === '-' ||
    text.startsWith('@') ||
    (!text.includes('\n') &&
      ((flag !== undefined && text.length < minCertificateLength) || (text.length < 1024 && existsSync(text))));
  return isFile ? { text: fileText(path, flag), place: `${nameOf(path)}: ` } : { text, place: '' };
}

/** The certificates in a flag or an answer. @throws UnusableCertificate */
export function certificatesAt(given: string, flag?: string): Certificate[] {
  const { text, place } = certificateText(given, flag);
  try {
    return readCertificates(text);
  } catch (error) {
    if (!(error instanceof UnreadableCertificate)) throw error;
    // Secrets must not be sent, and bytes that are not text cannot be.
    const isText = text.trim() !== '' && !/[\uFFFD\0]/.test(text);
    throw new UnusableCertificate(`${place}${error.message}`, isText && !error.isSecret ? text : undefined);
  }
}

/** A text that was passed as a certificate but is not one. */
export class UnusableCertificate extends UsageError {
  /** Can be sent anyway, because the service accepts any text; undefined for a secret. */
  readonly text: string | undefined;

  constructor(message: string, text: string | undefined) {
    super(message, 'Pass an X.509 certificate: a file, PEM, or the Base64 inside a PEM block.');
    this.text = text;
  }
}

/**
 * The certificate to use: the one with a fingerprint, or else the first that is valid now, or else the first. Metadata with
 * several certificates is about to switch to another, and starts with the current one.
 *
 * @throws UsageError if there is none
 */
export function chosenCertificate(
  certificates: Certificate[],
  fingerprint: string | undefined,
  now: Date,
): Certificate {
  if (fingerprint === undefined) {
    const chosen = certificates.find((certificate) => isValidAt(certificate, now)) ?? certificates[0];
    if (chosen) return chosen;
    throw new UsageError('The metadata contains no signing certificate.', 'Pass one with --certificate.');
  }
  const [match, ...others] = certificates.filter((certificate) => hasFingerprint(certificate, fingerprint));
  if (match && others.length === 0) return match;
  throw new UsageError(
    `No certificate has a fingerprint that starts with ${fingerprint}.`,
    `The fingerprints are:\n${certificates.map((certificate) => `  ${certificate.fingerprint}  ${visible(certificate.subject)}`).join('\n')}`,
  );
}

/** The only provider, or the one with an entity ID. Undefined if there are several to choose from. @throws UsageError */
export function chosenProvider(
  providers: IdentityProvider[],
  entityID: string | undefined,
): IdentityProvider | undefined {
  if (providers.length === 1) return providers[0];
  if (entityID === undefined) return undefined;
  const match = providers.find((provider) => provider.entityID === entityID);
  if (match) return match;
  throw new UsageError(
    `The metadata contains ${providers.length} identity providers, and none has the entity ID ${entityID}.`,
    'Look for "entityID" in the metadata.',
  );
}
