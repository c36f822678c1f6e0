import { existsSync, statSync } from 'node:fs';
import { CommandError, UsageError } from '../../cli/program/failure.ts';
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

/** The identity providers that metadata tell of. @throws UsageError or CommandError that names the source */
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
      'Give the SAML metadata of the identity provider: the XML file or the address that its administration shows.',
    );
  }
}

/** Judged by its size before it is read. */
function textOf(file: string, flag: string | undefined): string {
  const size = file === '-' ? 0 : (statSync(file, { throwIfNoEntry: false })?.size ?? 0);
  if (size <= maxMetadataBytes) return fileText(file, flag);
  throw new UsageError(`${file} cannot be used as metadata. It is larger than ${maxMetadataBytes / 1024 / 1024} MiB.`);
}

const nameOf = (source: string) => (source === '-' ? 'Standard input' : source);
const isAddress = (source: string) => /^https?:\/\//i.test(source);

async function textAt(source: string, signal: AbortSignal): Promise<string> {
  const { allowWhereFirst, fetchText } = await import('../../content/import/fetcher.ts');
  try {
    return await fetchText(source, {
      maxBytes: maxMetadataBytes,
      timeoutMs,
      // An identity provider is often within the own network: who names such an address may go there.
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
        hint: 'Open the address in a browser. If that asks you to sign in, save the metadata to a file and give the file.',
      },
    );
  }
}

/** What is wrong with a sign-in address; undefined where nothing is. */
export const addressProblem = (text: string): string | undefined =>
  isSignInAddress(text) ? undefined : 'It must be an http or https address, without a user name in it.';

/** @throws UsageError */
export function checkSignInAddress(address: string | undefined): void {
  const problem = address === undefined ? undefined : addressProblem(address);
  if (problem !== undefined) throw new UsageError(`--sso-url: ${problem}`);
}

/** What to know of metadata that are going to be used. */
export function remarksOnMetadata(
  { unreadable, wantsSignedRequests }: IdentityProvider,
  source: string,
  kind: Kind,
): string[] {
  const remarks = unreadable.slice(0, 3).map((reason) => `One certificate of the metadata was left out. ${reason}`);
  if (unreadable.length > remarks.length) remarks.push(`${unreadable.length - remarks.length} more were left out.`);
  if (/^http:/i.test(source))
    remarks.push(
      'The metadata was not encrypted in transit (http): compare the fingerprint with the one that the identity provider shows.',
    );
  if (wantsSignedRequests) {
    remarks.push(
      kind === 'keycloak'
        ? "The metadata asks for signed requests, as Keycloak's always does: see the note on it below."
        : 'The metadata asks for signed requests: turn this off at the provider, because this service has no signing certificate.',
    );
  }
  return remarks;
}

/** In characters: no certificate is shorter, but most paths are. */
const minCertificateLength = 200;

/** The text of a certificate that a flag or an answer gives: a file, `-`, PEM or Base64. @throws UsageError */
function certificateText(text: string, flag?: string): { text: string; place: string } {
  const path = text.replace(/^@/, '');
  const isFile =
    text === '-' ||
    text.startsWith('@') ||
    (!text.includes('\n') &&
      ((flag !== undefined && text.length < minCertificateLength) || (text.length < 1024 && existsSync(text))));
  return isFile ? { text: fileText(path, flag), place: `${nameOf(path)}: ` } : { text, place: '' };
}

/** The certificates of a flag or an answer. @throws UnusableCertificate */
export function certificatesAt(given: string, flag?: string): Certificate[] {
  const { text, place } = certificateText(given, flag);
  try {
    return readCertificates(text);
  } catch (error) {
    if (!(error instanceof UnreadableCertificate)) throw error;
    // A secret is sent to nobody, and what is no text cannot be sent.
    const isText = text.trim() !== '' && !/[\uFFFD\0]/.test(text);
    throw new UnusableCertificate(`${place}${error.message}`, isText && !error.isSecret ? text : undefined);
  }
}

/** A text in the place of a certificate that cannot be read as one. */
export class UnusableCertificate extends UsageError {
  /** What can be sent all the same, because the service keeps any text; undefined for a secret. */
  readonly text: string | undefined;

  constructor(message: string, text: string | undefined) {
    super(message, 'Give an X.509 certificate: a file, PEM, or the Base64 between the lines of one.');
    this.text = text;
  }
}

/**
 * The certificate to go on with: the one of a fingerprint, else the first that is valid now, else the first. Metadata
 * that hold several are about to change to another, and begin with the one in use.
 *
 * @throws UsageError where there is none
 */
export function chosenCertificate(
  certificates: Certificate[],
  fingerprint: string | undefined,
  now: Date,
): Certificate {
  if (fingerprint === undefined) {
    const chosen = certificates.find((certificate) => isValidAt(certificate, now)) ?? certificates[0];
    if (chosen) return chosen;
    throw new UsageError('The metadata contain no signing certificate.', 'Give one with --certificate.');
  }
  const [match, ...others] = certificates.filter((certificate) => hasFingerprint(certificate, fingerprint));
  if (match && others.length === 0) return match;
  throw new UsageError(
    `No certificate has a fingerprint that begins with ${fingerprint}.`,
    `There are:\n${certificates.map((certificate) => `  ${certificate.fingerprint}  ${visible(certificate.subject)}`).join('\n')}`,
  );
}

/** The provider of an entity id, else the only one. Undefined where there are several. @throws UsageError */
export function chosenProvider(
  providers: IdentityProvider[],
  entityID: string | undefined,
): IdentityProvider | undefined {
  if (providers.length === 1) return providers[0];
  if (entityID === undefined) return undefined;
  const match = providers.find((provider) => provider.entityID === entityID);
  if (match) return match;
  throw new UsageError(
    `The metadata contain ${providers.length} identity providers, and none has the entity id ${entityID}.`,
    'Look for "entityID" in the metadata.',
  );
}
