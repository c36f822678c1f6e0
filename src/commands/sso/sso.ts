import type { Column } from '../../cli/output/index.ts';
import type { Check, Node } from '../../cli/command/command.ts';
import { command } from '../../cli/command/define.ts';
import type { ItemOf } from '../../contract/endpoint.ts';
import { sso } from '../../contract/sso.ts';
import { created, id } from '../shared/columns.ts';
import { roleWords } from '../shared/roles.ts';

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

/** When a provider's certificate expires; nothing where there is none that can be read. */
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

/** Loaded only where a provider is saved: parsing certificates takes a module of its own. */
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
        help: {
          description:
            'Oldest first, with incomplete ones: people can sign in only if entity id, sign-in address and certificate are set. -o json has the full certificates.',
          examples: [
            { run: 'docsctl sso providers list', does: 'What is set up, and until when the certificates are valid' },
            {
              run: 'docsctl sso providers list --jq \'.[] | select(.certificate == "") | .id\'',
              does: 'Those without a certificate',
            },
          ],
          seeAlso: ['sso setup', 'sso logins'],
        },
        output: {
          columns,
        },
      }),
      command({
        use: 'create',
        endpoint: sso.createProvider,
        help: {
          description:
            'Only the label is required: the answer has the addresses that the identity provider needs, and "sso providers edit" adds the rest. A certificate that is none, or is not valid now, gets a warning, and a question in a terminal. "sso setup" reads all of it from SAML metadata. To make SSO mandatory, use "orgs edit --sso".',
          examples: [
            { run: 'docsctl sso providers create --label Okta', does: 'A provider to be completed later' },
            {
              run: 'docsctl sso providers create --label Okta --default-role comment --jq .service',
              does: 'Print only the addresses for the identity provider',
            },
          ],
          exitStatuses: { 6: 'there is no such team, or a value is not valid' },
          seeAlso: ['sso setup', 'sso providers edit'],
        },
        input: { check: checkCertificate },
      }),
      command({
        use: 'view <provider>',
        endpoint: sso.viewProvider,
        help: {
          description:
            'Shows its settings, with the certificate, and under "service" the three values that the identity provider needs: the address for its answers (acsURL), the address where people sign in (startURL), and the entity id of the service.',
          examples: [
            { run: 'docsctl sso providers view lumenid00001', does: 'Its settings, and the addresses to enter there' },
            { run: 'docsctl sso providers view lumenid00001 --jq .certificate', does: 'The certificate alone' },
          ],
          seeAlso: ['sso providers edit', 'sso setup'],
        },
      }),
      command({
        use: 'edit <provider...>',
        endpoint: sso.editProvider,
        help: {
          description:
            'Fields that are not given stay unchanged. Role and team apply to people who sign in for the first time. A new certificate replaces the old one immediately; one that is none, or is not valid now, gets a warning, and a question in a terminal.',
          examples: [
            {
              run: 'docsctl sso providers edit lumenid00001 --default-role comment',
              does: 'Let those who sign in for the first time comment',
            },
            { run: 'docsctl sso providers edit lumenid00001 --label "Lumen"', does: 'Another name on the button' },
          ],
          exitStatuses: { 6: 'there is no such team, or a value is not valid' },
          seeAlso: ['sso setup', 'sso providers view'],
        },
        input: { singular: ['label', 'ssoUrl', 'entityId', 'certificate'], check: checkCertificate },
      }),
      command({
        use: 'delete <provider...>',
        endpoint: sso.deleteProvider,
        help: {
          description:
            'This cannot be undone. People who signed in through it stay members and sign in another way. If the organization requires SSO ("orgs edit --sso"), they need another provider.',
          examples: [
            { run: 'docsctl sso providers delete lumenid00001 --yes', does: 'Delete a provider without confirmation' },
            { run: 'docsctl sso providers delete lumenid00001 --dry-run', does: 'Show the request only' },
          ],
          seeAlso: ['sso logins', 'orgs edit'],
        },
        output: {
          done: 'Deleted {}.',
        },
        confirm: { question: 'Delete the SSO provider {}? Nobody can sign in through it afterwards.' },
      }),
    ],
  },
  command({
    use: 'setup',
    help: {
      summary: 'Set up single sign-on from the SAML metadata of an identity provider.',
      description: `Reads metadata from a file or an address, or takes the fields one by one; checks certificate, entity id and address; creates the provider, or changes the one with the same entity id; and prints what has to be entered at the identity provider, with notes for Okta, Entra ID, Google Workspace and Keycloak. In a terminal it asks for what is missing, and prints the command that does the same without questions.

Where the identity provider wants the service's addresses first, give only --label: the provider is created, and its addresses are printed. Complete it later with --provider and --metadata.`,
      examples: [
        { run: 'docsctl sso setup --label Okta', does: "Create a provider to get the service's addresses" },
        {
          run: 'docsctl sso setup --metadata metadata.xml --label Keycloak',
          does: 'Set up, or bring up to date, from metadata in a file; an address works too',
        },
        {
          run: 'docsctl sso setup --metadata metadata.xml --dry-run',
          does: 'Check the metadata and show what would be sent',
        },
      ],
      exitStatuses: {
        2: 'the metadata or the certificate cannot be used',
        4: 'only administrators of the organization have access',
        5: 'there is no such provider',
        7: 'the address of the metadata cannot be reached',
      },
      seeAlso: ['sso providers list', 'sso logins', 'members mark-sso'],
    },
    input: {
      context: ['org'],
      flags: [
        {
          flags: '--metadata <file-or-url>',
          description: 'SAML metadata of the identity provider; - for standard input',
        },
        { flags: '--label <text>', description: 'name on the sign-in button, 1 to 30 characters' },
        {
          flags: '--entity-id <id>',
          description: 'entity id of the identity provider; with --metadata of several, which one of them',
        },
        { flags: '--sso-url <address>', description: "address of the identity provider's sign-in page" },
        {
          flags: '--certificate <certificate>',
          description: 'signing certificate: a file, PEM, bare Base64, or - for standard input',
        },
        {
          flags: '--fingerprint <hex>',
          description: 'which certificate of several, by the beginning of its SHA-256 fingerprint',
        },
        { flags: '--default-team <id>', description: 'team that people join when they first sign in' },
        {
          flags: '--default-role <word>',
          description: 'role that people get when they first sign in',
          choices: roleWords,
        },
        { flags: '--provider <id>', description: 'change this provider, whatever its entity id' },
        {
          flags: '--idp <word>',
          description: 'identity provider whose terms the instructions use (default: detected)',
          choices: ['okta', 'entra', 'google', 'keycloak', 'other'],
        },
      ],
    },
    writesFilesWith: [],
    run: async (invocation) => (await import('./setup.ts')).setUp(invocation),
  }),
  command({
    use: 'logins',
    endpoint: sso.logins,
    help: {
      description:
        'Lists complete providers only: with entity id, sign-in address and certificate. Works for every organization; you need not be a member.',
      examples: [
        { run: 'docsctl sso logins', does: 'Where people sign in' },
        { run: 'docsctl sso logins --jq ".[].startURL"', does: 'The addresses alone' },
      ],
      seeAlso: ['sso providers list', 'orgs by-domain'],
    },
    output: {
      list: true,
      member: 'items',
      columns: [{ key: 'label' }, { key: 'startURL', title: 'Start address' }, id],
    },
  }),
];
export default nodes;
