import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { withSignal } from '../../client/read-back.ts';
import { users } from '../../contract/users.ts';
import { EngineError } from '../../shared/engine-error.ts';
import { visible } from '../../shared/visible.ts';
import { isExpired, type Lease, leaseMs } from './lease.ts';
import type { State } from './state.ts';
import { LeaseConflict, type StatePort, type StateSpace } from './state-space.ts';

/** How often a lease is renewed if nothing else is written. */
const renewalMs = 3 * 60_000;

/** After Ctrl-C, the process ends soon. */
const releaseMs = 20_000;

/** The lease of an apply. While it is held, nobody else changes the state. */
export class HeldLease {
  /** Changes of it are stored with `save`. */
  readonly state: State;
  readonly #space: StateSpace;
  readonly #port: StatePort;
  readonly #lease: Lease;
  /** The ID of the holder. */
  readonly user: string;
  #isChanged = false;
  #writing: Promise<void> | undefined;
  #failure: Error | undefined;
  readonly #timer: NodeJS.Timeout;

  private constructor(
    space: StateSpace,
    port: StatePort,
    { state, lease, user }: { state: State; lease: Lease; user: string },
  ) {
    this.#space = space;
    this.#port = port;
    this.state = state;
    this.#lease = lease;
    this.user = user;
    // A failed renewal shows when something is saved.
    this.#timer = setInterval(() => void this.save().catch(() => {}), renewalMs);
    this.#timer.unref();
  }

  get space(): StateSpace {
    return this.#space;
  }

  /** Why nothing more can be stored: somebody broke the lease, or the service failed. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /**
   * Takes the lease.
   *
   * @param prepare changes the state at once; gets the ID of the user
   * @returns the lease of somebody else, if there is one
   */
  static async acquire(
    port: StatePort,
    space: StateSpace,
    prepare: (state: State, user: string) => void,
  ): Promise<HeldLease | Lease> {
    const id = randomBytes(9).toString('base64url');
    const { id: user, displayName, email } = await port.client.call(users.current, {});
    const holder = email === undefined ? displayName : `${displayName} (${email})`;
    for (;;) {
      let other: Lease | undefined;
      let own: Lease | undefined;
      try {
        const stored = await space.write(port, 'Take the lease', (current, now) => {
          const { lease } = current;
          if (lease && !isExpired(lease, now)) {
            other = lease;
            return undefined;
          }
          const since = new Date(now).toISOString();
          own = { id, holder, host: hostname(), since, expires: expiryAt(now) };
          const state = structuredClone(current.state);
          prepare(state, user);
          return { state, lease: own };
        });
        if (stored && own)
          return new HeldLease(space, port, { state: structuredClone(stored.state), lease: own, user });
        if (other) return other;
      } catch (error) {
        // Somebody was faster: the next round reads their lease.
        if (!(error instanceof LeaseConflict)) throw error;
      }
    }
  }

  /** Stores the changes of the state made so far. @throws if that is not possible */
  save(): Promise<void> {
    this.#isChanged = true;
    // A write that is in progress lacks the last changes.
    this.#writing = (this.#writing ?? Promise.resolve()).then(() => (this.#isChanged ? this.#write() : undefined));
    return this.#writing;
  }

  async #write(): Promise<void> {
    if (this.#failure) throw this.#failure;
    this.#isChanged = false;
    try {
      await this.#store(this.#port, 'Update the state', (now) => ({ ...this.#lease, expires: expiryAt(now) }));
    } catch (error) {
      if (this.#port.signal.aborted) throw error;
      this.#failure = error instanceof Error ? error : new Error(String(error));
      throw error;
    }
  }

  async #store(port: StatePort, subject: string, leaseAt: (now: number) => Lease | undefined): Promise<void> {
    try {
      await this.#space.write(port, subject, ({ lease, state: { serial } }, now) => {
        if (lease?.id !== this.#lease.id) throw brokenBy(lease);
        this.state.serial = serial + 1;
        return { state: structuredClone(this.state), lease: leaseAt(now) };
      });
    } catch (error) {
      if (!(error instanceof LeaseConflict)) throw error;
      throw brokenBy((await this.#space.read(port)).lease);
    }
  }

  /** Stores the state, and lets others go on; also after Ctrl-C. */
  async release(): Promise<void> {
    clearInterval(this.#timer);
    await this.#writing?.catch(() => {});
    if (this.#failure) throw this.#failure;
    const signal = AbortSignal.timeout(releaseMs);
    const port = { client: withSignal(this.#port.client, signal), signal };
    await this.#store(port, 'Release the lease', () => undefined);
  }
}

const expiryAt = (now: number) => new Date(now + leaseMs).toISOString();

function brokenBy(other: Lease | undefined): EngineError {
  const by = other ? `${visible(other.holder)} on ${visible(other.host)} took it` : 'somebody removed it';
  return new EngineError('refused', `This apply lost its lease: ${by}. It stopped.`, {
    hint: 'Run it again once no other apply is running.',
  });
}

/** @throws EngineError that names the holder */
export function refuseHeld({ holder, host, since, expires }: Lease): never {
  throw new EngineError(
    'refused',
    `Another apply is running: ${visible(holder)} on ${visible(host)}, since ${since}. Nothing was sent.`,
    {
      hint: `Try again later, or wait for it with --wait. If that apply was killed, its lease expires at ${expires}; "docsctl apply --break-lease" removes it.`,
    },
  );
}

/** Removes the lease of somebody else. @returns it, if there was one */
export async function breakLease(port: StatePort, space: StateSpace): Promise<Lease | undefined> {
  let broken: Lease | undefined;
  await space.write(port, 'Break the lease', ({ lease, state }) => {
    broken = lease;
    return lease && { state, lease: undefined };
  });
  return broken;
}
