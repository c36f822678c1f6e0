import type { Invocation } from '../../cli/command/command.ts';

/** Downloads a description. */
export async function addressText({ session }: Pick<Invocation<{}, {}>, 'session'>, source: string): Promise<string> {
  const { origin, pathname, search } = new URL(source);
  const client = await session.clientFor(origin, undefined);
  try {
    const headers = { accept: 'application/json, application/yaml, text/yaml, */*' };
    return (await client.request('GET', pathname + search, { headers })).text;
  } finally {
    await client.close();
  }
}
