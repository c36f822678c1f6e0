import { onTestFinished } from 'vitest';
import type { RoleName } from '../../src/contract/access.ts';
import type { ErrorBody } from '../../src/contract/errors.ts';
import { administrator } from '../../src/server/organizations/bootstrap.ts';
import type { Instance } from '../../src/server/engine/instance.ts';
import { type InstanceOptions, openInstance } from '../../src/server/open-instance.ts';
import { newId } from '../../src/store/ids.ts';
import { checkAnswer } from './answers.ts';
import { newDatabase } from './engine.ts';

export interface Answer<T = any> {
  status: number;
  headers: Record<string, string>;
  body: T;
  /** Parsed error, where the answer is one. */
  error: ErrorBody['error'];
}

/**
 * Calls an instance as one user. `path` may hold a query; a string body is sent as it is. Every response is checked against
 * the contract.
 */
export type Call = <T = any>(
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Answer<T>>;

export interface TestInstance {
  instance: Instance;
  /** Id of the organization that the instance began with, and its path `/v1/orgs/<id>`. */
  org: string;
  orgPath: string;
  admin: string;
  /** As the administrator. */
  call: Call;
  as(user: string): Call;
  /** A user; a member of the organization unless `role` is absent. */
  user(options?: {
    role?: RoleName | null;
    name?: string;
    email?: string;
    org?: string;
    disabled?: boolean;
  }): Promise<string>;
  /** Makes an existing user a member of an organization. */
  join(org: string, user: string, role: RoleName | null): Promise<void>;
  /** Gives a member of that organization access to a space or collection. */
  grant(user: string, content: { space: string } | { collection: string }, level: RoleName): Promise<void>;
  /** Makes another organization with its own administrator. */
  otherOrg(): Promise<{ org: string; admin: string; call: Call }>;
  clock: { now: number; advance(ms: number): void };
}

/** A service of its own, on a database that is gone afterwards, with a clock that stands still until it is advanced. It is closed with the test. */
export async function testInstance(options: Partial<InstanceOptions> = {}): Promise<TestInstance> {
  const { close, ...service } = await openTestInstance(options);
  onTestFinished(close);
  return service;
}

/** The same for several tests: who opens it closes it. */
export async function openTestInstance(
  options: Partial<InstanceOptions> = {},
): Promise<TestInstance & { close(): Promise<void> }> {
  const clock = {
    now: Date.parse('2026-03-01T08:00:00.000Z'),
    advance(ms: number) {
      clock.now += ms;
    },
  };
  const errors: unknown[] = [];
  const { address, drop } =
    options.file === undefined ? await newDatabase() : { address: options.file, drop: undefined };
  const instance = await openInstance({
    file: address,
    now: () => clock.now,
    log: { error: (_, error) => errors.push(error) },
    ...options,
  });
  const { organization, user: admin } = (await instance.store.read(administrator))!;
  const as = (user: string): Call => callAs(instance, user);

  const addUser: TestInstance['user'] = async ({ role, name, email, org = organization, disabled = false } = {}) => {
    const id = newId();
    const now = new Date(clock.now).toISOString();
    await instance.store.write(async (db) => {
      await db
        .insertInto('user')
        .values({
          id,
          display_name: name ?? `User ${id}`,
          email: email ?? `${id.toLowerCase()}@example.test`,
          photo_url: null,
          created_at: now,
        })
        .execute();
      if (role === undefined) return;
      await db
        .insertInto('member')
        .values({ organization: org, user: id, role, joined_at: now, last_seen_at: null, disabled: Number(disabled) })
        .execute();
    });
    return id;
  };

  return {
    instance,
    org: organization,
    orgPath: `/v1/orgs/${organization}`,
    admin,
    call: as(admin),
    as,
    user: addUser,
    async join(org, user, role) {
      const joined_at = new Date(clock.now).toISOString();
      await instance.store.write((db) =>
        db.insertInto('member').values({ organization: org, user, role, joined_at, last_seen_at: null }).execute(),
      );
    },
    async grant(user, content, level) {
      await instance.store.write((db) =>
        db
          .insertInto('content_grant')
          .values({ user, organization, space: null, collection: null, level, ...content })
          .execute(),
      );
    },
    async otherOrg() {
      const other = await addUser();
      const made = await as(other)('POST', '/v1/orgs', { title: 'Other' });
      return { org: made.body.id, admin: other, call: as(other) };
    },
    clock,
    async close() {
      await instance.close();
      await drop?.();
      if (errors.length > 0) throw errors[0];
    },
  };
}

function callAs(instance: Instance, user: string): Call {
  return async (method, path, body, headers = {}) => {
    const url = new URL(path, 'http://instance');
    const response = await instance.handle({
      method,
      path: url.pathname,
      query: url.searchParams,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
      as: user,
    });
    await checkAnswer(method, url.pathname, response);
    const text = typeof response.body === 'string' ? response.body : Buffer.from(response.body).toString();
    const parsed = text === '' ? undefined : JSON.parse(text);
    return { status: response.status, headers: response.headers, body: parsed, error: parsed?.error };
  };
}
