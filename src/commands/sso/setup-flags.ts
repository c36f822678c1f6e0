import type { Flag } from '../../cli/command/command.ts';
import type { InvocationOf } from '../../cli/command/define.ts';
import { roleWords } from '../../people/roles.ts';

export const setupFlags = [
  { flags: '--metadata <file-or-url>', description: 'SAML metadata of the identity provider; - for standard input' },
  { flags: '--label <text>', description: 'name on the sign-in button, 1 to 30 characters' },
  {
    flags: '--entity-id <id>',
    description: 'entity ID of the identity provider; selects one if --metadata has several',
  },
  { flags: '--sso-url <address>', description: "address of the identity provider's sign-in page" },
  {
    flags: '--certificate <certificate>',
    description: 'signing certificate: a file, PEM, bare Base64, or - for standard input',
  },
  {
    flags: '--fingerprint <hex>',
    description: 'selects one of several certificates by the start of its SHA-256 fingerprint',
  },
  { flags: '--default-team <id>', description: 'team that people join when they first sign in' },
  { flags: '--default-role <word>', description: 'role that people get when they first sign in', choices: roleWords },
  { flags: '--provider <id>', description: 'change this provider, whatever its entity ID' },
  {
    flags: '--idp <word>',
    description: 'identity provider whose terms the notes use (default: detected)',
    choices: ['okta', 'entra', 'google', 'keycloak', 'other'],
  },
] as const satisfies readonly Flag[];

export type SetupInvocation = InvocationOf<'setup', typeof setupFlags>;
