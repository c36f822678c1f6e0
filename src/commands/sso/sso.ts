import type { Column } from '../../cli/output/index.ts';
import type { Check, Node } from '../../cli/command/command.ts';
import { command } from '../../cli/command/define.ts';
import type { ItemOf } from '../../contract/endpoint.ts';
import { sso } from '../../contract/sso.ts';
import { created, id } from '../shared/columns.ts';
import { setupFlags } from './setup-flags.ts';

const columns: Column<ItemOf<typeof sso.listProviders>>[] = [
  { key: 'label' },
  { key: 'entityID', title: 'Entity ID' },
  { key: 'ssoURL', title: 'Sign-in address', optional: true },
  { key: 'certificateUntil', title: 'Certificate until', kind: 'date', value: certificateUntil, optional: true },
  { key: 'defaultRole', title: 'Default role', kind: 'role', optional: true },
  { key: 'defaultTeam.title', title: 'Default team', optional: true },
  created,
  id,
];

/** When a provider's certificate expires; undefined if it has no readable certificate. */
function certificateUntil({ certificate }: { certificate: string }): string | undefined {
  const { X509Certificate } = process.getBuiltinModule('node:crypto');
  const isPem = certificate.includes('-----BEGIN');
  try {
    return new Date(
      new X509Certificate(isPem ? certificate : Buffer.from(certificate, 'base64')).validTo,
    ).toISOString();
  } catch {
    return undefined;
  }
}

/** Loaded on demand, because only saving a provider parses certificates. */
const checkCertificate: Check = async (invocation, body) =>
  (await import('./check-certificate.ts')).checkCertificate(invocation, body.certificate);

const nodes: Node[] = [
  {
    name: 'providers',
    summary: 'SAML identity providers',
    children: [
      command({
        use: 'list',
        endpoint: sso.listProviders,
        description:
          'Oldest first, including incomplete ones: people can sign in only if entity ID, sign-in address and certificate are set. With -o json, includes the full certificates.',
        examples: {
          'List providers and when their certificates expire': 'docsctl sso providers list',
          'List providers without a certificate':
            'docsctl sso providers list --jq \'.[] | select(.certificate == "") | .id\'',
        },
        seeAlso: ['sso setup', 'sso logins'],
        output: { columns },
      }),
      command({
        use: 'create',
        endpoint: sso.createProvider,
        description:
          'Only the label is required. The response contains the addresses that the identity provider needs; add the rest with "sso providers edit". Invalid or expired certificates cause a warning, and a question in a terminal. "sso setup" reads everything from SAML metadata. Use "orgs edit --sso" to make SSO mandatory.',
        examples: {
          'Create a provider to complete later': 'docsctl sso providers create --label Okta',
          'Print only the addresses for the identity provider':
            'docsctl sso providers create --label Okta --default-role comment --jq .service',
        },
        exitStatuses: { 6: 'no such team, or a value is invalid' },
        seeAlso: ['sso setup', 'sso providers edit'],
        input: { check: checkCertificate },
      }),
      command({
        use: 'view <provider>',
        endpoint: sso.viewProvider,
        description:
          'Shows the settings, the certificate and, under "service", the values to enter at the identity provider: the address for responses (acsURL), the sign-in address (startURL), and the entity ID of the service.',
        examples: {
          'Show settings and service addresses': 'docsctl sso providers view lumenid00001',
          'Print the certificate only': 'docsctl sso providers view lumenid00001 --jq .certificate',
        },
        seeAlso: ['sso providers edit', 'sso setup'],
      }),
      command({
        use: 'edit <provider...>',
        endpoint: sso.editProvider,
        description:
          'Fields that you do not pass stay unchanged. Role and team apply to people who sign in for the first time. A new certificate replaces the old one immediately; an invalid or expired one causes a warning, and a question in a terminal.',
        examples: {
          'Let people who sign in for the first time comment':
            'docsctl sso providers edit lumenid00001 --default-role comment',
          'Change the text of the sign-in button': 'docsctl sso providers edit lumenid00001 --label "Lumen"',
        },
        exitStatuses: { 6: 'no such team, or a value is invalid' },
        seeAlso: ['sso setup', 'sso providers view'],
        input: { singular: ['label', 'ssoUrl', 'entityId', 'certificate'], check: checkCertificate },
      }),
      command({
        use: 'delete <provider...>',
        endpoint: sso.deleteProvider,
        description:
          'People who signed in through it stay members and sign in another way. If the organization requires SSO ("orgs edit --sso"), they need another provider. This cannot be undone.',
        examples: {
          'Delete a provider without confirmation': 'docsctl sso providers delete lumenid00001 --yes',
          'Preview the request': 'docsctl sso providers delete lumenid00001 --dry-run',
        },
        seeAlso: ['sso logins', 'orgs edit'],
        output: { done: 'Deleted {}.' },
        confirm: { question: 'Delete the SSO provider {}? Nobody can sign in through it afterwards.' },
      }),
    ],
  },
  command({
    use: 'setup',
    changes: ['service'],
    prints: async () => (await import('../shared/printed.ts')).ssoSetup,
    summary: 'Set up single sign-on from the SAML metadata of an identity provider.',
    description:
      "Reads metadata from a file or an address, or takes the fields one by one, and checks them. Creates the provider, or changes the one with the same entity ID, and prints what to enter at the identity provider, with notes for Okta, Entra ID, Google Workspace and Keycloak. Asks for missing values in a terminal. If the identity provider needs the service's addresses first, pass only --label and complete the provider later with --provider and --metadata.",
    examples: {
      "Create a provider to get the service's addresses": 'docsctl sso setup --label Okta',
      'Set up or update a provider from metadata in a file':
        'docsctl sso setup --metadata metadata.xml --label Keycloak',
      'Check the metadata and preview the request': 'docsctl sso setup --metadata metadata.xml --dry-run',
    },
    exitStatuses: {
      2: 'the metadata or the certificate cannot be used',
      4: 'only administrators of the organization have access',
      5: 'no such provider',
      7: 'the address of the metadata is unreachable',
    },
    seeAlso: ['sso providers list', 'sso logins', 'members mark-sso'],
    flags: setupFlags,
    input: { context: ['org'] },
    writesFilesWith: [],
    run: async (invocation) => (await import('./setup.ts')).setUp(invocation),
  }),
  command({
    use: 'logins',
    endpoint: sso.logins,
    description:
      'Lists complete providers only: with entity ID, sign-in address and certificate. You need not be a member of the organization.',
    examples: {
      'List the ways to sign in': 'docsctl sso logins',
      'Print their addresses only': 'docsctl sso logins --jq ".[].startURL"',
    },
    seeAlso: ['sso providers list', 'orgs by-domain'],
    output: {
      list: true,
      member: 'items',
      columns: [{ key: 'label' }, { key: 'startURL', title: 'Start address' }, id],
    },
  }),
];
export default nodes;
