import type { Documents } from './context.ts';
import type { Use } from './collector.ts';
import { fieldsOf, type Operation, type Server } from './operations.ts';
import { canonical, type Fields } from './shape.ts';

/** Compares which credentials are needed. */
export function compareSecurity(
  { before: oldDocument, after: newDocument, collector }: Documents,
  name: string,
  before: Operation,
  after: Operation,
): void {
  const use = { operation: name, where: 'security' };
  const place = (node: Fields, document: Fields) => ({
    node: node.security === undefined ? document : node,
    key: 'security',
  });
  const places = [place(before.node, oldDocument.document), place(after.node, newDocument.document)] as const;
  for (const credentials of insufficient(before.security, after.security)) {
    const message =
      credentials.size === 0 ? 'credentials are now required' : `${textOf(credentials)} is no longer sufficient`;
    collector.add('security-narrowed', use, message, ...places);
  }
  for (const credentials of insufficient(after.security, before.security)) {
    const message =
      credentials.size === 0 ? 'credentials are no longer required' : `${textOf(credentials)} is now sufficient`;
    collector.add('security-widened', use, message, ...places);
  }
}

/** Sets of credentials that were enough on one side and are not on the other. */
function insufficient(from: Set<string>[], to: Set<string>[]): Set<string>[] {
  return from.filter((credentials) => !to.some((required) => [...required].every((each) => credentials.has(each))));
}

const textOf = (credentials: Set<string>): string => [...credentials].join(' and ');

/** Compares the addresses in security schemes. */
export function compareSecuritySchemes({ before, after, collector }: Documents): void {
  const newSchemes = after.securitySchemes();
  for (const [name, scheme] of before.securitySchemes()) {
    const other = newSchemes.get(name);
    if (!other) continue;
    const [old, now] = [addressesOf(scheme), addressesOf(other)];
    for (const [key, address] of old) {
      const changed = now.get(key);
      if (changed === undefined || changed === address) continue;
      const use = { operation: '', where: `security scheme ${name}` };
      const message = `${key} was ${address}, is now ${changed}`;
      collector.add('security-address-changed', use, message, { node: scheme }, { node: other });
    }
  }
}

function addressesOf(scheme: Fields): Map<string, string> {
  const flows = Object.entries({ ...fieldsOf(scheme.flows), '': scheme });
  const entries = flows.flatMap(([flow, value]) =>
    ['authorizationUrl', 'tokenUrl', 'refreshUrl', 'openIdConnectUrl', 'deviceAuthorizationUrl'].flatMap(
      (key): [string, string][] => {
        const address = fieldsOf(value)[key];
        return typeof address === 'string' ? [[flow ? `${flow} ${key}` : key, address]] : [];
      },
    ),
  );
  return new Map(entries);
}

/** Compares the servers of the documents. */
export function compareAllServers({ before, after, collector }: Documents): void {
  const use = { operation: '', where: 'servers' };
  compareServerLists(before.servers(), after.servers(), use, collector, [before.document, after.document]);
}

/** Compares the servers of an operation where it has its own. */
export function compareServers(documents: Documents, name: string, before: Operation, after: Operation): void {
  if (!before.servers && !after.servers) return;
  const [old, now] = [before.servers ?? documents.before.servers(), after.servers ?? documents.after.servers()];
  const use = { operation: name, where: 'servers' };
  compareServerLists(old, now, use, documents.collector, [before.node, after.node]);
}

function compareServerLists(
  before: Server[],
  after: Server[],
  use: Use,
  collector: Documents['collector'],
  [oldNode, newNode]: [object, object],
): void {
  const urls = new Map(after.map((server) => [server.url, server]));
  const removed = before.filter(({ url }) => !urls.has(url));
  // Servers that are not described may be any.
  const isUnknown = before.every(({ url }) => url === '');
  for (const { url, node } of isUnknown ? [] : removed) {
    collector.add('server-removed', use, `${url || '/'} was removed`, { node }, { node: newNode });
  }
  const oldUrls = new Map(before.map((server) => [server.url, server]));
  for (const { url, node } of after) {
    if (oldUrls.has(url) || url === '') continue;
    collector.add('server-added', use, `${url} was added`, { node: oldNode }, { node });
  }
  for (const server of before) {
    const other = urls.get(server.url);
    if (other) compareVariables(server, other, use, collector);
  }
}

function compareVariables(before: Server, after: Server, use: Use, collector: Documents['collector']): void {
  for (const [name, value] of Object.entries(before.variables)) {
    const [old, now] = [fieldsOf(value), fieldsOf(after.variables[name])];
    const lost = valuesOf(now).length > 0 ? valuesOf(old).filter((each) => !valuesOf(now).includes(each)) : [];
    const texts = [
      ...(canonical(old.default) === canonical(now.default)
        ? []
        : [`default was ${String(old.default)}, is now ${String(now.default)}`]),
      ...(lost.length > 0 ? [`no longer has the values ${lost.join(', ')}`] : []),
    ];
    for (const text of texts) {
      const place = { node: before.node, key: 'variables' };
      const message = `variable ${name}: ${text}`;
      collector.add('server-variable-changed', use, message, place, { node: after.node, key: 'variables' });
    }
  }
}

const valuesOf = (variable: Fields): string[] => (Array.isArray(variable.enum) ? variable.enum.map(String) : []);
