import type { Instance } from '../engine/instance.ts';
import type { InstanceRequest, InstanceResponse } from '../engine/request.ts';

type Answer = (
  instance: Instance,
  request: InstanceRequest,
  match: RegExpExecArray,
) => Promise<InstanceResponse | undefined>;

/** Addresses outside `/v1`, each loaded when it is asked for. They need no token: what they show is public or guarded by its address. */
const outside: [pattern: RegExp, answer: Answer][] = [
  [/^\/healthz$/, async () => json({ status: 'ok' })],
  [/^\/readyz$/, isReady],
  [
    /^\/files\/(?<id>[A-Za-z0-9]+)$/,
    async (instance, _, match) => (await import('./downloads.ts')).download(instance, match),
  ],
  [
    /^\/pdf\/(?<token>[\w.-]+)\.pdf$/,
    async (instance, _, match) => (await import('../content/pdf-route.ts')).answerPdf(instance, match),
  ],
  [/^\/openapi\.json$/, async (instance) => (await import('./openapi-document.ts')).describe(instance)],
  [
    /^\/published\//,
    async (instance, request) => (await import('../sites/published.ts')).answerPublished(instance, request),
  ],
  [/^\/o\//, async (instance, request) => (await import('./app-pages.ts')).answerApp(instance, request)],
];

/** Ready is who can read the database; a fault of it is answered by the one who handles all faults. */
async function isReady(instance: Instance): Promise<InstanceResponse> {
  await instance.store.read(async (db) => db.raw.prepare('select 1').get());
  return json({ status: 'ready', background: instance.background.size });
}

const json = (value: unknown): InstanceResponse => ({
  status: 200,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: JSON.stringify(value),
});

/** @returns undefined for an address that is not there */
export async function answerPublicRoute(
  instance: Instance,
  request: InstanceRequest,
): Promise<InstanceResponse | undefined> {
  if (request.method !== 'GET') return undefined;
  for (const [pattern, answer] of outside) {
    const match = pattern.exec(request.path);
    if (match) return answer(instance, request, match);
  }
  return undefined;
}
