import { describeService } from '../../describe/openapi-document.ts';
import { version } from '../../shared/version.ts';
import type { Instance } from '../engine/instance.ts';
import type { InstanceResponse } from '../engine/request.ts';

let document: string | undefined;

/** The instance's own OpenAPI document, made from the contract on its first request. */
export async function describe(instance: Instance): Promise<InstanceResponse> {
  document ??= JSON.stringify(await describeService({ version, base: instance.base }));
  return { status: 200, headers: { 'content-type': 'application/json; charset=utf-8' }, body: document };
}
