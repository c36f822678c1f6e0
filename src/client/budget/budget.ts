import { existsSync } from 'node:fs';
import { notSent } from '../errors/not-sent.ts';
import { type Clock, retryAfterMs } from '../retry.ts';
import type { WireRequest, WireResponse } from '../transport.ts';
import type { BudgetOptions, SharedBudget } from './shared-budget.ts';

/** What a process sent in this time says how fast it may go on after the first refusal. */
const ownMs = 60_000;

/** A request that may be sent. */
export interface Place {
  sentAt: number;
}

export interface RequestBudget {
  /** Waits until a request may be sent. */
  enter(signal?: AbortSignal): Promise<Place>;
  /** Tells the other processes that the service refused a request with 429. */
  refused(place: Place, retryAfterMs: number | undefined): Promise<void>;
}

/** The budget of requests that all processes share. Until a service has limited them, it costs one look for a folder. */
export function createBudget(options: BudgetOptions, clock: Clock): RequestBudget {
  let own = { since: clock.now(), sent: 0 };
  let opened: Promise<SharedBudget> | undefined;
  const open = () =>
    (opened ??= import('./shared-budget.ts').then(({ SharedBudget }) => new SharedBudget(options, clock)));

  async function enter(signal?: AbortSignal): Promise<Place> {
    if (clock.now() - own.since > ownMs) own = { since: clock.now(), sent: 0 };
    own.sent++;
    if (opened || existsSync(options.folder)) await (await open()).enter(signal);
    return { sentAt: clock.now() };
  }

  async function refused({ sentAt }: Place, retryAfterMs = 1000): Promise<void> {
    await (await open()).learn({ now: clock.now(), sentAt, retryAfterMs, own });
  }

  return { enter, refused };
}

type Send = (request: WireRequest) => Promise<WireResponse>;

/** `send`, with each request in its place of the budget. */
export function paced(send: Send, budget: RequestBudget | undefined, clock: Clock): Send {
  if (!budget) return send;
  return async (request) => {
    const place = await budget.enter(request.signal).catch((error: unknown) => {
      throw notSent(error);
    });
    const response = await send(request);
    if (response.status === 429) await budget.refused(place, retryAfterMs(response.headers, clock.now()));
    return response;
  };
}
