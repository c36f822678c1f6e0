import type { PushWarning } from '../sync/push.ts';
import type { Request } from '../sync/push-request.ts';
import type { ContentPort } from '../sync/read-remote.ts';

/** A port of the engine of organizations. */
export interface OrganizationPort extends ContentPort {
  /** Shows warnings about content folders to a build server. */
  annotate(warnings: readonly PushWarning[]): Promise<void>;
  /** Called with the change request of a content folder that could not be merged. */
  notMerged(request: Request, error: unknown): void;
}
