import { describeService } from '../generate/openapi.ts';
import { version } from '../version.ts';
import type { Instance } from './instance.ts';
import type { InstanceResponse } from './request.ts';

let document: string | undefined;

/** The instance's own OpenAPI document, made from the contract on its first request. */
export async function describe(instance: Instance): Promise<InstanceResponse> {
  document ??= JSON.stringify(await describeService({ version, base: instance.base }));
  return { status: 200, headers: { 'content-type': 'application/json; charset=utf-8' }, body: document };
}
