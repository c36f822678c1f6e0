import { appLinkPath } from '../../contract/instance.ts';
import type { Instance } from '../engine/instance.ts';
import type { InstanceRequest, InstanceResponse } from '../engine/request.ts';

type Answer = (
  instance: Instance,
  request: InstanceRequest,
  /** What the group of the pattern matched. */
  name: string,
) => Promise<InstanceResponse | undefined>;

/** Addresses outside `/v1`, loaded on use. They need no token: they are public, or their address cannot be guessed. */
const publicRoutes: [pattern: RegExp, answer: Answer][] = [
  [/^\/healthz$/, async () => json({ status: 'ok' })],
  [/^\/readyz$/, isReady],
  [/^\/files\/([A-Za-z0-9]+)$/, async (instance, _, id) => (await import('./downloads.ts')).download(instance, id)],
  [
    /^\/pdf\/([\w.-]+)\.pdf$/,
    async (instance, request, token) =>
      (await import('../content/pdf/pdf-route.ts')).answerPdf(instance, request, token),
  ],
  // The client generated the ID, so nobody else knows it.
  [/^\/_instance\/imports\/([\w-]+)$/, async ({ imports }, _, id) => found(imports.find(id))],
  [/^\/openapi\.json$/, async (instance) => (await import('./openapi-document.ts')).describe(instance)],
  [
    /^\/published\//,
    async (instance, request) => (await import('../sites/published.ts')).answerPublished(instance, request),
  ],
  [/^\/o\//, async (instance, request) => (await import('./app-pages.ts')).answerApp(instance, request)],
];

/** An instance is ready if it can read its database; the engine answers when it cannot. */
async function isReady(instance: Instance): Promise<InstanceResponse> {
  await instance.store.read((db) => db.get('select 1'));
  return json({ status: 'ready', background: instance.background.size });
}

const found = (value: unknown) => (value === undefined ? undefined : json(value));

const json = (value: unknown): InstanceResponse => ({
  status: 200,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: JSON.stringify(value),
});

/** @returns undefined for an address that does not exist */
export async function answerPublicRoute(
  instance: Instance,
  request: InstanceRequest,
): Promise<InstanceResponse | undefined> {
  if (request.method === 'POST' && request.path === appLinkPath)
    return (await import('./sign-in.ts')).createSignInLink(instance, request);
  if (request.method !== 'GET') return undefined;
  for (const [pattern, answer] of publicRoutes) {
    const match = pattern.exec(request.path);
    if (match) return answer(instance, request, match[1] ?? '');
  }
  return undefined;
}
