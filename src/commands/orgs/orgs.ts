import type { Column } from '../../cli/output/index.ts';
import type { Fields, Invocation, Node } from '../../cli/command/command.ts';
import { UsageError } from '../../cli/program/failure.ts';
import { command } from '../../cli/command/define.ts';
import type { AnswerOf, ItemOf } from '../../contract/endpoint.ts';
import { orgs } from '../../contract/orgs.ts';
import { search } from '../../contract/search.ts';
import { app, created, id, pageHits, searchColumns, title } from '../shared/columns.ts';

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
  { key: 'emailDomains', title: 'E-mail domains', kind: 'list' },
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

/** The e-mail domains with those to add, and without those to remove. @throws UsageError */
async function emailDomainsOf(
  { flags, client }: Pick<Invocation<{}, DomainFlags>, 'flags' | 'client'>,
  { orgId = '' }: Record<string, string>,
): Promise<Fields> {
  const { addEmailDomain: added = [], removeEmailDomain: removed = [] } = flags;
  if (added.length + removed.length === 0) return {};
  if (flags.emailDomains !== undefined) {
    throw new UsageError(
      `--email-domains and ${added.length > 0 ? '--add-email-domain' : '--remove-email-domain'} cannot be combined.`,
      'The first replaces all domains, the others change the ones that are there.',
    );
  }
  const { checkValue } = await import('../../contract/validation-issues.ts');
  const result = orgs.edit.body && checkValue(orgs.edit.body(), { emailDomains: added });
  if (result && !result.success) {
    const wrong = added[Number(result.issues[0]?.path.at(-1))];
    throw new UsageError(`--add-email-domain: "${wrong}" is not a domain.`, 'Domains look like lumen.example.');
  }
  const { emailDomains } = await (await client()).call(orgs.view, { params: { orgId } });
  const key = (domain: string) => domain.toLowerCase();
  const missing = removed.find((domain) => !emailDomains.map(key).includes(key(domain)));
  if (missing !== undefined) {
    throw new UsageError(
      `--remove-email-domain: "${missing}" is not one of the e-mail domains.`,
      `There are: ${emailDomains.join(', ') || 'none'}.`,
    );
  }
  const kept = emailDomains.filter((domain) => !removed.map(key).includes(key(domain)));
  const fresh = added.filter((domain) => !kept.map(key).includes(key(domain)));
  return { emailDomains: [...kept, ...new Set(fresh)] };
}

/** Also the first-level word `search`. */
export const searchOrganization = command({
  use: 'search <query>',
  endpoint: search.organization,
  help: {
    description:
      'Finds pages that contain every word, ignoring case, best first, grouped by space. A pipe, CSV and -o id get a line for each page, with its space. Only the main content is searched, not change requests.',
    examples: [
      { run: 'docsctl search "inlet valve"', does: 'Pages about the inlet valve' },
      { run: 'docsctl search pump --jq ".[].pages[].path"', does: 'Paths of the pages alone' },
    ],
    seeAlso: ['spaces search', 'content pages view'],
  },
  output: {
    columns: searchColumns,
    tree: { children: ({ pages }: ItemOf<typeof search.organization>) => pages },
    rows: pageHits,
  },
});

const nodes: Node[] = [
  command({
    use: 'list',
    endpoint: orgs.list,
    help: {
      description:
        'Lists the organizations in which you are a member or a guest, by title. "orgs by-domain" finds others.',
      examples: [
        { run: 'docsctl orgs list', does: 'Your organizations' },
        { run: 'docsctl orgs list -o id', does: 'Their ids alone' },
      ],
      seeAlso: ['orgs view', 'config set'],
    },
    output: {
      columns,
      card,
    },
  }),
  command({
    use: 'create',
    endpoint: orgs.create,
    help: {
      description:
        'It has no teams, spaces or sites, invite links are on, and you are its only member. An organization cannot be deleted.',
      examples: [
        { run: 'docsctl orgs create --title "Lumen Labs"', does: 'A new organization' },
        {
          run: 'docsctl orgs create --title "Lumen Labs" --email-domains labs.lumen.example --use-case productDocs',
          does: 'With an e-mail domain and what it is for',
        },
      ],
      exitStatuses: { 6: 'a value is not valid' },
      seeAlso: ['orgs edit', 'invites send'],
    },
    output: {
      columns,
      card,
    },
  }),
  command({
    use: 'view [org]',
    endpoint: orgs.view,
    help: {
      description:
        'Without an id, shows the organization of the context. Your permissions are in "permissions" of -o json.',
      examples: [
        { run: 'docsctl orgs view', does: 'The organization of the context' },
        { run: 'docsctl orgs view --jq .permissions', does: 'Your permissions there' },
      ],
      seeAlso: ['orgs edit', 'members list'],
    },
    output: {
      columns,
      card,
    },
  }),
  command({
    use: 'edit [org...]',
    endpoint: orgs.edit,
    help: {
      description:
        'Fields that are not given stay unchanged. --email-domains replaces all e-mail domains; --add-email-domain and --remove-email-domain leave the others. The domains before and after are shown. With --sso, only people who sign in through SSO have access. --no-invite-links disables all invite links. With --default-role admin, everybody who joins is an administrator. These three ask for confirmation.',
      examples: [
        {
          run: 'docsctl orgs edit --title "Lumen Documentation" --default-role read',
          does: 'Rename it, and let new members read',
        },
        { run: 'docsctl orgs edit --add-email-domain lumen.test', does: 'One e-mail domain more' },
        {
          run: 'docsctl orgs edit --email-domains lumen.example,lumen.test',
          does: 'Replace all e-mail domains',
        },
        { run: 'docsctl orgs edit --no-invite-links --yes', does: 'Disable invite links without confirmation' },
      ],
      exitStatuses: { 6: 'the hostname is taken, or a value is not valid' },
      seeAlso: ['orgs view', 'sso providers list', 'invites links list'],
    },
    input: {
      singular: ['title', 'hostname', 'defaultContentSite'],
      flags: [
        {
          flags: '--add-email-domain <domain>',
          description: 'add an e-mail domain (repeatable, or with commas)',
          repeatable: true,
          sets: true,
        },
        {
          flags: '--remove-email-domain <domain>',
          description: 'remove an e-mail domain (repeatable, or with commas)',
          repeatable: true,
          sets: true,
        },
      ],
      body: emailDomainsOf,
    },
    output: {
      columns,
      card,
    },
    confirm: [
      {
        question: 'Change how people get access to {}?',
        typed: { view: orgs.view, title: (org: Organization) => org.title },
        when: ({ sso, inviteLinks }) => sso === true || inviteLinks === false,
      },
      {
        question: 'Make everybody who joins {} from now on an administrator?',
        when: ({ defaultRole }) => defaultRole === 'admin',
      },
    ],
  }),
  searchOrganization,
  command({
    use: 'by-domain <domain>',
    endpoint: orgs.byDomain,
    help: {
      description: 'Lists the organizations with this e-mail domain, by title. You need not be a member.',
      examples: [
        { run: 'docsctl orgs by-domain lumen.example', does: 'Organizations of lumen.example' },
        { run: 'docsctl orgs by-domain lumen.example -o id', does: 'Their ids alone' },
      ],
      seeAlso: ['orgs list', 'orgs edit'],
    },
    input: { params: { domain: 'emailDomain' } },
    output: {
      columns,
      list: true,
      member: 'organizations',
    },
  }),
  command({
    use: 'ping [org]',
    endpoint: orgs.ping,
    help: {
      description:
        'If the organization has a published site for signed-in visitors, or one with adaptive content, the answer contains a visitor token with your attributes, valid for one hour. Nothing else changes.',
      examples: [
        { run: 'docsctl orgs ping', does: 'Update your last-seen time' },
        { run: 'docsctl orgs ping --dry-run', does: 'Show the request only' },
      ],
      seeAlso: ['whoami', 'members list'],
    },
    output: {
      columns: [{ key: 'serviceVisitorClaims', title: 'Visitor claims', kind: 'id' }],
      done: 'Your last-seen time is up to date.',
    },
  }),
];
export default nodes;
