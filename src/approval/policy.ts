import * as z from 'zod/mini';
import { atLeast, type RoleName, roles } from '../contract/access.ts';
import { about } from '../contract/schema.ts';
import { isObject } from '../shared/is-object.ts';

const kinds = ['removals', 'sso', 'sites.publish'] as const;
type Kind = (typeof kinds)[number];

/** Which changes need an approval. Part of organization.yaml, and of the shared state. */
export const Approval = () =>
  z.strictObject({
    required: about(
      z.union([
        z.literal('everything'),
        z.array(
          z.union([
            z.enum(kinds),
            z.strictObject({ roles: about(z.enum(roles), 'Giving somebody this role or a higher one.') }),
          ]),
        ),
      ]),
      'What needs an approval: everything, or a list of removals, sso, sites.publish and roles: ROLE.',
    ),
    approvers: z.optional(
      about(
        z.number().check(z.int(), z.gte(1), z.lte(10)),
        'How many other administrators must approve; 1 by default.',
      ),
    ),
  });
export type Approval = z.output<ReturnType<typeof Approval>>;

/** A request that changes something, by the name of its endpoint. */
export interface PolicedCall {
  endpoint: string;
  body?: unknown;
}

/** Comments are not part of an organization. */
const isRemoval = ({ endpoint, body }: PolicedCall): boolean =>
  (/\.(?:delete|remove)/.test(endpoint) && !/comments\./i.test(endpoint)) ||
  (endpoint === 'teams.updateMembers' && isObject(body) && Array.isArray(body['remove']) && body['remove'].length > 0);

const matches: Readonly<Record<Kind, (request: PolicedCall) => boolean>> = {
  removals: isRemoval,
  sso: ({ endpoint, body }) =>
    endpoint.startsWith('sso.') ||
    endpoint === 'members.markSso' ||
    (endpoint === 'orgs.edit' && isObject(body) && body['sso'] !== undefined),
  'sites.publish': ({ endpoint }) => endpoint === 'sites.publish' || endpoint === 'sites.unpublish',
};

const givesRoles = /^(?:members\.edit|invites\.(?:send|createLink|editLink)|orgs\.edit)$/;

/** The roles in the organization, or the levels, that a request gives. */
function rolesIn({ endpoint, body }: PolicedCall): RoleName[] {
  if (!givesRoles.test(endpoint) || !isObject(body)) return [];
  const emails = Array.isArray(body['emails']) ? body['emails'] : [];
  const given = new Set<unknown>(
    [body, ...emails].flatMap((each) => (isObject(each) ? [each['role'], each['level'], each['defaultRole']] : [])),
  );
  return roles.filter((role) => given.has(role));
}

/** What of a policy a request needs an approval for; undefined if it needs none. */
export function approvalFor({ required }: Approval, request: PolicedCall): string | undefined {
  // An invite was approved when it was sent, and people accept the one that lets them propose.
  if (required === 'everything') return request.endpoint === 'invites.accept' ? undefined : 'everything';
  for (const each of required) {
    if (typeof each === 'string' ? matches[each](request) : rolesIn(request).some((role) => atLeast(role, each.roles)))
      return typeof each === 'string' ? each : `roles: ${each.roles}`;
  }
  return undefined;
}

/** Whether some policy that is not about everything may concern a request. */
export const mayNeedApproval = (request: PolicedCall): boolean =>
  kinds.some((kind) => matches[kind](request)) || rolesIn(request).length > 0;

/** How many approvals a proposal needs. */
export const approversOf = (policy: Approval | null | undefined): number => policy?.approvers ?? 1;

/** The page of the shared state with the policy, and its path. */
export const policyPage = 'Policy';
export const policyPath = 'policy';

export const policyText = (policy: Approval): string => ['```json', JSON.stringify(policy), '```', ''].join('\n');

/** The policy in the text of its page; undefined if it cannot be read. */
export function readPolicy(text: string): Approval | undefined {
  const line = text.split('\n').find((each) => each.startsWith('{'));
  if (line === undefined) return undefined;
  try {
    return Approval().safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
