import { existsSync } from 'node:fs';
import { CommandError, UsageError } from '../cli/failure.ts';
import { fileText } from '../cli/invocation.ts';
import { visible } from '../cli/output/index.ts';
import {
  type Certificate,
  hasFingerprint,
  isValidAt,
  readCertificates,
  UnreadableCertificate,
} from '../saml/certificate.ts';
import { type IdentityProvider, maxMetadataBytes, readMetadata, UnreadableMetadata } from '../saml/metadata.ts';

const patienceMs = 20_000;

/** The identity providers that metadata tell of. @throws UsageError or CommandError that names the source */
export async function identityProvidersAt(
  source: string,
  signal: AbortSignal,
  flag?: string,
): Promise<IdentityProvider[]> {
  const text = isAddress(source) ? await textAt(source, signal) : fileText(source, flag);
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

const nameOf = (source: string) => (source === '-' ? 'Standard input' : source);
const isAddress = (source: string) => /^https?:\/\//i.test(source);

async function textAt(source: string, signal: AbortSignal): Promise<string> {
  const { fetchText } = await import('../content/import/fetcher.ts');
  try {
    // An identity provider is often within the own network: who runs the command may go there anyway.
    return await fetchText(source, { maxBytes: maxMetadataBytes, timeoutMs: patienceMs, allowPrivate: true, signal });
  } catch (error) {
    signal.throwIfAborted();
    throw new CommandError(`The metadata at ${source} cannot be had: ${(error as Error).message}`, {
      exitCode: 7,
      hint: 'Open the address in a browser. If that asks you to sign in, save the metadata to a file and give the file.',
    });
  }
}

/** No certificate is as short as this, but most paths are. */
const shortest = 200;

/** The certificates of a flag or an answer: a file, `-`, PEM or Base64. @throws UsageError */
export function certificatesAt(given: string, flag?: string): Certificate[] {
  const path = given.replace(/^@/, '');
  const isFile =
    given === '-' ||
    given.startsWith('@') ||
    (!given.includes('\n') &&
      ((flag !== undefined && given.length < shortest) || (given.length < 1024 && existsSync(given))));
  try {
    return readCertificates(isFile ? fileText(path, flag) : given);
  } catch (error) {
    if (!(error instanceof UnreadableCertificate)) throw error;
    throw new UsageError(
      `${isFile ? `${nameOf(path)}: ` : ''}${error.message}`,
      'Give an X.509 certificate: a file, PEM, or the Base64 between the lines of one.',
    );
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
    throw new UsageError('The metadata hold no certificate for signing.', 'Give one with --certificate.');
  }
  const fitting = certificates.filter((certificate) => hasFingerprint(certificate, fingerprint));
  if (fitting.length === 1) return fitting[0]!;
  throw new UsageError(
    `No certificate has a fingerprint that begins with ${fingerprint}.`,
    `There are:\n${certificates.map(({ fingerprint: own, subject }) => `  ${own}  ${visible(subject)}`).join('\n')}`,
  );
}

/** The provider of an entity id, else the only one. Undefined where there are several. @throws UsageError */
export function chosenProvider(
  providers: IdentityProvider[],
  entityID: string | undefined,
): IdentityProvider | undefined {
  if (providers.length === 1) return providers[0];
  if (entityID === undefined) return undefined;
  const found = providers.find((provider) => provider.entityID === entityID);
  if (found) return found;
  throw new UsageError(
    `The metadata hold ${providers.length} identity providers, and none has the entity id ${entityID}.`,
    'Look for "entityID" in the metadata.',
  );
}
