import type { PoolClient, QueryConfig, QueryResult } from 'pg';

/** Asks for something. All that is asked of one connection in one turn of the event loop is sent together. */
export function ask(client: PoolClient, query: QueryConfig | string): Promise<QueryResult> {
  const { stream } = client.connection;
  if (stream.writableCorked === 0) {
    stream.cork();
    process.nextTick(() => stream.uncork());
  }
  return client.query(query);
}

/** Sends what comes before the first query. Nobody waits for it: if it fails, so do the queries after it. */
export function send(client: PoolClient, text: string): void {
  ask(client, text).catch(() => {});
}

/** Gives a connection back when it has answered; one that is broken is closed. */
export function release(client: PoolClient, last: Promise<unknown>): void {
  last.then(
    () => client.release(),
    (error: unknown) => client.release(error instanceof Error ? error : true),
  );
}
