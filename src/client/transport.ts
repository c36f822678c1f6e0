export interface WireRequest {
  method: string;
  /** `/v1/...?query`, after the prefix of the base address if it has one. */
  path: string;
  headers: Record<string, string>;
  body?: string | Uint8Array;
  signal?: AbortSignal;
  /** Whether it may be sent again when nobody knows whether it arrived. */
  repeatable: boolean;
  /** How long silence may last for this attempt, where it is less than the transport's own limit. */
  timeoutMs?: number;
}

export interface WireResponse {
  status: number;
  /** Names in lower case; a repeated header is joined with `, `. */
  headers: Record<string, string>;
  body: Uint8Array;
  /** Gives the memory of `body` back for another answer. Nobody may read it after that. */
  release?: () => void;
}

/** Carries one request to the service and brings the answer, over HTTP or within the process. */
export interface Transport {
  send(request: WireRequest): Promise<WireResponse>;
  close(): Promise<void>;
}
