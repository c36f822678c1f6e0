import { confirmQuestion } from '../../cli/command/confirm/questions.ts';
import { printRequest } from '../../cli/command/dry-run/dry-run.ts';
import { outputOptions, scopeOf } from '../../cli/command/invocation.ts';
import { visible } from '../../cli/output/index.ts';
import { UsageError, refused } from '../../cli/program/failure.ts';
import { openPrompt } from '../../cli/prompt/open-prompt.ts';
import { pickOptional } from '../../cli/prompt/pick-optional.ts';
import type { Prompt } from '../../cli/prompt/prompt.ts';
import type { Client } from '../../client/client.ts';
import type { AnswerOf, BodyInput } from '../../contract/endpoint.ts';
import { orgs } from '../../contract/orgs.ts';
import { sso } from '../../contract/sso.ts';
import { teams } from '../../contract/teams.ts';
import { bareText, isValidAt, remarksOn } from '../../saml/certificate.ts';
import { type Guide, guideFor, kindOf } from '../../saml/guide.ts';
import { shellCommand } from '../../shared/shell-quote.ts';
import { roleChoices, roleOf, wordOf } from '../../people/roles.ts';
import { type Source, dayOf, sourceOf, wordsOf } from './identity-source.ts';
import type { SetupInvocation } from './setup-flags.ts';

type Provider = AnswerOf<typeof sso.viewProvider>;
type Settings = BodyInput<typeof sso.editProvider>;

const labelLength = 30;

export async function setUp(invocation: SetupInvocation): Promise<void> {
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
    certificate: source.certificate?.pem ?? source.unreadText,
    defaultTeam: team,
    defaultRole: role === undefined ? undefined : roleOf(role),
  });
  const command = commandFor(invocation, orgId, { source, label, team, role });
  await printPlan(invocation, source, label, existing, settings);
  if (invocation.globals.dryRun) return printSetupRequest(invocation, orgId, existing, label, settings);
  if (existing && Object.keys(settings).length === 0) return printResult(invocation, existing, 'unchanged', command);
  const isUsable =
    source.unreadText === undefined && (source.certificate === undefined || isValidAt(source.certificate, new Date()));
  if (prompt) await confirmQuestion(invocation, existing ? 'Change the provider?' : 'Create the provider?', isUsable);
  const provider = await save(client, orgId, existing, label, settings);
  await printResult(invocation, provider, existing ? 'changed' : 'created', command);
}

interface Choices {
  source: Source;
  label: string;
  team: string | undefined;
  role: string | undefined;
}

/** The equivalent command without questions. */
function commandFor(
  { flags, globals }: SetupInvocation,
  orgId: string,
  { source, label, team, role }: Choices,
): string[] {
  return [
    'docsctl',
    'sso',
    'setup',
    ...source.words,
    ...wordsOf({
      '--label': label,
      '--default-team': team,
      '--default-role': role,
      '--provider': flags.provider,
      '--idp': flags.idp,
      '--org': orgId,
      '--profile': globals.profile,
    }),
  ];
}

/** The settings that differ from those of the existing provider. */
function differing(existing: Provider | undefined, settings: Settings): Settings {
  const current: Settings = existing ? { ...existing, defaultTeam: existing.defaultTeam?.id } : {};
  const changes = { ...settings };
  for (const key of settingKeys) {
    if (changes[key] === undefined || (existing && isSameSetting(key, changes[key], current[key]))) delete changes[key];
  }
  return changes;
}

const settingKeys = ['label', 'entityID', 'ssoURL', 'certificate', 'defaultTeam', 'defaultRole'] as const;

/** Certificates are equal in any notation. */
function isSameSetting(key: (typeof settingKeys)[number], one: unknown, other: unknown): boolean {
  if (key !== 'certificate' || typeof one !== 'string' || typeof other !== 'string') return one === other;
  return bareText(one) === bareText(other);
}

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
  throw refused(
    `${same.length} providers have the entity ID ${visible(entityID)}.`,
    `Choose one with --provider: ${same.map((provider) => `${provider.id} (${visible(provider.label)})`).join(', ')}.`,
  );
}

async function labelFor(
  { flags }: SetupInvocation,
  prompt: Prompt | undefined,
  source: Source,
  existing: Provider | undefined,
): Promise<string> {
  const check = (text: string) => {
    const length = [...text].length;
    return length >= 1 && length <= labelLength ? undefined : `It must have 1 to ${labelLength} characters.`;
  };
  if (flags.label !== undefined) {
    const problem = check(flags.label);
    if (problem !== undefined) throw new UsageError(`--label: ${problem}`);
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

/** A team's ID; undefined leaves it unchanged. */
async function teamFor(
  { flags }: SetupInvocation,
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
  return (await pickOptional(prompt, 'Team for people who sign in for the first time:', 'no team', pages()))?.value;
}

/** A role word; undefined leaves it unchanged, or uses the organization's default. */
async function roleFor(
  { flags }: SetupInvocation,
  prompt: Prompt | undefined,
  client: Client,
  orgId: string,
  existing: Provider | undefined,
): Promise<string | undefined> {
  if (flags.defaultRole !== undefined || !prompt || existing) return flags.defaultRole;
  const { defaultRole } = await client.call(orgs.view, { params: { orgId } });
  // The service uses the same default.
  const word = defaultRole ?? 'read';
  const chosen = await prompt.select({
    message: 'Role of people who sign in for the first time:',
    choices: [{ value: '', title: `default of the organization (${word})` }, ...roleChoices],
    start: '',
  });
  return chosen === '' ? undefined : chosen;
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

/** Prints the settings that will be sent, with warnings. */
async function printPlan(
  { io }: SetupInvocation,
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
    ...row('Label:', existing && settings.label),
    ...row('Entity ID:', settings.entityID),
    ...row('Sign-in at:', settings.ssoURL),
    ...(certificate === undefined
      ? []
      : [
          `  Certificate:  ${certificate.subject}`,
          `    issued by   ${certificate.issuer === certificate.subject ? 'itself' : certificate.issuer}`,
          `    valid       ${dayOf(certificate.validFrom)} to ${dayOf(certificate.validTo)}, ${certificate.key}`,
          `    SHA-256     ${certificate.fingerprint}`,
        ]),
    ...row('Team:', settings.defaultTeam),
    ...row('Role:', settings.defaultRole === undefined ? undefined : wordOf(settings.defaultRole)),
    ...remarks,
    ...(certificate === undefined ? [] : remarksOn(certificate, now)),
    ...(settings.ssoURL?.startsWith('http:') ? ['The sign-in address is not encrypted (http).'] : []),
    ...missingFrom(existing, settings),
  ];
  for (const line of lines) await io.note(visible(line));
}

const row = (name: string, value: string | null | undefined) =>
  value === undefined ? [] : [`  ${name.padEnd(14)}${value}`];

/** What is still missing before people can sign in. */
function missingFrom(existing: Provider | undefined, settings: Settings): string[] {
  const fields = [
    { key: 'entityID', name: 'entity ID' },
    { key: 'ssoURL', name: 'sign-in address' },
    { key: 'certificate', name: 'certificate' },
  ] as const;
  const missing = fields.filter(({ key }) => !(settings[key] ?? existing?.[key]));
  return missing.length === 0
    ? []
    : [`Nobody can sign in yet: it has no ${missing.map(({ name }) => name).join(', no ')}.`];
}

function printSetupRequest(
  invocation: SetupInvocation,
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

/** Prints what to enter at the identity provider, and the equivalent command. */
async function printResult(
  invocation: SetupInvocation,
  provider: Provider,
  result: 'created' | 'changed' | 'unchanged',
  command: string[],
): Promise<void> {
  const { io, globals, flags } = invocation;
  const guide = guideFor(flags.idp ?? kindOf(provider), provider.service);
  const again = shellCommand(
    flags.provider === undefined && provider.entityID === '' ? [...command, '--provider', provider.id] : command,
  );
  const isPlain = globals.jq === undefined && globals.columns === undefined;
  if (isPlain && (globals.output === 'table' || (globals.output === undefined && io.screen.terminal))) {
    await io.out.write(guideText(provider, guide, result));
  } else {
    const { printObject } = await import('../../cli/output/index.ts');
    const options = outputOptions(invocation, { idKey: 'provider.id' });
    await printObject(options, { result, provider, enter: guide, command: again }, undefined, io.out);
  }
  await io.note(`To repeat this without questions:\n  ${again}`);
}

/** Prints each value on a separate line without wrapping, so that it can be copied in a window of any width. */
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
