import { outputOptions } from '../../cli/command/invocation.ts';
import { printRequest } from '../../cli/command/dry-run/dry-run.ts';
import { visible } from '../../cli/output/index.ts';
import { shellCommand } from '../../shared/shell-quote.ts';
import type { AnswerOf, BodyInput } from '../../contract/endpoint.ts';
import { sso } from '../../contract/sso.ts';
import { remarksOn } from '../../saml/certificate.ts';
import { type Guide, guideFor, kindOf } from '../../saml/guide.ts';
import { wordOf } from '../shared/roles.ts';
import { dayOf, type SetupInvocation, type Source } from './identity-source.ts';

type Provider = AnswerOf<typeof sso.viewProvider>;
type Settings = BodyInput<typeof sso.editProvider>;

/** Prints the settings that will be sent, with warnings. */
export async function printPlan(
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

export function printSetupRequest(
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
export async function printResult(
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
