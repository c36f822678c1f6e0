import { copyFile } from 'node:fs/promises';
import type { LineOutcome } from '../../cli/command/command-lines.ts';
import { scopeSetting } from '../../cli/command/invocation.ts';
import type { Exchange } from '../../client/exchange.ts';
import { addStubs, isHidden, type Missing, objectsIn } from '../../rehearsal/twin/stubs.ts';
import type { RehearseInvocation } from './rehearsed-line.ts';

interface Copies {
  orgId: string;
  before: string;
  /** The copy that is changed. */
  after: string;
  /** For the data of the command on this machine. */
  folder: string;
  /** What the copies lack because the caller may not read it, with the number of each. */
  notChecked: Record<string, number>;
}

/**
 * Runs a command line on a copy. If it names objects that the service has and hides from the caller, the command runs again
 * with stubs for them: otherwise it would end with "not found" where the service refuses or accepts it.
 */
export async function rehearse(
  invocation: RehearseInvocation,
  words: readonly string[],
  { orgId, before, after, folder, notChecked }: Copies,
): Promise<Rehearsal> {
  const { flags, signal } = invocation;
  const asked = new Set<string>();
  for (;;) {
    await copyFile(before, after);
    const rehearsal = await runOnCopy(invocation, words, { orgId, file: after, folder });
    signal.throwIfAborted();
    // Nothing is hidden from an administrator, and a rehearsal on the twin sends nothing to the service.
    if (flags.twin || Object.keys(notChecked).length === 0) return rehearsal;
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
  invocation: RehearseInvocation,
  words: readonly string[],
  { orgId, file, folder }: { orgId: string; file: string; folder: string },
): Promise<Rehearsal> {
  const { lines, globals, session } = invocation;
  const exchanges: Exchange[] = [];
  const nowhere = { write: () => {} };
  const scope = async (name: 'space' | 'site') => (await scopeSetting(invocation, name, { ask: false })).setting?.value;
  const { profile: _profile, har: _har, output: _output, jq: _jq, columns: _columns, ...others } = globals;
  // The folder of a plan belongs to the service, not to the copy.
  const line = words[0] === 'apply' ? [...words, '--leave-lock'] : words;
  const outcome = await lines.run(line, {
    globals: { ...others, url: `embedded:${file}`, yes: true, input: false, record: true, readOnly: false },
    env: {
      ...session.env,
      DOCSCTL_URL: undefined,
      DOCSCTL_TOKEN: undefined,
      DOCSCTL_TOKEN_FILE: undefined,
      DOCSCTL_PROFILE: undefined,
      DOCSCTL_ORG: orgId,
      DOCSCTL_SPACE: await scope('space'),
      DOCSCTL_SITE: await scope('site'),
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
