import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { writeFileAtomic } from '../../shared/atomic-write.ts';
import { makeFolder } from '../../shared/make-folder.ts';

const Known = z.object({
  /** By organization. */
  policies: z.record(
    z.string(),
    z.object({
      /** The space of the shared state; null without one. */
      space: z.nullable(z.string()),
      isAboutEverything: z.boolean(),
      /** Milliseconds since 1970. */
      readAt: z.number(),
    }),
  ),
  /** The organizations of spaces and collections. */
  organizations: z.record(z.string(), z.object({ id: z.string(), readAt: z.number() })),
});
type Known = z.output<typeof Known>;

const maxOrganizations = 1000;
const maxAgeMs = 5 * 60_000;

/** What earlier commands of one caller found out about approval policies. It only saves requests. */
export class KnownPolicies {
  readonly #folder: string;
  readonly #file: string;
  #known: Known | undefined;

  /** @param caller identifies the service and the user, because others may see less */
  constructor(cacheFolder: string, caller: string) {
    this.#folder = join(cacheFolder, 'policies');
    this.#file = join(this.#folder, `${caller.slice(0, 32)}.json`);
  }

  get #all(): Known {
    return (this.#known ??= read(this.#file));
  }

  /** The space of the shared state as it was the last time. */
  spaceOf(orgId: string): string | undefined {
    return this.#all.policies[orgId]?.space ?? undefined;
  }

  /** Whether a policy about everything is possible: it is not if there was none a short time ago. */
  mayBeAboutEverything(orgId: string): boolean {
    const last = this.#all.policies[orgId];
    return last === undefined || last.isAboutEverything || !isRecent(last);
  }

  async setPolicy(orgId: string, policy: Omit<Known['policies'][string], 'readAt'>): Promise<void> {
    this.#all.policies[orgId] = { ...policy, readAt: Date.now() };
    await this.#write();
  }

  /** The organization of a space or collection a short time ago. */
  organizationOf(id: string): string | undefined {
    const last = this.#all.organizations[id];
    return last && isRecent(last) ? last.id : undefined;
  }

  async setOrganization(id: string, orgId: string): Promise<void> {
    if (Object.keys(this.#all.organizations).length >= maxOrganizations) this.#all.organizations = {};
    this.#all.organizations[id] = { id: orgId, readAt: Date.now() };
    await this.#write();
  }

  async #write(): Promise<void> {
    try {
      makeFolder(this.#folder);
      await writeFileAtomic(this.#file, JSON.stringify(this.#all), 0o600);
    } catch {
      // Without it, the next command sends the requests again.
    }
  }
}

const isRecent = ({ readAt }: { readAt: number }): boolean => {
  const age = Date.now() - readAt;
  return age >= 0 && age < maxAgeMs;
};

function read(file: string): Known {
  try {
    return Known.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return { policies: {}, organizations: {} };
  }
}
