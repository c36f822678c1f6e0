import type { Reading } from '../organization/service/read-service.ts';
import type { TwinFile } from './twin/twin-file.ts';

/** What the readers of a twin share. */
export interface TwinReading extends Reading {
  twin: TwinFile;
  leftOut: LeftOut;
  refuse(what: string): void;
  /** The bytes at an address of the service. */
  bytes(address: string): Promise<Uint8Array>;
}

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
