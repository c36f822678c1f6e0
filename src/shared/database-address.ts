/** Whether a database is one of PostgreSQL, and not a file. */
export const isPostgres = (database: string): boolean => /^postgres(?:ql)?:\/\//.test(database);

const inAuthority = /^(postgres(?:ql)?:\/\/[^:@/?]*):[^@/?]*@/;
const inQuery = /([?&])password=[^&]*(?:&|$)/;

/** Whether an address of PostgreSQL has a password in it. */
export const hasPassword = (address: string): boolean => inAuthority.test(address) || inQuery.test(address);

/** The address for messages and settings. */
export const withoutPassword = (address: string): string =>
  address.replace(inAuthority, '$1@').replace(inQuery, '$1').replace(/[?&]$/, '');
