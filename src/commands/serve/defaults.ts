/** Where `serve` listens when no flag says otherwise. */
export const defaultHost = '127.0.0.1';
export const defaultPort = '4000';
export const defaultLog = 'text';
export const defaultTokenLabel = 'docsctl serve token';
