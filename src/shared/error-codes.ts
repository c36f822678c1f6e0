/** Why an error with this code happens, and what to do about it. */
export interface ErrorHelp {
  cause: string;
  remedy: string;
}

/** The codes of errors by the name of their exit status. `docs/errors.md` is generated from this table. */
export const errorCodes = {
  failed: {
    failed: {
      cause: 'The command failed for a reason that has no code of its own.',
      remedy: 'Read the message. If it names a file, check that it exists and can be read or written.',
    },
    bug: {
      cause: 'docsctl met an error that it does not expect: a defect, or a limit of the operating system.',
      remedy: 'Run the command again with `DOCSCTL_DEBUG_STACK=1` and report the output.',
    },
    'client-error': {
      cause: 'A request could not be sent, for example because of an invalid proxy address or header.',
      remedy: 'Correct what the message names.',
    },
    'unexpected-response': {
      cause: 'The service sent a response that does not match the API.',
      remedy:
        'Check that the address belongs to the API and not to a website or a proxy. `--debug` shows the response.',
    },
    'broken-settings': {
      cause: 'A file of settings, tokens or permissions is not valid.',
      remedy: 'Repair the file that the message names, or move it away and sign in again.',
    },
    'unsupported-node': {
      cause: 'The installed Node.js is too old for docsctl.',
      remedy: 'Install the version that the message names.',
    },
    'not-built': {
      cause: 'The installation of docsctl is incomplete.',
      remedy: 'Install docsctl again. In its source code, run `npm install` and `npm run build`.',
    },
  },
  usage: {
    usage: {
      cause: 'The command line, or a file that it names, is not valid.',
      remedy: 'Read the hint and the help of the command.',
    },
    'unknown-command': {
      cause: 'There is no such command.',
      remedy: '`docsctl help --search WORDS` finds commands by what they do.',
    },
    'unknown-option': {
      cause: 'The command does not have this option.',
      remedy: '`docsctl help COMMAND` lists its options.',
    },
    'missing-value': {
      cause: 'An argument, or the value of an option, is missing.',
      remedy: 'Add it. Without a terminal, docsctl cannot ask for it.',
    },
    'empty-value': {
      cause: 'An argument or option is empty.',
      remedy: 'Check that the shell variable in the command line is set.',
    },
    'invalid-value': {
      cause: 'A value is not one of those that are allowed, or has the wrong form.',
      remedy: 'Use a value that the message or the help lists.',
    },
    'conflicting-options': {
      cause: 'Two options exclude each other, or one was given twice.',
      remedy: 'Leave one of them out.',
    },
    'too-many-arguments': {
      cause: 'The command line has more arguments than the command takes.',
      remedy: 'Quote values with spaces, or pass them to the option that the hint names.',
    },
    'not-confirmed': {
      cause: 'The command asks before it makes this change, and could not ask.',
      remedy: 'Check the change with `--dry-run`, then confirm it with `--yes`.',
    },
    'token-on-command-line': {
      cause: 'A token was passed as an argument, where other users and the history of the shell can see it.',
      remedy: 'Use `auth login --with-token`, `DOCSCTL_TOKEN` or `DOCSCTL_TOKEN_FILE`.',
    },
    'no-scope': {
      cause: 'The command needs an organization, a space or a site, and none is set.',
      remedy: 'Pass `--org`, `--space` or `--site`, set the variable, or add it to `.docsctl.yaml` or the profile.',
    },
    'invalid-project-file': {
      cause: '`.docsctl.yaml` cannot be read, is not valid YAML, or has unknown settings.',
      remedy: 'Correct the line that the message names.',
    },
    'invalid-address': {
      cause: 'The address of the service is neither an HTTP address nor `embedded:<file>`.',
      remedy: 'Use an address such as `https://docs.example` or `embedded:`.',
    },
  },
  unauthenticated: {
    unauthenticated: {
      cause: 'The service does not know who you are.',
      remedy: 'Sign in with `docsctl auth login`.',
    },
    unauthorized: {
      cause: 'The service rejected the token: it has expired, was revoked, or belongs to another service.',
      remedy: 'Sign in again with `docsctl auth login`, or replace the token of your script.',
    },
    'no-service': {
      cause: 'No profile and no address are set.',
      remedy: 'Sign in with `docsctl auth login`, create a local instance with `docsctl init`, or set `DOCSCTL_URL`.',
    },
    'no-token': {
      cause: 'There is no token for the address of the service.',
      remedy: 'Sign in, or set `DOCSCTL_TOKEN` or `DOCSCTL_TOKEN_FILE` together with `DOCSCTL_URL`.',
    },
    'invalid-token': {
      cause: 'The token has characters that no token can have, such as line breaks.',
      remedy: 'Copy the token again, as one line.',
    },
    'token-unreadable': {
      cause: "The token is in the system's keyring, and the keyring does not return it.",
      remedy: 'Unlock the keyring, or sign in again.',
    },
    'token-file': {
      cause: 'The file in `DOCSCTL_TOKEN_FILE` cannot be read, or does not contain one token.',
      remedy: 'Check the path and the permissions. The file must contain only the token.',
    },
    'token-command': {
      cause: 'The command in `token-command` of the profile failed, took too long, or did not print one token.',
      remedy: 'Run the command yourself. It must print only the token on standard output.',
    },
    'profile-not-allowed': {
      cause: '`.docsctl.yaml` names a profile that you have not allowed in this folder.',
      remedy: 'If you trust the folder, run `docsctl profiles allow`. Otherwise, pass `--profile`.',
    },
  },
  forbidden: {
    forbidden: {
      cause: 'Your role or level does not permit this.',
      remedy: '`docsctl whoami` shows your role. Ask an administrator for a higher one.',
    },
    'needs-approval': {
      cause: 'The policy of the organization requires an approval for this change.',
      remedy: 'Run the `docsctl propose` command of the hint, and let another administrator approve it.',
    },
    'organization-blocked': {
      cause: 'The organization is blocked.',
      remedy: 'Contact the operator of the service.',
    },
    'member-disabled': {
      cause: 'Your membership of the organization is disabled.',
      remedy: 'Ask an administrator of the organization.',
    },
    'invite-links-disabled': {
      cause: 'The organization does not allow invite links.',
      remedy: 'An administrator can allow them with `docsctl orgs edit --invite-links`.',
    },
  },
  notFound: {
    'not-found': {
      cause: 'The object does not exist, or your token cannot access it.',
      remedy: 'Check the name or ID. `docsctl whoami` shows whose token is used.',
    },
    'unknown-profile': {
      cause: 'There is no profile with this name.',
      remedy: '`docsctl profiles list` lists the profiles.',
    },
  },
  refused: {
    refused: {
      cause: 'The change is not possible in the current state.',
      remedy: 'Read the hint. The message names what is in the way.',
    },
    validation: {
      cause: 'Values of the request are not valid. `details` has one entry for each.',
      remedy: 'Correct the options that the message names.',
    },
    'malformed-json': { cause: 'The body of the request is not JSON.', remedy: 'Check `--data` or `--input`.' },
    'bad-page-token': {
      cause: 'The token of `--page` is not one that the service created for this list.',
      remedy: 'Start again without `--page`.',
    },
    'method-not-allowed': {
      cause: 'The service has no such endpoint for this method.',
      remedy: 'Check the method and path of `docsctl api`.',
    },
    'no-change': { cause: 'The request changes nothing.', remedy: 'Pass at least one new value.' },
    'already-exists': { cause: 'An object with this name exists.', remedy: 'Choose another name, or edit the object.' },
    'last-admin': {
      cause: 'The organization would have no administrator.',
      remedy: 'Give somebody else the role admin first.',
    },
    'invalid-state': {
      cause: 'The object is in a state in which this is not possible, such as a merged change request.',
      remedy: 'View the object, and change its state first.',
    },
    'cannot-move': {
      cause: 'The object cannot be moved there, such as a collection into itself.',
      remedy: 'Choose another target.',
    },
    'precondition-failed': {
      cause: 'The object was changed in the meantime.',
      remedy: 'Read it again, and repeat the change.',
    },
    'too-large': { cause: 'The request is too large.', remedy: 'Split it, or make files smaller.' },
    'unsupported-media-type': {
      cause: 'The service does not accept the type of the body.',
      remedy: 'Send JSON, or set the `Content-Type` header of `docsctl api`.',
    },
    'expectation-failed': {
      cause: 'The request has an `Expect` header that the service does not support.',
      remedy: 'Check the proxies between you and the service.',
    },
    misdirected: {
      cause: 'The request arrived under a host name that the service does not use.',
      remedy: 'Use the address that the service was started with.',
    },
    'import-failed': { cause: 'The source of the import could not be read.', remedy: 'Check its address and content.' },
    'unsupported-source': {
      cause: 'The service cannot import from this kind of source.',
      remedy: '`docsctl help content import` lists the kinds.',
    },
    'too-complex': {
      cause: 'A text is nested too deeply or takes too long to process.',
      remedy: 'Simplify or split it.',
    },
    rejected: {
      cause: 'The service rejected the request without giving a reason.',
      remedy: '`--debug` shows the request and the response.',
    },
  },
  unreachable: {
    unreachable: {
      cause: 'Something that the command needs did not become available in time.',
      remedy: 'Try again later.',
    },
    network: {
      cause: 'There was no connection to the service, or it broke.',
      remedy: 'Check the address, the network, the proxy and the certificates. The message has the reason.',
    },
    timeout: {
      cause: 'The service sent no data for longer than `--timeout`.',
      remedy: 'Try again, or wait longer with `--timeout`.',
    },
    'rate-limited': {
      cause: 'The service limits the number of requests, and still did after the retries.',
      remedy: 'Wait a minute, or raise `--retries`.',
    },
    internal: { cause: 'The service failed.', remedy: 'Try again. If it persists, report the request ID.' },
    unavailable: { cause: 'The service is not available at the moment.', remedy: 'Try again later.' },
  },
  someFailed: {
    'some-failed': {
      cause: 'Some of several items failed. The others succeeded.',
      remedy: 'Correct the items that are listed, and run the command again.',
    },
  },
  checkFailed: {
    'check-failed': {
      cause: 'A check found what it was asked to find.',
      remedy: 'Correct the findings, or accept them with the options of the check.',
    },
  },
  interrupted: {
    interrupted: {
      cause: 'A signal such as Ctrl-C ended the command.',
      remedy: 'Run it again. `docsctl history` shows what it had changed.',
    },
  },
} as const satisfies Record<string, Record<string, ErrorHelp>>;

type Groups = typeof errorCodes;
type KeyOfAny<T> = T extends unknown ? keyof T : never;

/** The stable code of an error. Each reason of the service is one. */
export type ErrorCode = KeyOfAny<Groups[keyof Groups]>;
