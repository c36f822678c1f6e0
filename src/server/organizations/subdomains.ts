import { hostname } from '../../contract/orgs.ts';
import { validationIssues } from '../../contract/validation-issues.ts';
import { lazy } from '../../contract/schema.ts';
import { subdomains } from '../../contract/subdomains.ts';
import { organizationOfHostname } from '../../store/orgs.ts';
import { Forbidden, Invalid, NotFound } from '../engine/errors.ts';
import { implement } from '../engine/implement.ts';

const label = lazy(hostname);

export const handlers = implement(subdomains, {
  async view({ db, caller, params: { subdomain } }) {
    const result = label().safeParse(subdomain);
    if (!result.success) throw new Invalid(validationIssues('path', result.error.issues, ['subdomain']));
    const org = await organizationOfHostname(db, subdomain, caller.id);
    if (!org || org.caller_user === null) throw new NotFound('subdomain', subdomain);
    if (org.caller_disabled)
      throw new Forbidden('Your membership in the organization of this subdomain is disabled.', 'member-disabled');
    return {
      object: 'subdomain' as const,
      subdomain,
      target: { type: 'organization' as const, organization: org.id },
      isActive: org.blocked === null,
    };
  },
});
