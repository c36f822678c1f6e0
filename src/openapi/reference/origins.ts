import type { Server } from './servers.ts';

/** Keeps policies short. */
const maxOrigins = 100;

/**
 * The possible origins of a server, in the form of a security policy; none for an address without a host. A variable with a
 * list of values has one origin for each. A free variable can be the first label of a host (`https://*.pumps.example`) or its
 * port. Elsewhere in the origin, it keeps its default value, because a policy cannot express it.
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

/** Names of the variables that readers cannot change, because the policy would not allow the resulting hosts. */
export function fixedVariables({ url, variables }: Server): Set<string> {
  const [authority = ''] = /^[a-z]+:\/\/[^/?#]+/i.exec(url) ?? [];
  const isFixed = ({ name, values }: Server['variables'][number]) =>
    values.length === 0 && authority.includes(`{${name}}`) && !isFree(authority, `{${name}}`);
  // A variable for the whole address could lead anywhere.
  return new Set(variables.filter((each) => isFixed(each) || url.startsWith(`{${each.name}}`)).map(({ name }) => name));
}

/** Whether a policy can allow all values of a variable: as the first of at least three labels of a host, or as the port. */
function isFree(authority: string, sign: string): boolean {
  const host = authority.replace(/^[a-z]+:\/\//i, '');
  if (host.endsWith(`:${sign}`)) return true;
  const rest = host.slice(sign.length).replace(/:.*/, '');
  return host.startsWith(`${sign}.`) && /^(?:\.[a-z\d-]+){2,}$/i.test(rest);
}

/** Keeps any other text of a description out of the policy. */
function policyOrigin(origin: string): string | undefined {
  if (/^https?:\/\/(?:\*\.)?[a-z\d.-]+:\*$/.test(origin) || /^https?:\/\/\*(?:\.[a-z\d-]+){2,}(?::\d+)?$/.test(origin))
    return origin;
  const url = URL.parse(origin);
  return url && !/[*;,\s']/.test(url.origin) ? url.origin : undefined;
}
