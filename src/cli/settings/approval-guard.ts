import { findPolicy, type FoundPolicy } from '../../approval/find-policy.ts';
import { approvalFor, type PolicedCall, mayNeedApproval } from '../../approval/policy.ts';
import type { Client } from '../../client/client.ts';
import { undefinedIfMissing } from '../../client/errors/http-error.ts';
import { collections } from '../../contract/collections.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { spaces } from '../../contract/spaces.ts';
import { endpointOfAddress } from '../../journal/endpoints.ts';
import { jsonOf } from '../../shared/json-of.ts';
import { shellCommand } from '../../shared/shell-quote.ts';
import { CommandError, exit } from '../program/failure.ts';
import { KnownPolicies } from './known-policies.ts';

export interface GuardOptions {
  /** Identifies the service and the user. */
  caller: string;
  cacheFolder: string;
  /** The words of the command line, for the hint. */
  commandLine: readonly string[];
  /** The organizations of spaces and collections that this run has read. */
  organizations: ReadonlyMap<string, string>;
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
  readonly #known: KnownPolicies;

  constructor(client: Client, options: GuardOptions) {
    this.#client = client;
    this.#options = options;
    this.#known = new KnownPolicies(options.cacheFolder, options.caller);
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
    // Before changes of these kinds, everything is read. Before others, what a recent command has found is enough.
    const isOfKind = mayNeedApproval(change);
    const orgId = params['orgId'] ?? (await this.#organizationOf(params, isOfKind));
    if (orgId === undefined || !(isOfKind || this.#known.mayBeAboutEverything(orgId))) return undefined;
    const { policy } = await this.#policy(orgId);
    const reason = policy && approvalFor(policy, change);
    return reason ? needsApproval(reason, this.#options.commandLine) : undefined;
  }

  async #organizationOf(
    { spaceId, collectionId }: Record<string, string>,
    isOfKind: boolean,
  ): Promise<string | undefined> {
    const id = spaceId ?? collectionId;
    if (id === undefined) return undefined;
    const known = isOfKind ? undefined : this.#known.organizationOf(id);
    if (known !== undefined) return known;
    const orgId = this.#options.organizations.get(id) ?? (await this.#readOrganization(id, spaceId !== undefined));
    if (orgId) await this.#known.setOrganization(id, orgId);
    return orgId;
  }

  async #readOrganization(id: string, isSpace: boolean): Promise<string | undefined> {
    const reading = isSpace
      ? this.#client.call(spaces.view, { params: { spaceId: id } })
      : this.#client.call(collections.view, { params: { collectionId: id } });
    return (await reading.catch(undefinedIfMissing))?.organization;
  }

  #policy(orgId: string): Promise<FoundPolicy> {
    const policy = this.#policies.get(orgId) ?? this.#find(orgId);
    this.#policies.set(orgId, policy);
    return policy;
  }

  async #find(orgId: string): Promise<FoundPolicy> {
    const found = await findPolicy(this.#client, orgId, this.#known.spaceOf(orgId));
    const isAboutEverything = found.policy?.required === 'everything';
    await this.#known.setPolicy(orgId, { space: found.space, isAboutEverything });
    return found;
  }
}

/** Flags that are no part of a proposed command. */
const isOwnFlag = (word: string) => /^(?:-y|--yes|-q|--quiet|--no-input|-n|--dry-run)$/.test(word);

/** The error for a change that needs an approval, with the command line that proposes it. */
function needsApproval(reason: string, commandLine: readonly string[]): CommandError {
  const words = commandLine.filter((word) => !isOwnFlag(word));
  return new CommandError(`This change needs an approval (${reason}). Nothing was sent.`, {
    exitCode: exit.forbidden,
    code: 'needs-approval',
    hint: `Propose it: ${shellCommand(['docsctl', 'propose', '--', ...words])}`,
  });
}
