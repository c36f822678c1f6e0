import { BlockList, isIP } from 'node:net';
import { withoutCredentials } from './address.ts';
import { ClientError } from './errors/client-error.ts';

type Environment = Record<string, string | undefined>;

/**
 * The proxy for an origin from `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY`, as curl reads them: each scheme has
 * its own variable, `ALL_PROXY` is for those without one, the lower-case name wins, and loopback is no exception unless `NO_PROXY` says so.
 */
export function proxyFor(origin: string, environment: Environment = process.env): URL | undefined {
  const { protocol, hostname, port } = new URL(origin);
  const names = [protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY', 'ALL_PROXY'];
  const name = names.flatMap((each) => [each.toLowerCase(), each]).find((each) => environment[each]);
  const proxy = name && environment[name];
  if (!proxy) return undefined;
  const exceptions = environment.no_proxy ?? environment.NO_PROXY ?? '';
  return isExcepted(bare(hostname), port || defaultPort(protocol), exceptions)
    ? undefined
    : proxyAddress(proxy, name.toUpperCase());
}

function proxyAddress(text: string, name: string): URL {
  const url = text.includes('://') ? text : `http://${text}`;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    const isSocks = /^socks/i.test(url);
    throw new ClientError(
      `The proxy ${withoutCredentials(url)} in ${name} is not an http or https address${isSocks ? '; docsctl does not support SOCKS' : ''}.`,
      `Set ${name} to an address such as http://proxy.example:3128, or unset it.`,
    );
  }
  return new URL(url);
}

function isExcepted(host: string, port: string, exceptions: string): boolean {
  return exceptions.split(/[\s,]+/).some((entry) => entry !== '' && covers(entry.toLowerCase(), host, port));
}

function covers(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true;
  if (entry.includes('/')) return isWithin(host, entry);
  const [, name = entry, onlyPort] = /^(\[[^\]]*\]|[^:]*):(\d+)$/.exec(entry) ?? [];
  if (onlyPort !== undefined && onlyPort !== port) return false;
  if (name.startsWith('*.')) return host.endsWith(name.slice(1));
  const domain = bare(name).replace(/^\./, '');
  return host === domain || (isIP(host) === 0 && host.endsWith(`.${domain}`));
}

function isWithin(host: string, subnet: string): boolean {
  const [network = '', bits = ''] = subnet.split('/');
  const family = isIP(bare(network));
  const length = /^\d{1,3}$/.test(bits) ? Number(bits) : Infinity;
  if (family === 0 || family !== isIP(host) || length > (family === 4 ? 32 : 128)) return false;
  const type = family === 4 ? 'ipv4' : 'ipv6';
  const list = new BlockList();
  list.addSubnet(bare(network), length, type);
  return list.check(host, type);
}

const bare = (host: string) => host.replace(/^\[|\]$/g, '').replace(/\.$/, '');
const defaultPort = (protocol: string) => (protocol === 'https:' ? '443' : '80');
