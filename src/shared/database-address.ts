import { decodeAddress } from './decode.ts';

const scheme = /^postgres(?:ql)?:\/\//i;

/** Whether a database is one of PostgreSQL, and not a file. */
export const isPostgres = (database: string): boolean => scheme.test(database);

/** Whether a text is an address with another scheme: neither a file nor a database of PostgreSQL. */
export const isOtherAddress = (database: string): boolean =>
  /^[a-z][a-z0-9+.-]+:\/\//i.test(database) && !isPostgres(database);

/** Hosts with ports, the name of the database, settings. */
const place =
  /(?:\[[^\]@/?#]*\]|[^:@/?#,]*)(?::\d*)?(?:,[^@/?#]*)?(?:\/[^@?#]*)?(?:\?(?:[^=&#@]+=[^&#]*(?:&[^=&#@]+=[^&#]*)*)?)?$/
    .source;
const withoutLogin = new RegExp(`^[^:]+://(?:[^:@/?#]*@)?${place}`);
const withLogin = new RegExp(`^[^:]+://(?:[^:@/?#]*(?::[^@/?#]*)?@)?${place}`);

/**
 * Whether an address of PostgreSQL is understood by all in the same way. In a password, the characters that separate the
 * parts of an address must be percent-encoded.
 */
export const isValidAddress = (address: string): boolean =>
  !/%(?![0-9a-f]{2})/i.test(address) && withLogin.test(address);

/** From the first colon to the last @: what cannot be read otherwise is taken for a password. */
const login = /^([^:]+:\/\/[^:]*):[^]*@/;
const setting = /([?&])([^=&]*)=[^&]*/g;
const secretSettings = /^(?:password|sslpassword|pgpassword)$/i;

/** Whether an address of PostgreSQL has a password in it. */
export const hasPassword = (address: string): boolean => withoutPassword(address) !== address;

/** The address for messages and settings. Of one that is not valid, more may be left out than the password. */
export function withoutPassword(address: string): string {
  if (!isPostgres(address)) return address;
  const named = withoutLogin.test(address) ? address : address.replace(login, '$1@');
  let isFirst = true;
  return named.replace(setting, (text, _separator: string, name: string) => {
    if (secretSettings.test(decodeAddress(name).trim())) return '';
    const separator = isFirst ? '?' : '&';
    isFirst = false;
    return separator + text.slice(1);
  });
}
