// The package has types for its main module only. That one is not imported: it loads all of undici, and a request would
// take a third longer (bench/README.md).
declare module 'undici/lib/dispatcher/client.js' {
  export { Client as default } from 'undici';
}
declare module 'undici/lib/dispatcher/proxy-agent.js' {
  export { ProxyAgent as default } from 'undici';
}
declare module 'undici/lib/api/api-connect.js' {
  import type { Dispatcher } from 'undici';
  const connect: Dispatcher['connect'];
  export default connect;
}
declare module 'undici/lib/core/connect.js' {
  export { buildConnector as default } from 'undici';
}
declare module 'undici/lib/core/symbols.js' {
  /** Reads the answers of one connection. */
  export interface ResponseParser {
    onHeadersComplete(status: number, upgrade: boolean, shouldKeepAlive: boolean): number;
  }
  const symbols: { readonly kParser: unique symbol };
  export default symbols;
}
