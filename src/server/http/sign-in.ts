import { appLinkPath } from '../../contract/instance.ts';
import { deleteExpiredSessions, deleteSession, findSession, findToken, insertSession } from '../../store/sessions.ts';
import type { Db } from '../../store/store.ts';
import { Invalid } from '../engine/errors.ts';
import { bearerOf, identify } from '../engine/handle.ts';
import type { Instance } from '../engine/instance.ts';
import type { InstanceRequest, InstanceResponse } from '../engine/request.ts';
import { hashToken } from '../engine/tokens.ts';

const linkMs = 60_000;
export const sessionMs = 12 * 3_600_000;

/** Failed attempts to sign in with a token, in one window of time. */
const maxAttempts = 10;
const attemptWindowMs = 5 * 60_000;

const newSecret = () => process.getBuiltinModule('node:crypto').randomBytes(32).toString('base64url');

/** The sessions of browsers. They are in the database, so that they work with several processes. */
export class Sessions {
  readonly #instance: Pick<Instance, 'store' | 'now'>;
  #attempts: number[] = [];

  constructor(instance: Pick<Instance, 'store' | 'now'>) {
    this.#instance = instance;
  }

  /** The user of a session; undefined if it has ended. */
  async userOf(session: string): Promise<string | undefined> {
    const row = await this.#instance.store.read((db) => findSession(db, hashToken(session), 'session', this.#now()));
    return row?.user;
  }

  /** Opens a session with a one-time link. @returns its secret; undefined if the link was used or has expired */
  redeem(code: string): Promise<string | undefined> {
    return this.#instance.store.write(async (db) => {
      const hash = hashToken(code);
      const link = await findSession(db, hash, 'link', this.#now());
      if (!link || !(await deleteSession(db, hash))) return undefined;
      return this.#open(db, link);
    });
  }

  /** @returns the secret of the new session; undefined if the token is not valid; seconds to wait after too many attempts */
  async signIn(token: string): Promise<{ session: string } | { waitSeconds: number } | undefined> {
    const now = this.#instance.now();
    this.#attempts = this.#attempts.filter((time) => time > now - attemptWindowMs);
    const [first = now] = this.#attempts;
    if (this.#attempts.length >= maxAttempts) return { waitSeconds: Math.ceil((first + attemptWindowMs - now) / 1000) };
    // Counted before the database answers: otherwise many attempts could be in progress at the same time.
    this.#attempts.push(now);
    const session = await this.#instance.store.write(async (db) => {
      const row = await findToken(db, hashToken(token), this.#now());
      return row && this.#open(db, { user: row.user, token: row.id });
    });
    if (session === undefined) return undefined;
    this.#attempts.splice(this.#attempts.indexOf(now), 1);
    return { session };
  }

  async end(session: string): Promise<void> {
    await this.#instance.store.write((db) => deleteSession(db, hashToken(session)));
  }

  #now(): string {
    return new Date(this.#instance.now()).toISOString();
  }

  async #open(db: Db, { user, token }: { user: string; token: string | null }): Promise<string> {
    await deleteExpiredSessions(db, this.#now());
    const session = newSecret();
    const expires_at = new Date(this.#instance.now() + sessionMs).toISOString();
    await insertSession(db, { hash: hashToken(session), kind: 'session', user, token, expires_at });
    return session;
  }
}

/** Answers `docsctl open`: lets a browser sign in as the caller with a code, once. */
export async function createSignInLink(
  instance: Instance,
  request: InstanceRequest,
): Promise<InstanceResponse | undefined> {
  if (!instance.hasApp) return undefined;
  const hash = request.query.get('hash') ?? '';
  if (!/^[\da-f]{64}$/.test(hash)) throw new Invalid('hash', 'must be a SHA-256 in hexadecimal digits', 'format');
  const now = new Date(instance.now()).toISOString();
  const expires_at = new Date(instance.now() + linkMs).toISOString();
  await instance.store.write(async (db) => {
    const { id: user } = await identify(db, request, now);
    const bearer = request.as === undefined ? bearerOf(request) : undefined;
    const token = bearer === undefined ? undefined : await findToken(db, hashToken(bearer), now);
    await deleteExpiredSessions(db, now);
    await insertSession(db, { hash, kind: 'link', user, token: token?.id ?? null, expires_at });
  });
  return { status: 204, headers: {}, body: '', route: appLinkPath };
}
