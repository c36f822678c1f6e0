import { setIdSource } from '../../store/ids.ts';
import type { Instance } from '../engine/instance.ts';
import { getAdministrator } from '../organizations/bootstrap.ts';

export const day = 86_400_000;
export const hour = 3_600_000;

/** Ids of members by their number, from 1: `member000001`. */
export const memberId = (number: number) => `member${String(number).padStart(6, '0')}`;

interface Call {
  /** Ids of what the call creates, in order. */
  ids?: readonly string[];
  body?: unknown;
  /** User id of the caller; the administrator by default. */
  as?: string;
  /** How long ago, in milliseconds. */
  ago?: number;
}

export interface Demo {
  instance: Instance;
  organization: string;
  /** `/v1/orgs/<id>` */
  org: string;
  timeOf(ago: number): string;
  call(method: string, path: string, call?: Call): Promise<void>;
}

/** Calls the instance like a client, with known ids and past times. */
export async function openDemo(instance: Instance): Promise<Demo> {
  const { organization, user: admin } = await instance.store.read(getAdministrator);
  const start = instance.now();
  let nextIds: string[] = [];
  let others = 0;
  setIdSource(() => nextIds.shift() ?? `demo${String(++others).padStart(8, '0')}`);
  return {
    instance,
    organization,
    org: `/v1/orgs/${organization}`,
    timeOf: (ago) => new Date(start - ago).toISOString(),
    async call(method, path, { ids = [], body, as = admin, ago = 30 * day } = {}) {
      nextIds = [...ids];
      const request = {
        method,
        path,
        query: new URLSearchParams(),
        headers: { 'content-type': 'application/json' },
        body: body === undefined ? undefined : JSON.stringify(body),
        as,
        now: start - ago,
      };
      const { status, body: answer } = await instance.handle(request);
      if (status < 300) return;
      const text = typeof answer === 'string' ? answer : Buffer.from(answer).toString();
      throw new Error(`The demo could not ${method} ${path}: ${text}`);
    },
  };
}
