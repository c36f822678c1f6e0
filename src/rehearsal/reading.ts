import type { Reading } from '../organization/service/read-service.ts';
import type { TwinFile } from './twin/twin-file.ts';

/** Options of all functions that copy an organization to a twin. */
export interface TwinReading extends Reading {
  twin: TwinFile;
  leftOut: LeftOut;
  refuse(what: string): void;
  /** The bytes at an address of the service. */
  bytes(address: string): Promise<Uint8Array>;
}

/** Objects that a twin lacks, counted by kind. */
export class LeftOut {
  /** Objects that the caller may not read. */
  readonly refused = new Map<string, number>();
  /** Objects that no request returns. */
  readonly hidden = new Map<string, number>();

  refuse(what: string): void {
    this.refused.set(what, (this.refused.get(what) ?? 0) + 1);
  }

  hide(what: string, count = 1): void {
    if (count > 0) this.hidden.set(what, (this.hidden.get(what) ?? 0) + count);
  }
}
