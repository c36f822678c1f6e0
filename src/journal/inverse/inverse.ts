import type { Client } from '../../client/client.ts';
import type { Endpoint, ParamsOf } from '../../contract/endpoint.ts';

export type State = Record<string, unknown>;
export type Params = Record<string, string>;

/** A call that changes something, with its endpoint. */
export interface ChangeCall {
  endpoint: Endpoint;
  params: Params;
  body: State;
  /** The object that it changes, if it was just read. */
  current?: object;
}

/** A change that was made, as far as an undo knows it. */
export interface MadeChange extends ChangeCall {
  before: State | undefined;
  after: State | undefined;
  /** The ID of the created object. */
  id: string | undefined;
  started: string;
}

/** One request of an undo. */
export interface UndoRequest {
  endpoint: Endpoint;
  params: Params;
  body?: unknown;
}

/** The requests that undo a change, none if it changed nothing; or why it cannot be undone. */
export type Undo = UndoRequest[] | { reason: string };

/** How to undo the changes of an endpoint. States only have what the call changes and what the undo needs. */
export interface Inverse {
  /** The state before the call; undefined if the undo does not need it. */
  before?(reader: Reader, call: ChangeCall): Promise<State | undefined>;
  /** The state after the call, if the response contains it. Otherwise it is read with `now`. */
  after?(answer: unknown, call: ChangeCall): State | undefined;
  /**
   * The current state. If it differs from the state after the call, the object was changed since.
   *
   * @throws HttpError with status 404, or returns undefined, if the object no longer exists
   */
  now(reader: Reader, change: MadeChange): Promise<State | undefined>;
  undo(change: MadeChange): Undo;
  /** A note for users before the undo. */
  note?: string | ((change: MadeChange) => string | undefined);
}

/** Why there is no inverse. */
export interface Irreversible {
  never: string;
  /** What a change of another object in the same entry needs to know of it. */
  after?(answer: unknown): State;
}

/** Reads states. */
export class Reader {
  readonly client: Client;
  #memory = {};

  constructor(client: Client) {
    this.client = client;
  }

  /** The same object until something may have changed. */
  get memory(): object {
    return this.#memory;
  }

  /** Must be called when anything may have changed. */
  forget(): void {
    this.#memory = {};
  }
}

/** Caches responses by key until the reader forgets them. */
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

/** The parts of an inverse that read the same state before and after the call. */
export const states = (read: (reader: Reader, call: ChangeCall) => Promise<State | undefined>) => ({
  before: read,
  now: read,
});

export const unknownState = { reason: 'the previous state is not known' };
export const unknownPlace = { reason: 'the previous place is not known' };
export const unknownId = { reason: 'the ID of the created object is not known' };
