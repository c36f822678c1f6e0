import { readFileSync, rmSync, statSync } from 'node:fs';
import type { InstanceResponse } from '../engine/request.ts';

/** A response whose body is a temporary file: HTTP sends it from there, other transports read it whole. */
export class FileResponse implements InstanceResponse {
  readonly status = 200;
  readonly headers: Record<string, string>;
  route?: string;
  #path: string | undefined;
  #bytes: Uint8Array = new Uint8Array();

  constructor(headers: Record<string, string>, path: string) {
    this.headers = headers;
    this.#path = path;
  }

  /** The whole body; the file is deleted then. */
  get body(): Uint8Array {
    if (this.#path !== undefined) this.#bytes = readFileSync(this.#path);
    this.discard();
    return this.#bytes;
  }

  /** The file with its length; undefined if the body was read. The caller calls `discard` at the end. */
  get file(): { path: string; size: number } | undefined {
    return this.#path === undefined ? undefined : { path: this.#path, size: statSync(this.#path).size };
  }

  discard(): void {
    if (this.#path !== undefined) rmSync(this.#path, { force: true });
    this.#path = undefined;
  }
}
