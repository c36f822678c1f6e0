import { rmSync } from 'node:fs';
import type { Invocation } from '../cli/command/command.ts';
import { createProgress } from '../cli/output/index.ts';
import { TwinFile } from './twin/twin-file.ts';
import { downloaderOf } from '../commands/shared/download.ts';
import { buildTwin, type TwinCounts } from './build-twin.ts';
import { type LeftOut, newReading } from './reading.ts';

export interface MadeTwin extends TwinCounts {
  leftOut: LeftOut;
}

/** Writes the twin of an organization into a new database. Where that fails, nothing is left of it. */
export async function makeTwin(
  invocation: Invocation<{}, {}>,
  { orgId, file }: { orgId: string; file: string },
): Promise<MadeTwin> {
  const { io, session, signal } = invocation;
  const client = await invocation.client();
  const download = downloaderOf(invocation);
  const progress = createProgress('Reading the organization', { animated: io.canAnimate, quiet: io.quiet });
  const twin = new TwinFile(file);
  const reading = newReading({
    client,
    orgId,
    twin,
    signal,
    bytes: (address) => download.bytes(address),
    progress: (what, done, total) => {
      progress.say(`Reading ${what}`);
      progress.count(done, total);
    },
  });
  try {
    const source = {
      url: (await session.address()).value,
      organization: orgId,
      createdAt: new Date().toISOString(),
    };
    const counts = await buildTwin(reading, source);
    signal.throwIfAborted();
    await twin.close();
    return { ...counts, leftOut: reading.leftOut };
  } catch (error) {
    await twin.close();
    removeDatabase(file);
    throw error;
  } finally {
    progress.stop();
    await download.close();
  }
}

/** Removes a database with the files that SQLite keeps beside it. */
export function removeDatabase(file: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
}

/** Says what a twin does not have. */
export async function noteLeftOut({ io }: Invocation<{}, {}>, { refused, hidden }: LeftOut): Promise<void> {
  for (const [what, count] of refused) await io.note(`Not readable, and not in the twin: ${what} (${count}).`);
  const texts = [...hidden].map(([what, count]) => `${what} (${count})`);
  const others = [...texts, 'passwords, tokens, secrets and sent emails'].join('; ');
  await io.note(`Not in a twin: ${others}.`);
}
