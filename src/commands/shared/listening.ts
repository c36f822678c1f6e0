import { once } from 'node:events';
import type { Invocation } from '../../cli/command/command.ts';
import { CommandError, UsageError } from '../../cli/program/failure.ts';
import { codeOf } from '../../shared/error-text.ts';

/** The default port of previews. It differs from that of `serve`, so that both can run at the same time. */
export const previewPort = '4100';

/** @throws UsageError */
export function portOf(port: string): number {
  // An empty text, for example from an unset variable in a script, is not port 0.
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65535)
    throw new UsageError(`--port must be from 0 to 65535, not "${port}".`);
  return Number(port);
}

/** Explains why an address cannot be listened on. */
export function listenFailure(error: unknown, host: string, port: number): unknown {
  const [message, hint] =
    {
      EADDRINUSE: [
        `Port ${port} on ${host} is used by another program.`,
        'Choose another with --port, or --port 0 for any free one.',
      ],
      EACCES: [`Port ${port} cannot be used: permission denied.`, 'Choose one above 1023 with --port.'],
      EADDRNOTAVAIL: notLocal(host),
      ENOTFOUND: notLocal(host),
    }[codeOf(error)] ?? [];
  return message === undefined ? error : new CommandError(message, { hint });
}

const notLocal = (host: string) => [
  `${host} is not an address of this machine.`,
  'Choose another with --host. 127.0.0.1 accepts connections only from this machine.',
];

/** Waits for the signal that stops a command. */
export async function untilStopped(signal: AbortSignal): Promise<void> {
  // The signal may have come before the command was ready.
  if (!signal.aborted) await once(signal, 'abort');
}

export const printsJson = ({ session: { globals } }: Pick<Invocation, 'session'>): boolean =>
  globals.json === true || globals.output === 'json';
