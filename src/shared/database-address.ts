import { decodeAddress, tryDecode } from './decode.ts';

const scheme = /^postgres(?:ql)?:\/\//i;

/** Whether a database is one of PostgreSQL, and not a file. */
export const isPostgres = (database: string): boolean => scheme.test(database);

/** Whether a text is an address with another scheme: neither a file nor a database of PostgreSQL. */
export const isOtherAddress = (database: string): boolean =>
  /^[a-z][a-z0-9+.-]+:\/\//i.test(database) && !isPostgres(database);

const host = /^(?:\[[^\]]*\]|[^:[\]@#]*)(?::\d*)?$/;

/** The login of an address, as far as all read it in the same way; undefined if they may not. */
function loginOf(address: string): string | undefined {
  const [head = '', ...query] = address.slice(address.indexOf('://') + 3).split('?');
  const [authority = '', ...path] = head.split('/');
  const [login, hosts] = authority.includes('@') ? authority.split('@') : ['', authority];
  const pairs = query.join('?').split('&').filter(Boolean);
  const isClear =
    authority.split('@').length <= 2 &&
    !/[#]/.test(authority) &&
    !/[@#]/.test(path.join('/')) &&
    pairs.every((pair) => pair.indexOf('=') > 0 && !/[@#]/.test(pair.split('=')[0] ?? '') && !pair.includes('#')) &&
    (hosts ?? '').split(',').every((each) => host.test(each));
  return isClear ? login : undefined;
}

/**
 * Whether an address of PostgreSQL is understood by all in the same way. In a password, the characters that separate the
 * parts of an address must be percent-encoded.
 */
export const isValidAddress = (address: string): boolean =>
  tryDecode(address) !== undefined && loginOf(address) !== undefined;

const secretSettings = /^(?:password|sslpassword|pgpassword)$/i;

/** Whether an address of PostgreSQL has a password in it. */
export const hasPassword = (address: string): boolean => withoutPassword(address) !== address;

/** The address for messages and settings. Of one that is not valid, more may be left out than the password. */
export function withoutPassword(address: string): string {
  if (!isPostgres(address)) return address;
  const start = address.indexOf('://') + 3;
  const [colon, at] = [address.indexOf(':', start), address.lastIndexOf('@')];
  const isPlain = loginOf(address)?.includes(':') === false;
  const named = isPlain || colon < 0 || at < colon ? address : address.slice(0, colon) + loginEnd(address, at);
  const [head = '', ...query] = named.split('?');
  const pairs = query.join('?').split('&');
  const shown = pairs.filter((pair) => !secretSettings.test(decodeAddress(pair.split('=')[0] ?? '').trim()));
  if (shown.length === pairs.length) return named;
  return shown.length === 0 ? head : `${head}?${shown.join('&')}`;
}

/** What follows the login: from its @ on, which is the last of an address that is not valid. */
const loginEnd = (address: string, last: number): string =>
  address.slice(loginOf(address) === undefined ? last : address.indexOf('@'));
