import type { Invocation } from '../../cli/command/command.ts';
import { visibleLines } from '../../cli/output/index.ts';
import { UsageError } from '../../cli/program/failure.ts';
import type { ListenOptions } from '../../server/http/listen.ts';
import { messageOf } from '../../shared/error-text.ts';
import { defaultLog } from './options.ts';

type Io = Invocation['io'];

/** The flags that control how requests are answered and logged. */
export type ListenFlags = {
  log?: 'text' | 'json' | 'off' | undefined;
  bodyMemory?: string | undefined;
  fault?: string[] | undefined;
  record?: string | undefined;
  replay?: string | undefined;
};

/** Logs, memory for bodies, fault injection, recording and replay. @throws UsageError */
export async function listenOptionsOf(flags: ListenFlags, io: Io): Promise<Partial<ListenOptions>> {
  const bodyMemory = wholeNumber('--body-memory', flags.bodyMemory);
  const options: Partial<ListenOptions> = {
    log: loggerOf(flags.log ?? defaultLog, io),
    ...(bodyMemory === undefined ? {} : { bodyMemory: bodyMemory * 1024 * 1024 }),
  };
  try {
    if (flags.fault) {
      const { parseFault } = await import('../../server/http/fault-injection.ts');
      options.faults = flags.fault.map(parseFault);
    }
    if (flags.record) options.record = (await import('../../server/http/recording.ts')).createRecorder(flags.record);
    if (flags.replay) options.replay = await replayOf(flags.replay, io);
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
  return options;
}

function loggerOf(form: 'text' | 'json' | 'off', io: Io): ListenOptions['log'] {
  switch (form) {
    case 'text':
      return ({ method, path, status, ms, requestId }) =>
        void io.err.write(`${visibleLines(`${method} ${path}`)} ${status} ${ms.toFixed(1)} ms ${requestId}\n`);
    case 'json':
      return (line) => {
        const time = new Date().toISOString();
        void io.err.write(`${JSON.stringify({ time, ...line, ms: Number(line.ms.toFixed(1)) })}\n`);
      };
    case 'off':
      return undefined;
  }
}

/** @throws InvalidRecording */
async function replayOf(file: string, io: Io): Promise<NonNullable<ListenOptions['replay']>> {
  const { createReplay } = await import('../../server/http/recording.ts');
  const { answer, skipped } = createReplay(file);
  if (skipped.length > 0) {
    const lines = skipped.slice(0, 10).join(', ') + (skipped.length > 10 ? ', ...' : '');
    const what =
      skipped.length === 1
        ? '1 line is not a recorded request and was'
        : `${skipped.length} lines are not recorded requests and were`;
    await io.err.write(visibleLines(`warning: ${file}: ${what} skipped: line ${lines}.\n`));
  }
  return answer;
}

/** @throws UsageError */
export function wholeNumber(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new UsageError(`${flag} must be a whole number above 0, not "${text}".`);
  return Number(text);
}
