import { readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { findPolicy, type FoundPolicy } from '../../approval/find-policy.ts';
import { approvalFor, type PolicedCall, mayNeedApproval } from '../../approval/policy.ts';
import type { Client } from '../../client/client.ts';
import { undefinedIfMissing } from '../../client/errors/http-error.ts';
import { collections } from '../../contract/collections.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { spaces } from '../../contract/spaces.ts';
import { endpointOfAddress } from '../../journal/endpoints.ts';
import { writeFileAtomic } from '../../shared/atomic-write.ts';
import { isObject } from '../../shared/is-object.ts';
import { jsonOf } from '../../shared/json-of.ts';
import { makeFolder } from '../../shared/make-folder.ts';
import { shellCommand } from '../../shared/shell-quote.ts';
import { CommandError, exit } from '../program/failure.ts';

export interface GuardOptions {
  url: string;
  cacheFolder: string;
  /** The words of the command line, for the hint. */
  commandLine: readonly string[];
}

/** What an earlier command found, by organization. It only saves requests: the policy itself is always read. */
interface Known {
  space: string;
  isAboutEverything: boolean;
}

/** A request that changes something. */
export interface Change {
  endpoint: Endpoint;
  params: Record<string, string>;
  body: unknown;
}

/** Refuses changes for which the policy of the organization needs an approval. */
export class ApprovalGuard {
  readonly #client: Client;
  readonly #options: GuardOptions;
  /** By organization. */
  readonly #policies = new Map<string, Promise<FoundPolicy>>();
  #known: Record<string, Known> | undefined;

  constructor(client: Client, options: GuardOptions) {
    this.#client = client;
    this.#options = options;
  }

  /** @throws CommandError with status 4 if the change needs an approval */
  async check(change: Change): Promise<void> {
    const problem = await this.problem(change);
    if (problem) throw problem;
  }

  /** As `check`, for a request to any address. */
  async checkRequest(method: string, path: string, body: unknown): Promise<void> {
    const addressed = await endpointOfAddress(method, path);
    if (addressed) await this.check({ ...addressed, body: typeof body === 'string' ? jsonOf(body) : body });
  }

  /** The error for a change that needs an approval; undefined if it needs none. */
  async problem({ endpoint: { name }, params, body }: Change): Promise<CommandError | undefined> {
    const change: PolicedCall = { endpoint: name, body };
    const isEverythingKnown = () => Object.values(this.#read()).some(({ isAboutEverything }) => isAboutEverything);
    if (!mayNeedApproval(change) && !isEverythingKnown()) return undefined;
    const orgId = params['orgId'] ?? (await this.#organizationOf(params));
    if (orgId === undefined) return undefined;
    const { policy } = await this.#policy(orgId);
    const reason = policy && approvalFor(policy, change);
    return reason ? needsApproval(reason, this.#options.commandLine) : undefined;
  }

  async #organizationOf({ spaceId, collectionId }: Record<string, string>): Promise<string | undefined> {
    if (spaceId !== undefined) {
      const space = await this.#client.call(spaces.view, { params: { spaceId } }).catch(undefinedIfMissing);
      return space?.organization;
    }
    if (collectionId === undefined) return undefined;
    const found = await this.#client.call(collections.view, { params: { collectionId } }).catch(undefinedIfMissing);
    return found?.organization;
  }

  #policy(orgId: string): Promise<FoundPolicy> {
    const policy = this.#policies.get(orgId) ?? this.#find(orgId);
    this.#policies.set(orgId, policy);
    return policy;
  }

  async #find(orgId: string): Promise<FoundPolicy> {
    const known = this.#read();
    const found = await findPolicy(this.#client, orgId, known[orgId]?.space);
    if (found.space === null || found.policy === null) delete known[orgId];
    else known[orgId] = { space: found.space, isAboutEverything: found.policy.required === 'everything' };
    this.#known = known;
    await this.#write(known);
    return found;
  }

  get #file(): string {
    const key = createHash('sha256').update(this.#options.url).digest('hex').slice(0, 16);
    return join(this.#options.cacheFolder, 'policies', `${key}.json`);
  }

  #read(): Record<string, Known> {
    return (this.#known ??= readKnown(this.#file));
  }

  async #write(known: Record<string, Known>): Promise<void> {
    if (Object.keys(known).length === 0 && Object.keys(readKnown(this.#file)).length === 0) return;
    try {
      makeFolder(join(this.#options.cacheFolder, 'policies'));
      await writeFileAtomic(this.#file, JSON.stringify(known), 0o600);
    } catch {
      // Without it, the next command reads the list of spaces again.
    }
  }
}

function readKnown(file: string): Record<string, Known> {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (!isObject(value)) return {};
    const known: Record<string, Known> = {};
    for (const [orgId, each] of Object.entries(value))
      if (isObject(each) && typeof each['space'] === 'string')
        known[orgId] = { space: each['space'], isAboutEverything: each['isAboutEverything'] === true };
    return known;
  } catch {
    return {};
  }
}

/** Flags that are no part of a proposed command. */
const isOwnFlag = (word: string) => /^(?:-y|--yes|-q|--quiet|--no-input)$/.test(word);

/** The error for a change that needs an approval, with the command line that proposes it. */
function needsApproval(reason: string, commandLine: readonly string[]): CommandError {
  const words = commandLine.filter((word) => !isOwnFlag(word));
  return new CommandError(`This change needs an approval (${reason}). Nothing was sent.`, {
    exitCode: exit.forbidden,
    code: 'needs-approval',
    hint: `Propose it: ${shellCommand(['docsctl', 'propose', '--', ...words])}`,
  });
}
