import { type Entry, type Purpose, purposes } from '../cli/command/command.ts';

/** The first-level words by heading of the root help. Names and summaries are here, so that this help loads no group. */
const words: Record<Purpose, Omit<Entry, 'purpose'>[]> = {
  People: [
    { name: 'whoami', summary: 'who you are signed in as', load: () => import('./whoami/whoami.ts') },
    {
      name: 'orgs',
      aliases: ['organizations'],
      summary: 'organizations and search',
      load: () => import('./orgs/orgs.ts'),
    },
    { name: 'members', summary: 'members and their roles', load: () => import('./members/members.ts') },
    { name: 'teams', summary: 'teams and their members', load: () => import('./teams/teams.ts') },
    { name: 'access', summary: 'who can do what, and why', load: () => import('./access/access.ts') },
    { name: 'invites', summary: 'invite by email or link', load: () => import('./invites/invites.ts') },
    { name: 'sso', summary: 'single sign-on with SAML', load: () => import('./sso/sso.ts') },
  ],
  Content: [
    { name: 'spaces', summary: 'spaces and their settings', load: () => import('./spaces/spaces.ts') },
    { name: 'collections', summary: 'groups of spaces', load: () => import('./collections/collections.ts') },
    { name: 'content', summary: 'pages, files, push, pull', load: () => import('./content/content.ts') },
    { name: 'links', summary: 'check links of all spaces', load: () => import('./links/links.ts') },
    { name: 'replace', summary: 'replace words everywhere', load: () => import('./replace/replace.ts') },
    { name: 'cr', aliases: ['change-requests'], summary: 'change requests', load: () => import('./cr/cr.ts') },
    { name: 'comments', summary: 'comments and replies', load: () => import('./comments/comments.ts') },
    {
      name: 'fields',
      aliases: ['custom-fields'],
      summary: 'custom fields and values',
      load: () => import('./fields/fields.ts'),
    },
    { name: 'search', summary: 'search all spaces', load: () => import('./orgs/search.ts') },
  ],
  Publishing: [
    { name: 'sites', summary: 'publish docs sites', load: () => import('./sites/sites.ts') },
    {
      name: 'openapi',
      summary: 'check and publish OpenAPI',
      versioned: ['download'],
      load: () => import('./openapi/openapi.ts'),
    },
    { name: 'preview', summary: 'preview docs locally', load: () => import('./preview/preview.ts') },
    { name: 'urls', summary: 'keep published addresses', load: () => import('./urls/urls.ts') },
    { name: 'translations', summary: 'translation settings', load: () => import('./translations/translations.ts') },
  ],
  'Local instance': [
    { name: 'init', summary: 'create a local instance', load: () => import('./init/init.ts') },
    { name: 'serve', summary: 'serve it over HTTP', load: () => import('./serve/serve.ts') },
  ],
  'As files': [
    { name: 'export', summary: 'export it to files', load: () => import('./organization/export.ts') },
    { name: 'plan', summary: 'preview changes in files', load: () => import('./organization/plan.ts') },
    { name: 'apply', summary: 'apply changes in files', load: () => import('./organization/apply.ts') },
    { name: 'drift', summary: 'find changes not in files', load: () => import('./organization/drift.ts') },
    { name: 'twin', summary: 'copy an organization', load: () => import('./twin/twin.ts') },
    { name: 'rehearse', summary: 'try changes on a copy', load: () => import('./rehearse/rehearse.ts') },
    {
      name: 'propose',
      summary: 'propose a change',
      seesAll: true,
      load: () => import('./propose/propose.ts'),
    },
    {
      name: 'proposals',
      summary: 'approve, apply, revert',
      seesAll: true,
      load: () => import('./proposals/proposals.ts'),
    },
    { name: 'history', summary: 'what commands changed', load: () => import('./history/history.ts') },
    { name: 'undo', summary: 'undo a command', load: () => import('./undo/undo.ts') },
  ],
  Settings: [
    { name: 'auth', summary: 'sign in, sign out, tokens', load: () => import('./auth/auth.ts') },
    { name: 'profiles', summary: 'manage several services', load: () => import('./profiles/profiles.ts') },
    { name: 'config', summary: 'view and change settings', load: () => import('./config/config.ts') },
  ],
  More: [
    { name: 'api', summary: 'send any request', load: () => import('./api/api.ts') },
    { name: 'run', summary: 'run a list of commands', load: () => import('./run/run.ts') },
    { name: 'each', summary: 'run a command per CSV row', load: () => import('./each/each.ts') },
    { name: 'wait', summary: 'wait for a state', load: () => import('./wait/wait.ts') },
    { name: 'mcp', summary: 'serve AI agents', load: () => import('./mcp/mcp.ts') },
    { name: 'alias', summary: 'short names for commands', seesAll: true, load: () => import('./alias/alias.ts') },
    { name: 'open', summary: 'open in the browser', load: () => import('./open/open.ts') },
    { name: 'doctor', summary: 'check settings and token', load: () => import('./doctor/doctor.ts') },
    { name: 'completion', summary: 'shell completion scripts', load: () => import('./completion/completion.ts') },
    {
      name: '__complete',
      summary: 'complete a command line',
      hidden: true,
      seesAll: true,
      load: () => import('./completion/complete.ts'),
    },
    { name: 'help', summary: 'help on commands, topics', seesAll: true, load: () => import('./help/help.ts') },
  ],
};

export const entries: readonly Entry[] = purposes.flatMap((purpose) =>
  words[purpose].map((entry) => ({ ...entry, purpose })),
);
