import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LineOutcome } from '../cli/command/command-lines.ts';
import { scopeOf, scopeSetting } from '../cli/command/invocation.ts';
import { exit } from '../cli/program/exit-status.ts';
import { CommandError } from '../cli/program/failure.ts';
import type { Exchange } from '../client/exchange.ts';
import { orgs } from '../contract/orgs.ts';
import { twinSource } from './twin/twin-file.ts';
import { openFileStore } from '../store/sqlite/file-store.ts';
import { makeTwin, noteLeftOut } from './make-twin.ts';
import { twinDatabase } from './twin-place.ts';
import type { RehearseInvocation } from './rehearsed-line.ts';

/** Two copies of an organization: one as it is, one for the rehearsal. */
export interface Copies {
  orgId: string;
  before: string;
  after: string;
}

/** Copies the organization, or the twin, into a folder. */
export async function makeCopies(invocation: RehearseInvocation, folder: string): Promise<Copies> {
  const [before, after] = [join(folder, 'before.db'), join(folder, 'after.db')];
  const orgId = invocation.flags.twin ? await copyTwin(invocation, before) : await copyOrganization(invocation, before);
  await copyFile(before, after);
  return { orgId, before, after };
}

async function copyOrganization(invocation: RehearseInvocation, file: string): Promise<string> {
  const orgId = await organizationOf(invocation);
  const { leftOut } = await makeTwin(invocation, { orgId, file });
  await noteLeftOut(invocation, leftOut);
  return orgId;
}

/** The id of the organization, which may be given by its name. */
export async function organizationOf(invocation: RehearseInvocation): Promise<string> {
  const params = { orgId: await scopeOf(invocation, 'org') };
  return (await (await invocation.client()).call(orgs.view, { params })).id;
}

/** The twin that is there. @throws CommandError where there is none, or it is of another service than the one in use */
export async function twinInUse({ session, flags }: RehearseInvocation): Promise<{ file: string; orgId: string }> {
  const file = twinDatabase(session.env);
  const source = await twinSource(file);
  if (source === undefined || source === 'none')
    throw new CommandError('There is no twin.', {
      exitCode: exit.notFound,
      hint: 'Make one with "docsctl twin create", or leave --twin out.',
    });
  const address = flags.thenApply ? (await session.address()).value : source.url;
  if (address !== source.url)
    throw new CommandError(`The twin is of ${source.url}, and the service in use is ${address}.`, {
      exitCode: exit.refused,
      hint: 'Leave --twin out, or name the profile of that service with --profile.',
    });
  return { file, orgId: source.organization };
}

async function copyTwin(invocation: RehearseInvocation, to: string): Promise<string> {
  const { file, orgId } = await twinInUse(invocation);
  const { backup } = await import('node:sqlite');
  const store = openFileStore(file);
  try {
    await backup(store.connection.sqlite, to);
  } finally {
    await store.close();
  }
  return orgId;
}

/** What a command line did on the copy. */
export interface Rehearsal extends LineOutcome {
  exchanges: Exchange[];
  /** What it printed. */
  output: string;
}

/** Runs a command line on the copy, and nowhere else. */
export async function runOnCopy(
  invocation: RehearseInvocation,
  words: readonly string[],
  { orgId, after, folder }: Pick<Copies, 'orgId' | 'after'> & { folder: string },
): Promise<Rehearsal> {
  const { lines, globals, session } = invocation;
  const exchanges: Exchange[] = [];
  const chunks: Buffer[] = [];
  const keep = { write: (text: string | Uint8Array) => void chunks.push(Buffer.from(text)) };
  const scope = async (name: 'space' | 'site') => (await scopeSetting(invocation, name, { ask: false })).setting?.value;
  const { profile: _profile, har: _har, output: _output, jq: _jq, columns: _columns, ...others } = globals;
  // The folder of a plan is that of the service.
  const line = words[0] === 'apply' ? [...words, '--leave-lock'] : words;
  const outcome = await lines.run(line, {
    globals: { ...others, url: `embedded:${after}`, yes: true, input: false, record: true },
    env: {
      ...session.env,
      DOCSCTL_URL: undefined,
      DOCSCTL_TOKEN: undefined,
      DOCSCTL_PROFILE: undefined,
      DOCSCTL_ORG: orgId,
      DOCSCTL_SPACE: await scope('space'),
      DOCSCTL_SITE: await scope('site'),
      // What commands keep on the machine about the service is not about the copy.
      DOCSCTL_DATA_DIR: folder,
      DOCSCTL_JOURNAL: 'off',
      GITHUB_ACTIONS: undefined,
      GITLAB_CI: undefined,
    },
    streams: { out: keep, err: keep, screen: { terminal: false, color: false, width: Infinity } },
    exchanges,
  });
  return { ...outcome, exchanges, output: Buffer.concat(chunks).toString() };
}
