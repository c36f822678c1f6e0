import { type BuildServer, markdownCell } from '../../cli/program/build-server.ts';
import { EngineError } from '../../shared/engine-error.ts';
import type { ChangeRequest } from '../../change-requests/read-sides.ts';

/** Reports a change request to CI that was pushed but not merged. */
export function reportNotMerged(server: BuildServer, { number, urls }: ChangeRequest, error: unknown): void {
  server.outputs({ 'change-request': number, url: urls.app });
  if (error instanceof EngineError) server.summary(`### Not merged\n\n${markdownCell(error.message)}`);
}
