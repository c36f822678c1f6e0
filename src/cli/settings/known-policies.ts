import { createHash } from 'node:crypto';
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
  organizations: z.record(z.string(), z.string()),
});
type Known = z.output<typeof Known>;

const maxOrganizations = 1000;

/** What earlier commands found out about approval policies. It only saves requests. */
export class KnownPolicies {
  readonly #folder: string;
  readonly #file: string;
  #known: Known | undefined;

  constructor(cacheFolder: string, url: string) {
    this.#folder = join(cacheFolder, 'policies');
    const key = createHash('sha256').update(url).digest('hex').slice(0, 16);
    this.#file = join(this.#folder, `${key}.json`);
  }

  get known(): Known {
    return (this.#known ??= read(this.#file));
  }

  async setPolicy(orgId: string, policy: Known['policies'][string]): Promise<void> {
    this.known.policies[orgId] = policy;
    await this.#write();
  }

  async setOrganization(id: string, orgId: string): Promise<void> {
    if (Object.keys(this.known.organizations).length >= maxOrganizations) this.known.organizations = {};
    this.known.organizations[id] = orgId;
    await this.#write();
  }

  async #write(): Promise<void> {
    try {
      makeFolder(this.#folder);
      await writeFileAtomic(this.#file, JSON.stringify(this.known), 0o600);
    } catch {
      // Without it, the next command sends the requests again.
    }
  }
}

function read(file: string): Known {
  try {
    return Known.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return { policies: {}, organizations: {} };
  }
}
