import type { Client } from '../../client/client.ts';
import { HttpError } from '../../client/errors/http-error.ts';
import type { Endpoint, ParamsOf } from '../../contract/endpoint.ts';
import { reasons } from '../../contract/errors.ts';

export type State = Record<string, unknown>;
export type Params = Record<string, string>;

/** A call that changes something, with its endpoint. */
export interface ChangeCall {
  endpoint: Endpoint;
  params: Params;
  body: State;
  /** What it changes, where it was just read. */
  current?: object;
}

/** A change that was made: what an undo knows of it. */
export interface MadeChange extends ChangeCall {
  before: State | undefined;
  after: State | undefined;
  /** Id of what it made. */
  id: string | undefined;
  started: string;
}

/** One request of an undo. */
export interface UndoRequest {
  endpoint: Endpoint;
  params: Params;
  body?: unknown;
}

/** What takes a change back: requests, none where it changed nothing; or why nothing does. */
export type Undo = UndoRequest[] | { reason: string };

/** How the changes of one endpoint are taken back. A state has only what the call changes, and what the undo needs. */
export interface Inverse {
  /** The state before the call; absent where the undo does not need it. */
  before?(reader: Reader, call: ChangeCall): Promise<State | undefined>;
  /** The state after the call where the answer tells it; else it is read, as `now` does. */
  after?(answer: unknown, call: ChangeCall): State | undefined;
  /** The state now: another one than after the call means that somebody changed it since. */
  now(reader: Reader, change: MadeChange): Promise<State | undefined>;
  undo(change: MadeChange): Undo;
  /** What a person should know before the undo. */
  note?: string;
}

/** There is no inverse, and why. */
export interface Irreversible {
  never: string;
}

/** Reads what states are made of. */
export class Reader {
  readonly client: Client;
  #memory = {};

  constructor(client: Client) {
    this.client = client;
  }

  /** The same until something may have changed. */
  get memory(): object {
    return this.#memory;
  }

  /** Everything may have changed: what was read is read again. */
  forget(): void {
    this.#memory = {};
  }
}

/** Keeps answers of a service, by a key, until the reader forgets them. */
export class Answers<T> {
  readonly #answers = new WeakMap<object, Map<string, Promise<T>>>();

  get({ memory }: Reader, key: string, load: () => Promise<T>): Promise<T> {
    const answers = this.#answers.get(memory) ?? new Map<string, Promise<T>>();
    this.#answers.set(memory, answers);
    const answer = answers.get(key) ?? load();
    answers.set(key, answer);
    return answer;
  }
}

/** A request of an undo, typed by its endpoint. */
export const undoRequest = <E extends Endpoint>(endpoint: E, params: ParamsOf<E>, body?: unknown): UndoRequest => ({
  endpoint,
  params,
  ...(body !== undefined && { body }),
});

/** What a promise gives; undefined where the service answers that there is no such object. */
export async function unlessMissing<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof HttpError && error.status === reasons['not-found']) return undefined;
    throw error;
  }
}
