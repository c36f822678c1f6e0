import type { Server } from './servers.ts';

/** More origins than this make no better policy. */
const maxOrigins = 100;

/**
 * The origins at which a server may be, as a security policy names them; none for an address without a host. A variable
 * with a list of values stands for each of them. A free one may be the first name of a host (`https://*.pumps.example`) or
 * its port; elsewhere in the origin it keeps its default value, because the policy could not tell its values from others.
 */
export function originsOf(server: Server): string[] {
  const [, scheme = '', authority = ''] = /^(https?:\/\/)([^/?#]+)/i.exec(server.url) ?? [];
  let hosts = [authority];
  for (const { name, value, values } of server.variables) {
    const sign = `{${name}}`;
    if (!authority.includes(sign)) continue;
    const filled = values.length > 0 ? values : [isFree(authority, sign) ? '*' : value];
    hosts = hosts.flatMap((host) => filled.map((one) => host.replaceAll(sign, one))).slice(0, maxOrigins);
  }
  const origins = hosts.map((host) => (scheme + host).toLowerCase());
  return [...new Set(origins.flatMap((origin) => policyOrigin(origin) ?? []))];
}

/** Names of the variables that readers cannot change, since requests would go to hosts that the policy does not name. */
export function fixedVariables({ url, variables }: Server): Set<string> {
  const [authority = ''] = /^[a-z]+:\/\/[^/?#]+/i.exec(url) ?? [];
  const isFixed = ({ name, values }: Server['variables'][number]) =>
    values.length === 0 && authority.includes(`{${name}}`) && !isFree(authority, `{${name}}`);
  // The whole address as a variable may lead anywhere.
  return new Set(variables.filter((each) => isFixed(each) || url.startsWith(`{${each.name}}`)).map(({ name }) => name));
}

/** Whether all values of a variable in an origin can be named: below two other names of the host, or as the port. */
function isFree(authority: string, sign: string): boolean {
  const host = authority.replace(/^[a-z]+:\/\//i, '');
  if (host.endsWith(`:${sign}`)) return true;
  const rest = host.slice(sign.length).replace(/:.*/, '');
  return host.startsWith(`${sign}.`) && /^(?:\.[a-z\d-]+){2,}$/i.test(rest);
}

/** Nothing else of a description may come into the policy. */
function policyOrigin(origin: string): string | undefined {
  if (/^https?:\/\/(?:\*\.)?[a-z\d.-]+:\*$/.test(origin) || /^https?:\/\/\*(?:\.[a-z\d-]+){2,}(?::\d+)?$/.test(origin))
    return origin;
  const url = URL.parse(origin);
  return url && !/[*;,\s']/.test(url.origin) ? url.origin : undefined;
}
