import { visible } from '../../cli/output/index.ts';
import { CommandError, UsageError } from '../../cli/program/failure.ts';
import type { Prompt } from '../../cli/prompt/prompt.ts';
import { bareText, type Certificate, isValidAt } from '../../saml/certificate.ts';
import { kindOf, nameOf } from '../../saml/guide.ts';
import type { IdentityProvider } from '../../saml/metadata.ts';
import type { SetupInvocation } from './setup-flags.ts';
import {
  addressProblem,
  certificatesAt,
  checkSignInAddress,
  chosenCertificate,
  chosenProvider,
  identityProvidersAt,
  remarksOnMetadata,
  UnusableCertificate,
} from './source.ts';

/** The settings of the identity provider, and the flags that repeat them. */
export interface Source {
  label?: string | undefined;
  entityID?: string | undefined;
  ssoURL?: string | undefined;
  certificate?: Certificate | undefined;
  /** A text that was passed as a certificate but is not one. */
  unreadText?: string | undefined;
  remarks: string[];
  words: string[];
}

/** The identity provider from the flags, or from the answers to questions. */
export async function sourceOf(invocation: SetupInvocation, prompt: Prompt | undefined): Promise<Source> {
  const { flags } = invocation;
  if (flags.metadata !== undefined) return fromMetadata(invocation, prompt, flags.metadata);
  const hasFields = [flags.label, flags.entityId, flags.ssoUrl, flags.certificate, flags.provider].some(
    (value) => value !== undefined,
  );
  if (hasFields || !prompt) return fromFlags(invocation);
  const way = await prompt.select({
    message: 'What do you know about the identity provider?',
    choices: [
      { value: 'metadata', title: 'Its SAML metadata', note: 'an address or an XML file' },
      { value: 'fields', title: 'Entity ID, sign-in address and certificate' },
      {
        value: 'nothing',
        title: 'Nothing yet',
        note: "it needs this service's addresses first, which you get by creating the provider",
      },
    ],
    start: 'metadata',
  });
  if (way === 'nothing') return { remarks: [], words: [] };
  if (way === 'fields') return fromQuestions(prompt);
  return fromMetadataPrompt(invocation, prompt);
}

async function fromMetadataPrompt(invocation: SetupInvocation, prompt: Prompt): Promise<Source> {
  let providers: IdentityProvider[] = [];
  const place = await prompt.input({
    message: 'Address or file of the metadata:',
    check: async (text) => {
      if (text === '') return 'Enter an address or a file.';
      try {
        providers = await identityProvidersAt(text, invocation.signal);
        return undefined;
      } catch (error) {
        if (!(error instanceof CommandError)) throw error;
        return error.message;
      }
    },
  });
  return fromProviders(invocation, prompt, place, providers);
}

async function fromMetadata(invocation: SetupInvocation, prompt: Prompt | undefined, place: string): Promise<Source> {
  return fromProviders(invocation, prompt, place, await identityProvidersAt(place, invocation.signal, '--metadata'));
}

/** From metadata. Flags for single fields take precedence. */
async function fromProviders(
  { flags }: SetupInvocation,
  prompt: Prompt | undefined,
  place: string,
  providers: IdentityProvider[],
): Promise<Source> {
  const provider = chosenProvider(providers, flags.entityId) ?? (await chooseProvider(prompt, providers));
  const { displayName, entityID, ssoURL } = provider;
  const certificates =
    flags.certificate === undefined ? provider.certificates : certificatesAt(flags.certificate, '--certificate');
  const certificate = await certificateAmong(certificates, flags.fingerprint, prompt);
  checkSignInAddress(flags.ssoUrl);
  const address = flags.ssoUrl ?? ssoURL;
  if (address === undefined)
    throw new UsageError('The metadata contains no sign-in address for browsers.', 'Pass it with --sso-url.');
  const hint = kindOf({ entityID, ssoURL });
  return {
    label: displayName ?? (hint === 'other' ? hostOf(address) : nameOf(hint)),
    entityID,
    ssoURL: address,
    certificate,
    remarks: remarksOnMetadata(provider, place, hint),
    words: [
      '--metadata',
      place,
      ...wordsOf({
        '--entity-id': providers.length > 1 ? entityID : undefined,
        '--sso-url': flags.ssoUrl,
        '--certificate': flags.certificate,
        '--fingerprint': certificates.length > 1 ? certificate.fingerprint.replaceAll(':', '').slice(0, 16) : undefined,
      }),
    ],
  };
}

/** The flags that have a value, as words of a command line. */
export const wordsOf = (flags: Record<string, string | undefined>): string[] =>
  Object.entries(flags).flatMap(([flag, value]) => (value === undefined ? [] : [flag, value]));

const hostOf = (address: string) => (URL.canParse(address) ? new URL(address).hostname : undefined);

function chooseProvider(prompt: Prompt | undefined, providers: IdentityProvider[]): Promise<IdentityProvider> {
  if (!prompt) {
    throw new UsageError(
      `The metadata contains ${providers.length} identity providers.`,
      `Choose one with --entity-id, such as ${providers
        .slice(0, 3)
        .map(({ entityID }) => visible(entityID))
        .join(', ')}.`,
    );
  }
  return prompt.select({
    message: 'Which identity provider?',
    choices: providers.map((provider) => ({
      value: provider,
      title: provider.displayName ?? provider.entityID,
      note: provider.entityID,
    })),
  });
}

/** Asks only if several certificates are valid. */
async function certificateAmong(
  certificates: Certificate[],
  fingerprint: string | undefined,
  prompt: Prompt | undefined,
): Promise<Certificate> {
  const now = new Date();
  const chosen = chosenCertificate(certificates, fingerprint, now);
  const valid = certificates.filter((certificate) => isValidAt(certificate, now));
  if (!prompt || fingerprint !== undefined || valid.length < 2) return chosen;
  return prompt.select({
    message: 'Which certificate does it use for signing now?',
    choices: valid.map((certificate) => ({
      value: certificate,
      title: `${certificate.subject}, until ${dayOf(certificate.validTo)}`,
      note: certificate.fingerprint,
    })),
    start: chosen,
  });
}

async function fromFlags({ flags }: SetupInvocation): Promise<Source> {
  checkSignInAddress(flags.ssoUrl);
  return {
    entityID: flags.entityId,
    ssoURL: flags.ssoUrl,
    ...(await certificateOfFlags(flags)),
    words: wordsOf({
      '--entity-id': flags.entityId,
      '--sso-url': flags.ssoUrl,
      '--certificate': flags.certificate,
      '--fingerprint': flags.fingerprint,
    }),
  };
}

/** The certificate of `--certificate`, or its text with a warning if it is not one. The service accepts any text. */
async function certificateOfFlags({
  certificate,
  fingerprint,
}: SetupInvocation['flags']): Promise<Pick<Source, 'certificate' | 'unreadText' | 'remarks'>> {
  if (certificate === undefined) return { remarks: [] };
  try {
    const certificates = certificatesAt(certificate, '--certificate');
    return { certificate: await certificateAmong(certificates, fingerprint, undefined), remarks: [] };
  } catch (error) {
    if (!(error instanceof UnusableCertificate) || error.text === undefined) throw error;
    return { unreadText: error.text, remarks: [`warning: ${error.message} Nobody can sign in with it.`] };
  }
}

async function fromQuestions(prompt: Prompt): Promise<Source> {
  const entityID = await prompt.input({
    message: 'Entity ID (issuer) of the identity provider:',
    check: (text) => (text === '' ? 'Enter the name that the identity provider signs with.' : undefined),
  });
  const ssoURL = await prompt.input({ message: 'Its sign-in address (SSO URL):', check: addressProblem });
  const { text, ...certificate } = await certificateFromPrompt(prompt);
  return {
    entityID,
    ssoURL,
    ...certificate,
    remarks: [],
    words: ['--entity-id', entityID, '--sso-url', ssoURL, '--certificate', text],
  };
}

/** Asks for a file or a text until it is a certificate, or the user wants to use it anyway. */
async function certificateFromPrompt(
  prompt: Prompt,
): Promise<{ text: string } & Pick<Source, 'certificate' | 'unreadText'>> {
  let message = 'Its signing certificate: the path of a file, or its text; an empty line ends the text:';
  for (;;) {
    const lines: string[] = [];
    await prompt.lines({
      message,
      take: async (line) => {
        lines.push(line.trim());
        return [];
      },
    });
    const text = lines.join('\n');
    try {
      const certificate = await certificateAmong(certificatesAt(text), undefined, prompt);
      // A single word fits in a command line.
      const isPasted = lines.length > 1 || text.length >= 1024;
      return { text: isPasted ? bareText(certificate.pem) : text, certificate };
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      const unreadText = error instanceof UnusableCertificate ? error.text : undefined;
      const question = `${error.message} Nobody can sign in with it. Use it anyway?`;
      if (unreadText !== undefined && (await prompt.confirm({ message: question, start: false })))
        return { text, unreadText };
      message = `${error.message} Try again; an empty line ends the text:`;
    }
  }
}

export const dayOf = (date: Date): string => date.toISOString().slice(0, 10);
