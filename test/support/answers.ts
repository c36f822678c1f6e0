import * as z from 'zod/mini';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import { type ErrorBody, reasons } from '../../src/contract/errors.ts';
import { validationIssues, markMissing } from '../../src/contract/validation-issues.ts';
import type { InstanceResponse } from '../../src/server/engine/request.ts';
import { findRoute } from '../../src/server/handlers.ts';

/** Throws unless a response is what the contract says: its schema, status and headers, or the one shape of errors. */
export async function checkAnswer(method: string, path: string, response: InstanceResponse): Promise<void> {
  const what = `${method} ${path} -> ${response.status}`;
  if (!response.headers['x-request-id']) throw new Error(`${what}: no X-Request-Id.`);
  if (response.status >= 400) return checkError(what, response);
  const route = await findRoute(method, path);
  if (route.kind === 'route') checkSuccess(what, route.endpoint, response);
}

function checkSuccess(what: string, endpoint: Endpoint, { status, headers, body }: InstanceResponse): void {
  const expected = endpoint.creates !== undefined ? [200, 201] : [endpoint.status ?? 200];
  if (!expected.includes(status)) throw new Error(`${what}: the contract says ${expected.join(' or ')}.`);
  if (!endpoint.answer) {
    if (body.length > 0) throw new Error(`${what}: a body where the contract has none.`);
    return;
  }
  if (status === 201 && !URL.canParse(headers.location ?? '')) throw new Error(`${what}: no absolute Location.`);
  const value = JSON.parse(text(body)) as unknown;
  const issues = issuesIn(endpoint.answer(), value);
  if (issues.length > 0)
    throw new Error(`${what}: ${issues.join('; ')}\n${JSON.stringify(value, null, 1).slice(0, 2000)}`);
}

function checkError(what: string, { status, headers, body }: InstanceResponse): void {
  const { error, ...rest } = JSON.parse(text(body)) as ErrorBody;
  const isErrorShape =
    Object.keys(rest).length === 0 &&
    error.code === status &&
    error.message.length > 0 &&
    reasons[error.reason as keyof typeof reasons] === status &&
    error.requestId === headers['x-request-id'] &&
    (error.details === undefined) === (error.reason !== 'validation') &&
    error.details?.length !== 0;
  if (!isErrorShape) throw new Error(`${what}: not the shape of errors: ${text(body)}`);
}

const text = (body: string | Uint8Array) => (typeof body === 'string' ? body : Buffer.from(body).toString());

/** What is wrong with a response; members that the schema does not know are issues too. */
export function issuesIn(schema: z.ZodMiniType, value: unknown): string[] {
  const result = strict(schema).safeParse(value);
  if (result.success) return [];
  return validationIssues('body', markMissing(value, result.error.issues)).map(
    (issue) => `${issue.path} ${issue.message}`,
  );
}

interface Def {
  type: string;
  shape?: Record<string, z.ZodMiniType>;
  catchall?: z.ZodMiniType;
  innerType?: z.ZodMiniType;
  element?: z.ZodMiniType;
  valueType?: z.ZodMiniType;
  options?: z.ZodMiniType[];
  getter?: () => z.ZodMiniType;
}

const strictSchemas = new WeakMap<z.ZodMiniType, z.ZodMiniType>();

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** The same schema with objects that refuse what they do not know, and times in the one form they have. */
function strict(schema: z.ZodMiniType): z.ZodMiniType {
  const cached = strictSchemas.get(schema);
  if (cached) return cached;
  const def = schema._zod.def as unknown as Def;
  const changed = { ...def };
  // A recursive schema contains itself: its getter finds the copy here when it is first called.
  if (def.type === 'lazy') changed.getter = () => strict(def.getter!());
  const copy = (): z.ZodMiniType => schema.clone(changed as never);
  if (def.type === 'lazy') {
    const built = copy();
    strictSchemas.set(schema, built);
    return built;
  }
  if (def.type === 'object') {
    changed.shape = Object.fromEntries(Object.entries(def.shape!).map(([name, member]) => [name, strict(member)]));
    changed.catchall ??= z.never();
  }
  if (def.innerType) changed.innerType = strict(def.innerType);
  if (def.element) changed.element = strict(def.element);
  if (def.valueType) changed.valueType = strict(def.valueType);
  if (def.options) changed.options = def.options.map(strict);
  const isTime = z.globalRegistry.get(schema)?.format === 'date-time';
  const built = isTime ? z.string().check(z.regex(timestamp)) : copy();
  strictSchemas.set(schema, built);
  return built;
}
