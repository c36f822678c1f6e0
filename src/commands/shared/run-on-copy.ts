import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Invocation } from '../../cli/command/command.ts';
import type { LineOutcome } from '../../cli/command/command-lines.ts';
import { scopeSetting } from '../../cli/command/invocation.ts';
import type { Client } from '../../client/client.ts';
import type { Exchange } from '../../client/exchange.ts';
import { compareSides, type Difference } from '../../rehearsal/compare.ts';
import { addStubs, isHidden, type Missing, objectsIn } from '../../rehearsal/twin/stubs.ts';
import { addReader } from '../../rehearsal/twin/twin-file.ts';

/** An organization, or an earlier copy of it. */
export interface CopySource {
  orgId: string;
  /** @returns what the copy lacks because the caller may not read it, with the number of each */
  copyTo(file: string): Promise<Record<string, number>>;
}

export interface RehearsalOptions {
  words: readonly string[];
  source: CopySource;
  /** Whether the service is asked about objects that the copy lacks. */
  asksService: boolean;
  /** Whether an administrator runs the command, although the caller may be none. */
  asAdministrator?: boolean;
  /** Further variables of the command. */
  env?: Record<string, string | undefined>;
}

/** A rehearsal, and what is different on the copy afterwards. */
export interface Rehearsed {
  rehearsal: Rehearsal;
  difference: Difference;
  notChecked: Record<string, number>;
  /** The copies before and after, read by an administrator of both. */
  before: Side;
  after: Side;
}

interface Side {
  client: Client;
  orgId: string;
  signal: AbortSignal;
}

type AnyInvocation = Invocation<{}, {}>;

/** Rehearses a command line on a copy, and compares. The copies are deleted when `use` is done. */
export async function withRehearsal<T>(
  invocation: AnyInvocation,
  { words, source, asksService, asAdministrator = false, env }: RehearsalOptions,
  use: (rehearsed: Rehearsed) => Promise<T>,
): Promise<T> {
  const { io, session, signal } = invocation;
  const { orgId } = source;
  const folder = await mkdtemp(join(tmpdir(), 'docsctl-rehearsal-'));
  const [before, after] = [join(folder, 'before.db'), join(folder, 'after.db')];
  try {
    const notChecked = await source.copyTo(before);
    const as = asAdministrator ? await addReader([before], orgId) : undefined;
    const copies = { orgId, before, after, folder, notChecked, asksService, as, env };
    const rehearsal = await rehearse(invocation, words, copies);
    const reader = as ?? (await addReader([before, after], orgId));
    const progress = io.progress('Comparing');
    const sideOf = (client: Client) => ({ client, orgId, signal });
    return await withCopy(session, { file: before, user: reader }, (old) =>
      withCopy(session, { file: after, user: reader }, async (now) => {
        const sides = { before: sideOf(old), after: sideOf(now) };
        const compare = async () =>
          rehearsal.exchanges.some(mayHaveChanged) ? compareSides(sides.before, sides.after) : noDifference;
        const difference = await compare().finally(() => progress.stop());
        return use({ rehearsal, difference, notChecked, ...sides });
      }),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const noDifference: Difference = { changes: [], access: [], brokenLinks: [], contents: [] };

/** Nothing else leaves the copies different: what is refused is not done. */
const mayHaveChanged = ({ request, response }: Exchange): boolean =>
  request.method !== 'GET' && (response === undefined || response.status < 400 || response.status >= 500);

async function withCopy<T>(
  session: AnyInvocation['session'],
  { file, user }: { file: string; user: string },
  run: (client: Client) => Promise<T>,
): Promise<T> {
  const client = await session.clientFor(`embedded:${file}`, undefined, { user });
  try {
    return await run(client);
  } finally {
    await client.close();
  }
}

interface Copies {
  orgId: string;
  before: string;
  /** The copy that is changed. */
  after: string;
  /** For the data of the command on this machine. */
  folder: string;
  /** What the copies lack because the caller may not read it, with the number of each. */
  notChecked: Record<string, number>;
  asksService: boolean;
  /** The user who runs the command; the caller by default. */
  as: string | undefined;
  env: Record<string, string | undefined> | undefined;
}

/**
 * Runs a command line on a copy. If it names objects that the service has and hides from the caller, the command runs again
 * with stubs for them: otherwise it would end with "not found" where the service refuses or accepts it.
 */
async function rehearse(
  invocation: AnyInvocation,
  words: readonly string[],
  { before, after, ...copies }: Copies,
): Promise<Rehearsal> {
  const { signal } = invocation;
  const { orgId, notChecked, asksService } = copies;
  const asked = new Set<string>();
  for (;;) {
    await copyFile(before, after);
    const rehearsal = await runOnCopy(invocation, words, { file: after, ...copies });
    signal.throwIfAborted();
    // Nothing is hidden from an administrator, and a rehearsal on the twin sends nothing to the service.
    if (!asksService || Object.keys(notChecked).length === 0) return rehearsal;
    const unknown = objectsIn(missingPaths(rehearsal)).filter((object) => !asked.has(keyOf(object)));
    const client = await invocation.client();
    const hidden: Missing[] = [];
    for (const object of unknown) {
      asked.add(keyOf(object));
      if (await isHidden(client, orgId, object)) hidden.push(object);
    }
    if (hidden.length === 0) return rehearsal;
    await addStubs(before, orgId, hidden);
    for (const { kind } of hidden) notChecked[kind] = (notChecked[kind] ?? 0) + 1;
  }
}

const keyOf = ({ kind, id }: Missing): string => `${kind} ${id}`;

const missingPaths = ({ exchanges }: Rehearsal): string[] =>
  exchanges.filter(({ response }) => response?.status === 404).map(({ request }) => request.path);

/** The result of a command line on the copy. */
export interface Rehearsal extends LineOutcome {
  exchanges: Exchange[];
}

/** Runs a command line on the copy. @param folder for its data on this machine */
async function runOnCopy(
  invocation: AnyInvocation,
  words: readonly string[],
  { orgId, file, folder, as, env }: Pick<Copies, 'orgId' | 'folder' | 'as' | 'env'> & { file: string },
): Promise<Rehearsal> {
  const { lines, globals, session } = invocation;
  const exchanges: Exchange[] = [];
  const nowhere = { write: () => {} };
  const scope = async (name: 'space' | 'site') => (await scopeSetting(invocation, name, { ask: false })).setting?.value;
  const { profile: _profile, har: _har, output: _output, jq: _jq, columns: _columns, ...others } = globals;
  // The folder of a plan belongs to the service, not to the copy.
  const line = words[0] === 'apply' ? [...words, '--leave-lock'] : words;
  const outcome = await lines.run(line, {
    globals: {
      ...others,
      ...(as !== undefined && { as }),
      url: `embedded:${file}`,
      yes: true,
      input: false,
      record: true,
      readOnly: false,
      isApproved: true,
    },
    env: {
      ...session.env,
      DOCSCTL_URL: undefined,
      DOCSCTL_TOKEN: undefined,
      DOCSCTL_TOKEN_FILE: undefined,
      DOCSCTL_PROFILE: undefined,
      DOCSCTL_ORG: orgId,
      DOCSCTL_SPACE: await scope('space'),
      DOCSCTL_SITE: await scope('site'),
      ...env,
      // Data on this machine about the service must not be mixed with data about the copy.
      DOCSCTL_DATA_DIR: folder,
      DOCSCTL_JOURNAL: 'off',
      GITHUB_ACTIONS: undefined,
      GITLAB_CI: undefined,
    },
    streams: { out: nowhere, err: nowhere, screen: { terminal: false, color: false, width: Infinity } },
    exchanges,
    signal: invocation.signal,
  });
  return { ...outcome, exchanges };
}
