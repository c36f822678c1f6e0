import type { PoolClient, QueryConfig, QueryResult } from 'pg';

/** Sends a query. All queries to one connection in one turn of the event loop are sent together. */
export function ask(client: PoolClient, query: QueryConfig | string): Promise<QueryResult> {
  const { stream } = client.connection;
  if (stream.writableCorked === 0) {
    stream.cork();
    process.nextTick(() => stream.uncork());
  }
  return client.query(query);
}

/** Sends what comes before the first query. This is not awaited: if it fails, the queries after it fail too. */
export function send(client: PoolClient, text: string): void {
  ask(client, text).catch(() => {});
}

/** Returns a connection to the pool when it has responded; a broken one is closed. */
export function release(client: PoolClient, last: Promise<unknown>): void {
  last.then(
    () => client.release(),
    (error: unknown) => client.release(error instanceof Error ? error : true),
  );
}
