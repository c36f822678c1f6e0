import { type Fields, fieldsOf, itemsOf } from '../fields.ts';
import { type BasePaths, withoutBasePath } from './base-paths.ts';
import type { Collector, Context, Documents, Use } from './collector.ts';
import type { Operation, Server } from './operations.ts';
import { canonical } from './shape.ts';

/** Compares which credentials are required. */
export function compareSecurity(context: Context, before: Operation, after: Operation): void {
  const use = { operation: context.name, where: 'security' };
  const place = ({ node }: Operation, { document }: { document: Fields }) => ({
    node: node.security === undefined ? document : node,
    key: 'security',
  });
  const places = [place(before, context.before), place(after, context.after)] as const;
  const report = (rule: 'security-narrowed' | 'security-widened', lost: Set<string>[], isNow: [string, string]) => {
    for (const credentials of lost) {
      const isEmpty = credentials.size === 0;
      const message = isEmpty
        ? `credentials are ${isNow[0]} required`
        : `${[...credentials].join(' and ')} is ${isNow[1]} sufficient`;
      context.collector.add(rule, use, message, ...places);
    }
  };
  report('security-narrowed', insufficient(before.security, after.security), ['now', 'no longer']);
  report('security-widened', insufficient(after.security, before.security), ['no longer', 'now']);
}

/** Sets of credentials that are sufficient on one side only. */
function insufficient(from: Set<string>[], to: Set<string>[]): Set<string>[] {
  return from.filter((credentials) => !to.some((required) => required.isSubsetOf(credentials)));
}

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

const addressKeys = ['authorizationUrl', 'tokenUrl', 'refreshUrl', 'openIdConnectUrl', 'deviceAuthorizationUrl'];

function addressesOf(scheme: Fields): Map<string, string> {
  const flows = Object.entries({ ...fieldsOf(scheme.flows), '': scheme });
  const entries = flows.flatMap(([flow, value]) =>
    addressKeys.map((key) => [flow ? `${flow} ${key}` : key, fieldsOf(value)[key]] as const),
  );
  return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

/** Compares the servers of the documents. */
export function compareAllServers({ before, after, collector }: Documents, bases: BasePaths): void {
  const use = { operation: '', where: 'servers' };
  const old = withoutBasePath(before.servers(), bases.before);
  const now = withoutBasePath(after.servers(), bases.after);
  compareServerLists(old, now, use, collector, [before.document, after.document]);
}

/** Compares the servers of an operation if it has its own. */
export function compareServers(context: Context, before: Operation, after: Operation): void {
  if (!before.servers && !after.servers) return;
  const [old, now] = [before.servers ?? context.before.servers(), after.servers ?? context.after.servers()];
  const use = { operation: context.name, where: 'servers' };
  compareServerLists(old, now, use, context.collector, [before.node, after.node]);
}

function compareServerLists(
  before: Server[],
  after: Server[],
  use: Use,
  collector: Collector,
  [oldNode, newNode]: [object, object],
): void {
  const [oldUrls, newUrls] = [before, after].map((servers) => new Set(servers.map(({ url }) => url)));
  // If no servers are described, the API may have any.
  const isUnknown = before.every(({ url }) => url === '');
  for (const { url, node } of before) {
    if (isUnknown || newUrls?.has(url)) continue;
    collector.add('server-removed', use, `${url || '/'} was removed`, { node }, { node: newNode });
  }
  for (const { url, node } of after) {
    if (oldUrls?.has(url) || url === '') continue;
    collector.add('server-added', use, `${url} was added`, { node: oldNode }, { node });
  }
  for (const server of before) {
    const other = after.findLast(({ url }) => url === server.url);
    if (other) compareVariables(server, other, use, collector);
  }
}

function compareVariables(before: Server, after: Server, use: Use, collector: Collector): void {
  for (const [name, value] of Object.entries(before.variables)) {
    const [old, now] = [fieldsOf(value), fieldsOf(after.variables[name])];
    const add = (text: string) => {
      const key = 'variables';
      const places = [
        { node: before.node, key },
        { node: after.node, key },
      ] as const;
      collector.add('server-variable-changed', use, `variable ${name}: ${text}`, ...places);
    };
    if (canonical(old.default) !== canonical(now.default))
      add(`default was ${String(old.default)}, is now ${String(now.default)}`);
    const [oldValues, newValues] = [old.enum, now.enum].map((values) => itemsOf(values).map(String));
    const lost = newValues?.length ? oldValues?.filter((each) => !newValues.includes(each)) : [];
    if (lost?.length) add(`no longer has the values ${lost.join(', ')}`);
  }
}
