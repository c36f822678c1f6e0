import type { Endpoint } from '../contract/endpoint.ts';
import { groupOf, loadGroup } from '../contract/groups.ts';
import { decodeAddress } from '../shared/decode.ts';

interface Addressed {
  endpoint: Endpoint;
  params: Record<string, string>;
}

/** The endpoint at an address, with its path parameters; undefined if the contract has none. */
export async function endpointOfAddress(method: string, address: string): Promise<Addressed | undefined> {
  const [path = ''] = address.split(/[?#]/, 1);
  const segments = path.split('/').filter((segment) => segment !== '');
  const start = segments.indexOf('v1');
  const below = segments.slice(start + 1);
  const group = start < 0 ? undefined : groupOf(below);
  if (!group) return undefined;
  for (const endpoint of Object.values(await loadGroup(group))) {
    const params = endpoint.method === method.toUpperCase() ? paramsIn(endpoint.path, below) : undefined;
    if (params) return { endpoint, params };
  }
  return undefined;
}

function paramsIn(template: string, segments: readonly string[]): Record<string, string> | undefined {
  const parts = template.split('/').slice(2);
  if (parts.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of parts.entries()) {
    const segment = segments[index] ?? '';
    const [, name] = /^\{(\w+)\}$/.exec(part) ?? [];
    if (name === undefined && part !== segment) return undefined;
    if (name !== undefined) params[name] = decodeAddress(segment);
  }
  return params;
}

/** The endpoint with this method and this path of the contract. */
export async function endpointWith(method: string, path: string): Promise<Endpoint | undefined> {
  const group = groupOf(path.split('/').slice(2));
  const endpoints = group ? Object.values(await loadGroup(group)) : [];
  return endpoints.find((endpoint) => endpoint.method === method && endpoint.path === path);
}
