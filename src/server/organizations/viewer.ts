import type { LoadedOrg } from '../engine/context.ts';
import { roleIn } from '../engine/access.ts';
import type { Viewer } from './levels.ts';

/** A user with the role that the organization was loaded with: that of its caller. */
export const viewerIn = (org: LoadedOrg, user: string): Viewer => ({ organization: org.id, user, role: roleIn(org) });
