import type { PushWarning } from '../sync/push-warnings.ts';
import type { ChangeRequest } from '../change-requests/read-sides.ts';
import type { ContentPort } from '../sync/read-remote.ts';

/** The port of organization as code. */
export interface OrganizationPort extends ContentPort {
  /** Shows warnings about content folders to a build server. */
  annotate(warnings: readonly PushWarning[]): Promise<void>;
  /** Called if the change request of a content folder could not be merged. */
  notMerged(request: ChangeRequest, error: unknown): void;
}
