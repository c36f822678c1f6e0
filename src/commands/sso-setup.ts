import type { Client } from '../client/client.ts';
import { confirmQuestion } from '../cli/confirm.ts';
import { CommandError, UsageError } from '../cli/failure.ts';
import { exit } from '../cli/exit.ts';
import { type Invocation, outputOptions, scopeOf } from '../cli/invocation.ts';
import { offer } from '../cli/offer.ts';
import { visible } from '../cli/output/index.ts';
import { openPrompt, type Prompt } from '../cli/prompt.ts';
import { commandLine } from '../cli/repeat.ts';
import { printRequest } from '../cli/run.ts';
import type { AnswerOf, BodyInput } from '../contract/endpoint.ts';
import { orgs } from '../contract/orgs.ts';
import { sso } from '../contract/sso.ts';
import { teams } from '../contract/teams.ts';
import { type Certificate, isValidAt, remarksOn } from '../saml/certificate.ts';
import { type Guide, guideFor, type Kind, kindOf, names } from '../saml/guide.ts';
import type { IdentityProvider } from '../saml/metadata.ts';
import { roleChoices, roleOf, wordOf } from './roles.ts';
import { certificatesAt, chosenCertificate, chosenProvider, identityProvidersAt } from './sso-source.ts';

type Provider = AnswerOf<typeof sso.viewProvider>;
type Settings = BodyInput<typeof sso.editProvider>;

const labelLength = 30;

/** What is known of the identity provider, and the flags that say the same. */
interface Source {
  label?: string | undefined;
  entityID?: string | undefined;
  ssoURL?: string | undefined;
  certificate?: Certificate | undefined;
  remarks: string[];
  words: string[];
}

export async function setUp(invocation: Invocation): Promise<void> {
  const { flags, io } = invocation;
  const prompt = io.interactive ? await openPrompt(invocation) : undefined;
  const orgId = await scopeOf(invocation, 'org');
  const client = await invocation.client();
  const source = await sourceOf(invocation, prompt);
  const existing = await providerToChange(client, orgId, flags.provider, source.entityID);
  const label = await labelFor(invocation, prompt, source, existing);
  const team = await teamFor(invocation, prompt, client, orgId, existing);
  const role = await roleFor(invocation, prompt, client, orgId, existing);
  const settings = differing(existing, {
    label,
    entityID: source.entityID,
    ssoURL: source.ssoURL,
    certificate: source.certificate?.pem,
    defaultTeam: team,
    defaultRole: role === undefined ? undefined : roleOf(role),
  });
  const command = [
    ...'docsctl sso setup'.split(' '),
    ...source.words,
    '--label',
    label,
    ...(team === undefined ? [] : ['--default-team', team]),
    ...(role === undefined ? [] : ['--default-role', role]),
    ...(flags.provider === undefined ? [] : ['--provider', flags.provider]),
    ...(flags.idp === undefined ? [] : ['--idp', flags.idp]),
    '--org',
    orgId,
    ...(invocation.globals.profile === undefined ? [] : ['--profile', invocation.globals.profile]),
  ];
  await tellPlan(invocation, source, label, existing, settings);
  if (invocation.globals.dryRun) return tellRequest(invocation, orgId, existing, label, settings);
  if (existing && Object.keys(settings).length === 0) return tellResult(invocation, existing, 'unchanged', command);
  const isUsable = source.certificate === undefined || isValidAt(source.certificate, new Date());
  if (prompt) await confirmQuestion(invocation, existing ? 'Change the provider?' : 'Create the provider?', isUsable);
  const provider = await save(client, orgId, existing, label, settings);
  await tellResult(invocation, provider, existing ? 'changed' : 'created', command);
}

/** Settings that are given and are not so already. */
function differing(existing: Provider | undefined, wanted: Settings): Settings {
  const isSo = (key: string, value: unknown) => {
    if (!existing) return false;
    if (key === 'defaultTeam') return existing.defaultTeam?.id === value;
    if (key === 'certificate') return isSameCertificate(existing.certificate, value as string);
    return existing[key as keyof Provider] === value;
  };
  return Object.fromEntries(Object.entries(wanted).filter(([key, value]) => value !== undefined && !isSo(key, value)));
}

/** However each of them is written. */
function isSameCertificate(one: string, other: string): boolean {
  const bare = (text: string) => text.replace(/-----[^-]+-----|\s/g, '');
  return bare(one) === bare(other);
}

async function sourceOf(invocation: Invocation, prompt: Prompt | undefined): Promise<Source> {
  const { flags } = invocation;
  if (flags.metadata !== undefined) return fromMetadata(invocation, prompt, flags.metadata);
  const hasFields = ['label', 'entityId', 'ssoUrl', 'certificate', 'provider'].some(
    (name) => flags[name] !== undefined,
  );
  if (hasFields || !prompt) return fromFlags(invocation);
  const way = await prompt.select({
    message: 'What do you have of the identity provider?',
    choices: [
      { value: 'metadata', title: 'Its SAML metadata', note: 'an address or an XML file' },
      { value: 'fields', title: 'Entity id, sign-in address and certificate' },
      {
        value: 'nothing',
        title: 'Nothing yet',
        note: "it wants this service's addresses first: create the provider to get them",
      },
    ],
    start: 'metadata',
  });
  if (way === 'nothing') return { remarks: [], words: [] };
  if (way === 'fields') return fromQuestions(prompt);
  const found = new Map<string, IdentityProvider[]>();
  const place = await prompt.input({
    message: 'Address or file of the metadata:',
    check: async (text) => {
      if (text === '') return 'Give an address or a file.';
      try {
        found.set(text, await identityProvidersAt(text, invocation.signal));
        return undefined;
      } catch (error) {
        if (!(error instanceof CommandError)) throw error;
        return error.message;
      }
    },
  });
  return fromProviders(invocation, prompt, place, found.get(place)!);
}

async function fromMetadata(invocation: Invocation, prompt: Prompt | undefined, place: string): Promise<Source> {
  return fromProviders(invocation, prompt, place, await identityProvidersAt(place, invocation.signal, '--metadata'));
}

/** From metadata; single flags go before them. */
async function fromProviders(
  { flags }: Invocation,
  prompt: Prompt | undefined,
  place: string,
  providers: IdentityProvider[],
): Promise<Source> {
  const provider = chosenProvider(providers, flags.entityId) ?? (await askedProvider(prompt, providers));
  const { displayName, entityID, ssoURL, unreadable, wantsSignedRequests } = provider;
  const certificates =
    flags.certificate === undefined ? provider.certificates : certificatesAt(flags.certificate, '--certificate');
  const certificate = await certificateAmong(certificates, flags.fingerprint, prompt);
  const address: string | undefined = flags.ssoUrl ?? ssoURL;
  if (address === undefined)
    throw new UsageError('The metadata name no address that a browser can go to.', 'Give it with --sso-url.');
  const hint = kindOf({ entityID, ssoURL });
  return {
    label: displayName ?? (hint === 'other' ? hostOf(address) : names[hint]),
    entityID,
    ssoURL: address,
    certificate,
    remarks: [
      ...unreadable.map((reason) => `One certificate of the metadata was left out. ${reason}`),
      ...(wantsSignedRequests && hint === 'keycloak'
        ? ['The metadata ask for signed requests, as those of Keycloak always do: see the note on it below.']
        : wantsSignedRequests
          ? [
              'The metadata ask for signed requests: turn that off there, this service has no certificate to check them with.',
            ]
          : []),
    ],
    words: [
      '--metadata',
      place,
      ...(providers.length > 1 ? ['--entity-id', entityID] : []),
      ...(flags.ssoUrl === undefined ? [] : ['--sso-url', flags.ssoUrl]),
      ...(flags.certificate === undefined ? [] : ['--certificate', flags.certificate]),
      ...(certificates.length > 1 ? ['--fingerprint', certificate.fingerprint.replaceAll(':', '').slice(0, 16)] : []),
    ],
  };
}

const hostOf = (address: string) => (URL.canParse(address) ? new URL(address).hostname : undefined);

function askedProvider(prompt: Prompt | undefined, providers: IdentityProvider[]): Promise<IdentityProvider> {
  if (!prompt) {
    throw new UsageError(
      `The metadata hold ${providers.length} identity providers.`,
      `Say which with --entity-id, such as ${providers
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

/** The only one that is valid is not asked about. */
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
    message: 'Which certificate does it sign with now?',
    choices: valid.map((certificate) => ({
      value: certificate,
      title: `${certificate.subject}, until ${dayOf(certificate.validTo)}`,
      note: certificate.fingerprint,
    })),
    start: chosen,
  });
}

async function fromFlags({ flags }: Invocation): Promise<Source> {
  const certificate =
    flags.certificate === undefined
      ? undefined
      : await certificateAmong(certificatesAt(flags.certificate, '--certificate'), flags.fingerprint, undefined);
  if (flags.ssoUrl !== undefined) {
    const fault = addressFault(flags.ssoUrl);
    if (fault !== undefined) throw new UsageError(`--sso-url: ${fault}`);
  }
  return {
    entityID: flags.entityId,
    ssoURL: flags.ssoUrl,
    certificate,
    remarks: [],
    words: [
      ...(flags.entityId === undefined ? [] : ['--entity-id', flags.entityId]),
      ...(flags.ssoUrl === undefined ? [] : ['--sso-url', flags.ssoUrl]),
      ...(flags.certificate === undefined ? [] : ['--certificate', flags.certificate]),
      ...(flags.fingerprint === undefined ? [] : ['--fingerprint', flags.fingerprint]),
    ],
  };
}

const addressFault = (text: string) =>
  /^https?:\/\/[^\s/]/i.test(text) && URL.canParse(text) ? undefined : 'It must be an http or https address.';

async function fromQuestions(prompt: Prompt): Promise<Source> {
  const entityID = await prompt.input({
    message: 'Entity id (issuer) of the identity provider:',
    check: (text) => (text === '' ? 'It is the name that the identity provider signs with.' : undefined),
  });
  const ssoURL = await prompt.input({ message: 'Its sign-in address (SSO URL):', check: addressFault });
  const { text, certificate } = await askedCertificate(prompt);
  return {
    entityID,
    ssoURL,
    certificate,
    remarks: [],
    words: ['--entity-id', entityID, '--sso-url', ssoURL, '--certificate', text],
  };
}

/** A file, or what is pasted, until it is a certificate. */
async function askedCertificate(prompt: Prompt): Promise<{ text: string; certificate: Certificate }> {
  let message = 'Its signing certificate: a file, or paste it; an empty line ends:';
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
      // As one word it can stand in a command line.
      const isPasted = lines.length > 1 || text.length >= 1024;
      return { text: isPasted ? bareOf(certificate) : text, certificate };
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      message = `${error.message} Once more; an empty line ends:`;
    }
  }
}

const bareOf = ({ pem }: Certificate) => pem.replace(/-----[^-]+-----|\s/g, '');
const dayOf = (date: Date) => date.toISOString().slice(0, 10);

async function providerToChange(
  client: Client,
  orgId: string,
  id: string | undefined,
  entityID: string | undefined,
): Promise<Provider | undefined> {
  if (id !== undefined) return client.call(sso.viewProvider, { params: { orgId, samlProviderId: id } });
  if (entityID === undefined) return undefined;
  const same: Provider[] = [];
  for await (const provider of client.items(sso.listProviders, { params: { orgId } }))
    if (provider.entityID === entityID) same.push(provider);
  if (same.length < 2) return same[0];
  throw new CommandError(`${same.length} providers have the entity id ${visible(entityID)}.`, {
    exitCode: exit.refused,
    hint: `Say which with --provider: ${same.map(({ id: own, label }) => `${own} (${visible(label)})`).join(', ')}.`,
  });
}

async function labelFor(
  { flags }: Invocation,
  prompt: Prompt | undefined,
  source: Source,
  existing: Provider | undefined,
): Promise<string> {
  const check = (text: string) => {
    const length = [...text].length;
    return length >= 1 && length <= labelLength ? undefined : `It must have 1 to ${labelLength} characters.`;
  };
  if (flags.label !== undefined) {
    const fault = check(flags.label);
    if (fault !== undefined) throw new UsageError(`--label: ${fault}`);
    return flags.label;
  }
  if (existing) return existing.label;
  const start = source.label === undefined ? undefined : shortened(source.label);
  if (prompt)
    return prompt.input({ message: 'Label on the sign-in button:', ...(start === undefined ? {} : { start }), check });
  if (start !== undefined) return start;
  throw new UsageError('--label is missing.', 'It is the name on the sign-in button, 1 to 30 characters.');
}

const shortened = (text: string) => [...visible(text)].slice(0, labelLength).join('').trim();

/** A team's id; undefined leaves it as it is. */
async function teamFor(
  { flags }: Invocation,
  prompt: Prompt | undefined,
  client: Client,
  orgId: string,
  existing: Provider | undefined,
): Promise<string | undefined> {
  if (flags.defaultTeam !== undefined || !prompt || existing) return flags.defaultTeam;
  const params = { orgId };
  const { count } = await client.call(teams.list, { params, query: { limit: 1 } });
  if (count === 0) return undefined;
  const pages = async function* () {
    for await (const { items } of client.pages(teams.list, { params }, { pageSize: 50 }))
      yield items.map(({ id, title }) => ({ value: id, title }));
  };
  return (await offer(prompt, 'Team for those who sign in for the first time:', 'no team', pages()))?.value;
}

/** A role word; undefined leaves it as it is, or to the organization. */
async function roleFor(
  { flags }: Invocation,
  prompt: Prompt | undefined,
  client: Client,
  orgId: string,
  existing: Provider | undefined,
): Promise<string | undefined> {
  if (flags.defaultRole !== undefined || !prompt || existing) return flags.defaultRole;
  const { defaultRole } = await client.call(orgs.view, { params: { orgId } });
  // The service's own rule: open parts, section 7.
  const word = defaultRole ?? 'read';
  const chosen = await prompt.select({
    message: 'Role of those who sign in for the first time:',
    choices: [{ value: '', title: `as the organization says (${word})` }, ...roleChoices],
    start: '',
  });
  return chosen === '' ? undefined : chosen;
}

/** What was found, and what will be sent. */
async function tellPlan(
  { io }: Invocation,
  { certificate, remarks }: Source,
  label: string,
  existing: Provider | undefined,
  settings: Settings,
): Promise<void> {
  const now = new Date();
  const lines = [
    existing
      ? `${Object.keys(settings).length === 0 ? 'Nothing changes in' : 'Changes'} ${existing.label} (${existing.id}):`
      : `Creates ${label}:`,
    ...(existing && settings.label !== undefined ? [`  Label:        ${settings.label}`] : []),
    ...(settings.entityID === undefined ? [] : [`  Entity id:    ${settings.entityID}`]),
    ...(settings.ssoURL === undefined ? [] : [`  Sign-in at:   ${settings.ssoURL}`]),
    ...(certificate === undefined
      ? []
      : [
          `  Certificate:  ${certificate.subject}`,
          `    issued by   ${certificate.issuer === certificate.subject ? 'itself' : certificate.issuer}`,
          `    valid       ${dayOf(certificate.validFrom)} to ${dayOf(certificate.validTo)}, ${certificate.key}`,
          `    SHA-256     ${certificate.fingerprint}`,
        ]),
    ...(settings.defaultTeam === undefined ? [] : [`  Team:         ${settings.defaultTeam}`]),
    ...(settings.defaultRole === undefined ? [] : [`  Role:         ${wordOf(settings.defaultRole)}`]),
    ...remarks,
    ...(certificate === undefined ? [] : remarksOn(certificate, now)),
    ...(settings.ssoURL?.startsWith('http:') ? ['The sign-in address is not encrypted (http).'] : []),
    ...missingFrom(existing, settings),
  ];
  for (const line of lines) await io.note(visible(line));
}

/** What is still needed before anybody can sign in. */
function missingFrom(existing: Provider | undefined, settings: Settings): string[] {
  const words = { entityID: 'entity id', ssoURL: 'sign-in address', certificate: 'certificate' } as const;
  const missing = (Object.keys(words) as (keyof typeof words)[]).filter((key) => !(settings[key] ?? existing?.[key]));
  return missing.length === 0
    ? []
    : [`Nobody can sign in yet: it has no ${missing.map((key) => words[key]).join(', no ')}.`];
}

function tellRequest(
  invocation: Invocation,
  orgId: string,
  existing: Provider | undefined,
  label: string,
  settings: Settings,
): Promise<void> {
  return printRequest(
    invocation,
    existing
      ? { endpoint: sso.editProvider, params: { orgId, samlProviderId: existing.id }, query: {}, body: settings }
      : { endpoint: sso.createProvider, params: { orgId }, query: {}, body: { label, ...settings } },
  );
}

function save(
  client: Client,
  orgId: string,
  existing: Provider | undefined,
  label: string,
  settings: Settings,
): Promise<Provider> {
  return existing
    ? client.call(sso.editProvider, { params: { orgId, samlProviderId: existing.id }, body: settings })
    : client.call(sso.createProvider, { params: { orgId }, body: { label, ...settings } });
}

async function tellResult(
  invocation: Invocation,
  provider: Provider,
  result: 'created' | 'changed' | 'unchanged',
  command: string[],
): Promise<void> {
  const { io, globals, flags } = invocation;
  const guide = guideFor((flags.idp as Kind | undefined) ?? kindOf(provider), provider.service);
  const again = commandLine(
    flags.provider === undefined && provider.entityID === '' ? [...command, '--provider', provider.id] : command,
  );
  const isPlain = globals.jq === undefined && globals.columns === undefined;
  if (isPlain && (globals.output === 'table' || (globals.output === undefined && io.screen.terminal))) {
    await io.out.write(guideText(provider, guide, result));
  } else {
    const { printObject } = await import('../cli/output/index.ts');
    const options = outputOptions(invocation, { idKey: 'provider.id' });
    await printObject(options, { result, provider, enter: guide, command: again }, undefined, io.out);
  }
  await io.note(`To repeat it without questions:\n  ${again}`);
}

/** Each value on a line of its own and whole, so that it can be copied in a window of any width. */
function guideText(provider: Provider, { name, where, fields, notes }: Guide, result: string): string {
  return [
    '',
    `${visible(provider.label)} (${provider.id}) is ${result}.`,
    '',
    `Enter this at ${name},`,
    `${where}:`,
    ...fields.flatMap(({ field, value }) => ['', `  ${field}`, `  ${visible(value)}`]),
    '',
    ...notes.map((note) => `- ${note}`),
    '',
    '',
  ].join('\n');
}
