import type { Port } from '../client/port.ts';
import type { Docs } from '../sync/local-folder.ts';
import type { createRequest, merge } from '../sync/push-request.ts';
import type { PushWarnings } from '../sync/push-warnings.ts';
import type { readContent } from '../sync/read-remote.ts';

/** A port of the engine of organizations. Its members for src/sync go when that takes a port itself. */
export interface OrganizationPort extends Port {
  sync: {
    read: Parameters<typeof readContent>[0];
    /** Prints nothing: the plan has its messages, and several spaces are sent at once. */
    push: Parameters<typeof createRequest>[0];
    server: Parameters<typeof merge>[3];
    warnings(docs: Docs, root: string): PushWarnings;
  };
}
