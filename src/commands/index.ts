import type { Entry } from '../cli/tree.ts';

/** Every first-level word. Names, aliases and summaries stand here, so that the root help loads no group. */
export const entries: readonly Entry[] = [
  { name: 'whoami', summary: 'show who you are signed in as', purpose: 'People', load: () => import('./whoami.ts') },
  {
    name: 'orgs',
    aliases: ['organizations'],
    summary: 'organizations: settings, search',
    purpose: 'People',
    load: () => import('./orgs.ts'),
  },
  { name: 'members', summary: 'members and their roles', purpose: 'People', load: () => import('./members.ts') },
  {
    name: 'invites',
    summary: 'invite people by e-mail, from a file or by link',
    purpose: 'People',
    load: () => import('./invites.ts'),
  },
  {
    name: 'sso',
    summary: 'single sign-on: set it up, SAML providers',
    purpose: 'People',
    load: () => import('./sso.ts'),
  },
  {
    name: 'spaces',
    summary: 'spaces: create, move, delete, restore',
    purpose: 'Content',
    load: () => import('./spaces.ts'),
  },
  {
    name: 'cr',
    aliases: ['change-requests'],
    summary: 'change requests: create, review, merge',
    purpose: 'Content',
    load: () => import('./cr.ts'),
  },
  {
    name: 'openapi',
    summary: 'OpenAPI specifications: check and publish',
    purpose: 'Publishing',
    load: () => import('./openapi.ts'),
  },
  { name: 'init', summary: 'make a local instance', purpose: 'Local instance', load: () => import('./init.ts') },
  {
    name: 'serve',
    summary: 'run the local instance over HTTP',
    purpose: 'Local instance',
    load: () => import('./serve.ts'),
  },
  {
    name: 'auth',
    summary: 'sign in and out; whether tokens still work',
    purpose: 'Settings',
    load: () => import('./auth.ts'),
  },
  {
    name: 'profiles',
    summary: 'services and organizations side by side',
    purpose: 'Settings',
    load: () => import('./profiles.ts'),
  },
  {
    name: 'config',
    summary: 'settings, and where each comes from',
    purpose: 'Settings',
    load: () => import('./config.ts'),
  },
  {
    name: 'completion',
    summary: 'completion scripts for your shell',
    purpose: 'More',
    load: () => import('./completion.ts'),
  },
  {
    name: '__complete',
    summary: 'complete a command line',
    purpose: 'More',
    hidden: true,
    load: () => import('./complete.ts'),
  },
  { name: 'help', summary: 'explain a command or a topic', purpose: 'More', load: () => import('./help.ts') },
];
