import { ClientError } from './client-error.ts';

/** What the client was waiting for: a connection, the start of an answer, or the rest of it. */
export type Awaited = 'connection' | 'answer' | 'rest';

const messages: Record<Awaited, (address: string, seconds: string) => string> = {
  connection: (address, seconds) => `No connection to ${address} within ${seconds}.`,
  answer: (address, seconds) => `No answer from ${address} within ${seconds}.`,
  rest: (address, seconds) => `${address} stopped in the middle of its answer: no data for ${seconds}.`,
};

/** The service sent nothing for longer than the timeout. */
export class TimedOut extends ClientError {
  override name = 'TimedOut';
  awaited: Awaited;
  ms: number;

  constructor(awaited: Awaited, ms: number, address: string) {
    super(
      messages[awaited](address, `${Number((ms / 1000).toPrecision(3))} s`),
      awaited === 'connection'
        ? 'Check the address, the network and the proxy settings.'
        : 'Try again later, or wait longer with --timeout.',
    );
    this.awaited = awaited;
    this.ms = ms;
  }
}
