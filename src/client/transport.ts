export interface WireRequest {
  method: string;
  /** `/v1/...?query`, after the prefix of the base address if it has one. */
  path: string;
  headers: Record<string, string>;
  body?: string | Uint8Array;
  signal?: AbortSignal;
  /** Whether it may be sent again when it is unknown whether it arrived. */
  repeatable: boolean;
  /** How long the service may send nothing in this attempt, if that differs from the transport's limit. */
  timeoutMs?: number;
}

export interface WireResponse {
  status: number;
  /** Names in lower case; a repeated header is joined with `, `. */
  headers: Record<string, string>;
  body: Uint8Array;
  /** Releases the memory of `body` for another answer. It must not be read after that. */
  release?: () => void;
}

/** Sends a request to the service and returns the answer, over HTTP or in this process. */
export interface Transport {
  send(request: WireRequest): Promise<WireResponse>;
  close(): Promise<void>;
}
