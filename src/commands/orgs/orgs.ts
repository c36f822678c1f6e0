import type { Client } from '../../client/client.ts';
import type { Column } from '../../cli/output/index.ts';
import type { Fields, Invocation, Node } from '../../cli/command/command.ts';
import { UsageError } from '../../cli/program/failure.ts';
import { command } from '../../cli/command/define.ts';
import type { AnswerOf, ItemOf } from '../../contract/endpoint.ts';
import { orgs } from '../../contract/orgs.ts';
import { search } from '../../contract/search.ts';
import { spaces } from '../../contract/spaces.ts';
import { isHiddenSpace, isHiddenTitle } from '../../shared/state-title.ts';
import { valueAt } from '../../shared/value-at.ts';
import { app, created, id, pageHits, searchColumns, searchNote, title } from '../shared/columns.ts';

type Organization = AnswerOf<typeof orgs.view>;

const columns: Column<ItemOf<typeof orgs.list>>[] = [
  title,
  { key: 'hostname', optional: true },
  { key: 'type', optional: true },
  { key: 'plan', optional: true },
  created,
  id,
];

const card: Column<Organization>[] = [
  title,
  id,
  { key: 'hostname' },
  { key: 'type' },
  { key: 'useCase', title: 'Use case' },
  { key: 'plan' },
  { key: 'trial.status', title: 'Trial' },
  { key: 'emailDomains', title: 'Email domains', kind: 'list' },
  { key: 'defaultRole', title: 'Default role', kind: 'role' },
  { key: 'defaultContent.site', title: 'Default site', kind: 'id', names: 'siteId' },
  { key: 'sso', title: 'SSO enforced', kind: 'boolean' },
  { key: 'ai', title: 'AI', kind: 'boolean' },
  { key: 'inviteLinks', title: 'Invite links', kind: 'boolean' },
  { key: 'createdAt', title: 'Created', kind: 'date' },
  app,
];

interface DomainFlags {
  emailDomains?: string[] | undefined;
  addEmailDomain?: string[] | undefined;
  removeEmailDomain?: string[] | undefined;
}

/** The email domains after adding and removing some. @throws UsageError */
async function emailDomainsOf(
  { flags, client }: Pick<Invocation<{}, DomainFlags>, 'flags' | 'client'>,
  { orgId = '' }: Record<string, string>,
): Promise<Fields> {
  const { addEmailDomain: added = [], removeEmailDomain: removed = [] } = flags;
  if (added.length + removed.length === 0) return {};
  if (flags.emailDomains !== undefined) {
    throw new UsageError(
      `--email-domains and ${added.length > 0 ? '--add-email-domain' : '--remove-email-domain'} cannot be combined.`,
      'The first replaces all domains, the other changes single ones.',
    );
  }
  const { checkValue } = await import('../../contract/validation-issues.ts');
  const result = orgs.edit.body && checkValue(orgs.edit.body(), { emailDomains: added });
  if (result && !result.success) {
    const wrong = added[Number(result.issues[0]?.path.at(-1))];
    throw new UsageError(`--add-email-domain: "${wrong}" is not a domain.`, 'Domains look like lumen.example.');
  }
  const { emailDomains } = await (await client()).call(orgs.view, { params: { orgId } });
  const domains = new Map(emailDomains.map((domain) => [domain.toLowerCase(), domain]));
  const missing = removed.find((domain) => !domains.has(domain.toLowerCase()));
  if (missing !== undefined) {
    throw new UsageError(
      `--remove-email-domain: "${missing}" is not one of the email domains.`,
      `There are: ${emailDomains.join(', ') || 'none'}.`,
    );
  }
  for (const domain of removed) domains.delete(domain.toLowerCase());
  for (const domain of added) if (!domains.has(domain.toLowerCase())) domains.set(domain.toLowerCase(), domain);
  return { emailDomains: [...domains.values()] };
}

/** Whether it is the state of "docsctl apply". A result does not have the level, which tells it from other spaces. */
async function isHidden(result: unknown, client: Client): Promise<boolean> {
  if (!isHiddenTitle(valueAt(result, 'title'))) return false;
  const spaceId = String(valueAt(result, 'id'));
  return isHiddenSpace(await client.call(spaces.view, { params: { spaceId } }));
}

/** Also available as the first-level word `search`. */
export const searchOrganization = command({
  use: 'search <query>',
  endpoint: search.organization,
  description:
    'Finds pages by words or a question, best match first, grouped by space. Pages with some of the words are found if none has all. Pipes, CSV and -o id get one line per page. Searches the main content only, not change requests.',
  examples: {
    'Search for pages about the inlet valve': 'docsctl search "inlet valve"',
    'Print the paths of matching pages': 'docsctl search pump --jq ".[].pages[].path"',
  },
  seeAlso: ['spaces search', 'content pages view'],
  output: {
    columns: searchColumns,
    note: searchNote,
    tree: { children: ({ pages }: ItemOf<typeof search.organization>) => pages },
    hides: isHidden,
    rows: pageHits,
  },
});

const output = { columns, card };

const nodes: Node[] = [
  command({
    use: 'list',
    endpoint: orgs.list,
    description:
      'Lists the organizations where you are a member or a guest, by title. Use "orgs by-domain" to find others.',
    examples: { 'List your organizations': 'docsctl orgs list', 'Print IDs only': 'docsctl orgs list -o id' },
    seeAlso: ['orgs view', 'config set'],
    output,
  }),
  command({
    use: 'create',
    endpoint: orgs.create,
    description:
      'The new organization has no teams, spaces or sites, and you are its only member. Invite links are enabled. Organizations cannot be deleted.',
    examples: {
      'Create an organization': 'docsctl orgs create --title "Lumen Labs"',
      'Create one with an email domain and a use case':
        'docsctl orgs create --title "Lumen Labs" --email-domains labs.lumen.example --use-case productDocs',
    },
    exitStatuses: { 6: 'a value is invalid' },
    seeAlso: ['orgs edit', 'invites send'],
    output,
  }),
  command({
    use: 'view [org]',
    endpoint: orgs.view,
    description:
      'Shows the current organization unless you pass an ID. With -o json, "permissions" lists your permissions.',
    examples: {
      'View the current organization': 'docsctl orgs view',
      'Print your permissions': 'docsctl orgs view --jq .permissions',
    },
    seeAlso: ['orgs edit', 'members list'],
    output,
  }),
  command({
    use: 'edit [org...]',
    endpoint: orgs.edit,
    description:
      'Fields that you do not pass stay unchanged. --email-domains replaces all email domains; --add-email-domain and --remove-email-domain change single ones. --sso limits access to people who sign in through SSO, --no-invite-links disables all invite links, and --default-role admin makes everyone who joins an administrator; these three ask for confirmation.',
    examples: {
      'Rename it and let new members read': 'docsctl orgs edit --title "Lumen Documentation" --default-role read',
      'Add an email domain': 'docsctl orgs edit --add-email-domain lumen.test',
      'Replace all email domains': 'docsctl orgs edit --email-domains lumen.example,lumen.test',
      'Disable invite links without confirmation': 'docsctl orgs edit --no-invite-links --yes',
    },
    exitStatuses: { 6: 'the hostname is taken, or a value is invalid' },
    seeAlso: ['orgs view', 'sso providers list', 'invites links list'],
    flags: [
      {
        flags: '--add-email-domain <domain>',
        description: 'add an email domain (repeatable or comma-separated)',
        repeatable: true,
        sets: true,
      },
      {
        flags: '--remove-email-domain <domain>',
        description: 'remove an email domain (repeatable or comma-separated)',
        repeatable: true,
        sets: true,
      },
    ],
    input: {
      singular: ['title', 'hostname', 'defaultContentSite'],

      body: emailDomainsOf,
    },
    output,
    confirm: [
      {
        question: 'Change how people get access to {}?',
        typed: { view: orgs.view, title: (org: Organization) => org.title },
        when: ({ sso, inviteLinks }) => sso === true || inviteLinks === false,
      },
      {
        question: 'Make everyone who joins {} from now on an administrator?',
        when: ({ defaultRole }) => defaultRole === 'admin',
      },
    ],
  }),
  searchOrganization,
  command({
    use: 'by-domain <domain>',
    endpoint: orgs.byDomain,
    description: 'Lists the organizations with this email domain, by title. You need not be a member.',
    examples: {
      'List the organizations of lumen.example': 'docsctl orgs by-domain lumen.example',
      'Print IDs only': 'docsctl orgs by-domain lumen.example -o id',
    },
    seeAlso: ['orgs list', 'orgs edit'],
    input: { params: { domain: 'emailDomain' } },
    output: { columns, list: true, member: 'organizations' },
  }),
  command({
    use: 'ping [org]',
    endpoint: orgs.ping,
    description:
      'If the organization has a published site with sign-in or adaptive content, the response contains a visitor token with your attributes, valid for one hour.',
    examples: {
      'Update your last-seen time': 'docsctl orgs ping',
      'Preview the request': 'docsctl orgs ping --dry-run',
    },
    seeAlso: ['whoami', 'members list'],
    output: {
      columns: [{ key: 'serviceVisitorClaims', title: 'Visitor claims', kind: 'id' }],
      done: 'Your last-seen time is up to date.',
    },
  }),
];
export default nodes;
