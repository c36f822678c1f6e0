import { ClientError } from './client-error.ts';

/** What was waited for: a connection, the beginning of an answer, or the rest of it. */
export type Awaited = 'connection' | 'answer' | 'rest';

const messages: Record<Awaited, (address: string, seconds: string) => string> = {
  connection: (address, seconds) => `No connection to ${address} within ${seconds}.`,
  answer: (address, seconds) => `No answer from ${address} within ${seconds}.`,
  rest: (address, seconds) => `${address} stopped in the middle of its answer: nothing came for ${seconds}.`,
};

/** The service was silent for longer than is waited. */
export class TimedOut extends ClientError {
  override name = 'TimedOut';
  awaited: Awaited;
  ms: number;

  constructor(awaited: Awaited, ms: number, address: string) {
    super(
      messages[awaited](address, `${Number((ms / 1000).toPrecision(3))} s`),
      awaited === 'connection'
        ? 'Check the address, the network and the proxy settings.'
        : 'Try again later, or allow a longer silence with --timeout.',
    );
    this.awaited = awaited;
    this.ms = ms;
  }
}
