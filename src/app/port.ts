/** What the application needs from the service. */

export interface AppRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: { readonly [name: string]: string | string[] | undefined };
  body?: Uint8Array | string | undefined;
  /** The ID of the user who calls. */
  as?: string;
  signal?: AbortSignal | undefined;
}

export interface AppResponse {
  status: number;
  headers: Record<string, string>;
  body: string | Uint8Array;
  route?: string;
}

/** The service, as its API answers. There is no other way to its data. */
export interface AppInstance {
  handle(request: AppRequest): Promise<AppResponse>;
  /** Its address for browsers. */
  readonly base: string;
}

/** The sessions of browsers. The secret of a session is only in a cookie. */
export interface AppSessions {
  userOf(session: string): Promise<string | undefined>;
  redeem(code: string): Promise<string | undefined>;
  signIn(token: string): Promise<{ session: string } | { waitSeconds: number } | undefined>;
  end(session: string): Promise<void>;
}

export interface AppPort {
  instance: AppInstance;
  sessions: AppSessions;
  /** Gets errors that nobody expected. */
  onError(error: unknown): void;
}
