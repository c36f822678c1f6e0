import { readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { findPolicy, type FoundPolicy } from '../../approval/find-policy.ts';
import { approvalFor, type ChangeRequestLike, mayNeedApproval } from '../../approval/policy.ts';
import type { Client } from '../../client/client.ts';
import { undefinedIfMissing } from '../../client/errors/http-error.ts';
import { collections } from '../../contract/collections.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { spaces } from '../../contract/spaces.ts';
import { endpointOfAddress } from '../../journal/endpoints.ts';
import { writeFileAtomic } from '../../shared/atomic-write.ts';
import { isObject } from '../../shared/is-object.ts';
import { makeFolder } from '../../shared/make-folder.ts';
import { shellCommand } from '../../shared/shell-quote.ts';
import { CommandError, exit } from '../program/failure.ts';

export interface GuardOptions {
  url: string;
  cacheFolder: string;
  /** The words of the command line, for the hint. */
  commandLine: readonly string[];
  /** Whether the command sees to the policy itself. */
  isOff(): boolean;
}

/** What an earlier command found, by organization. It only saves requests: the policy itself is always read. */
interface Known {
  space: string;
  isAboutEverything: boolean;
}

/** A client that refuses changes for which the policy of the organization needs an approval. */
export function guardedClient(client: Client, options: GuardOptions): Client {
  const guard = new Guard(client, options);
  const call: Client['call'] = async (endpoint, input) => {
    if (endpoint.method !== 'GET' && !input.unrecorded && !options.isOff())
      await guard.check(endpoint, { ...input.params }, input.body);
    return client.call(endpoint, input);
  };
  const request: Client['request'] = async (method, path, input) => {
    if (!/^(?:GET|HEAD|OPTIONS)$/i.test(method) && !input?.unrecorded && !options.isOff()) {
      const addressed = await endpointOfAddress(method, path);
      if (addressed) await guard.check(addressed.endpoint, addressed.params, parsed(input?.body));
    }
    return client.request(method, path, input);
  };
  return { ...client, call, request };
}

/** Why a change needs an approval, for a dry run or a rehearsal; undefined if it needs none. */
export async function approvalProblem(
  client: Client,
  options: GuardOptions,
  { endpoint, params, body }: { endpoint: Endpoint; params: Record<string, string>; body: unknown },
): Promise<CommandError | undefined> {
  try {
    await new Guard(client, options).check(endpoint, params, body);
    return undefined;
  } catch (error) {
    if (error instanceof CommandError && error.code === 'needs-approval') return error;
    throw error;
  }
}

class Guard {
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
  async check({ name }: Endpoint, params: Record<string, string>, body: unknown): Promise<void> {
    const change: ChangeRequestLike = { endpoint: name, body };
    const isEverythingKnown = () => Object.values(this.#read()).some(({ isAboutEverything }) => isAboutEverything);
    if (!mayNeedApproval(change) && !isEverythingKnown()) return;
    const orgId = params['orgId'] ?? (await this.#organizationOf(params));
    if (orgId === undefined) return;
    const { policy } = await this.#policy(orgId);
    const reason = policy && approvalFor(policy, change);
    if (reason) throw needsApproval(reason, this.#options.commandLine);
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

function parsed(body: unknown): unknown {
  if (typeof body !== 'string') return body;
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Flags that are no part of a proposed command. */
const isOwnFlag = (word: string) => /^(?:-y|--yes|-q|--quiet|--no-input)$/.test(word);

/** The error for a change that needs an approval, with the command line that proposes it. */
export function needsApproval(reason: string, commandLine: readonly string[]): CommandError {
  const words = commandLine.filter((word) => !isOwnFlag(word));
  return new CommandError(`This change needs an approval (${reason}). Nothing was sent.`, {
    exitCode: exit.forbidden,
    code: 'needs-approval',
    hint: `Propose it: ${shellCommand(['docsctl', 'propose', '--', ...words])}`,
  });
}
