import type { Client } from '../client/client.ts';
import { HttpError } from '../client/errors/http-error.ts';
import { reasons } from '../contract/errors.ts';
import { Names } from '../organization/names.ts';
import { noIds } from '../organization/organization.ts';
import type { Reading } from '../organization/service/reading.ts';
import type { TwinFile } from './twin/twin-file.ts';

/** What the readers of a twin share. */
export interface TwinReading extends Reading {
  twin: TwinFile;
  leftOut: LeftOut;
  /** The bytes at an address of the service. */
  bytes(address: string): Promise<Uint8Array>;
}

interface Options extends Pick<TwinReading, 'client' | 'orgId' | 'twin' | 'bytes' | 'progress' | 'signal'> {
  client: Client;
}

export const newReading = (options: Options): TwinReading => ({
  ...options,
  leftOut: new LeftOut(),
  names: new Names(noIds()),
  otherIds: new Map(),
  memberIds: new Map(),
  warn: () => {},
});

/** What a twin does not have, counted by what it is. */
export class LeftOut {
  /** The service refused to show it. */
  readonly refused = new Map<string, number>();
  /** No call shows it. */
  readonly hidden = new Map<string, number>();

  refuse(what: string): void {
    this.refused.set(what, (this.refused.get(what) ?? 0) + 1);
  }

  hide(what: string, count = 1): void {
    if (count > 0) this.hidden.set(what, (this.hidden.get(what) ?? 0) + count);
  }
}

/** What `read` gives; `otherwise` where the caller may not read it, or it is gone. */
export async function readable<Result>(
  { leftOut }: Pick<TwinReading, 'leftOut'>,
  what: string,
  read: () => Promise<Result>,
  otherwise: Result,
): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof HttpError && (error.status === reasons.forbidden || isMissing(error)))) throw error;
    leftOut.refuse(what);
    return otherwise;
  }
}

export const isMissing = (error: unknown): boolean =>
  error instanceof HttpError && error.status === reasons['not-found'];
