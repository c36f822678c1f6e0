import { setTimeout as sleep } from 'node:timers/promises';
import { shellCommand } from '../../shared/shell-quote.ts';
import { visible } from '../output/index.ts';
import { UsageError } from '../program/failure.ts';
import { Io } from '../program/io.ts';
import type { Invocation } from './command.ts';

const pauseMs = 2_000;
const clearScreen = '\u001b[H\u001b[2J\u001b[3J';

/** Runs a command that reads again and again, and shows its output whenever that has changed. Ctrl-C ends it. */
export async function watch(
  invocation: Invocation,
  words: readonly string[],
  run: (one: Invocation) => Promise<void>,
): Promise<never> {
  const { globals, session, lines, io, signal } = invocation;
  if (globals.dryRun) throw new UsageError('--watch and --dry-run cannot be combined.', 'Leave one of them out.');
  const { out, rows } = { rows: () => process.stdout.rows, ...lines.streams };
  const { screen } = io;
  const title = visible(shellCommand(['docsctl', ...words]));
  let shown: string | undefined;
  for (;;) {
    const chunks: Uint8Array[] = [];
    const kept = { write: (text: string | Uint8Array) => void chunks.push(Buffer.from(text)) };
    const still = new Io(globals, session.env, { out: kept, err: io.err, screen, isStill: true });
    await run({ ...invocation, io: still });
    const text = Buffer.concat(chunks).toString();
    if (text !== shown) {
      const at = new Date().toLocaleTimeString('en-GB');
      await out.write(screen.terminal ? `${clearScreen}${at}  ${title}\n${cut(text, rows())}` : text);
      shown = text;
    }
    await sleep(pauseMs, undefined, { signal });
  }
}

/** The lines for which the screen has room, below the title. */
function cut(text: string, rows: number | undefined): string {
  const lines = text.split('\n');
  const room = (rows ?? Infinity) - 2;
  if (lines.length - 1 <= room) return text;
  return `${lines.slice(0, room - 1).join('\n')}\n... and ${lines.length - room} more lines\n`;
}
