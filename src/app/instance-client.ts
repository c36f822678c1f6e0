import { createClient, type Client } from '../client/client.ts';
import { version } from '../shared/version.ts';
import type { AppInstance } from './port.ts';

/** A client of the service in this process for one user, with the permissions of the API. */
export function clientOf(instance: AppInstance, user: string): Client {
  return createClient({
    url: instance.base,
    userAgent: `docsctl/${version}`,
    // The service is in this process: what fails would fail again.
    retries: 0,
    transport: {
      async send({ method, path, headers, body }) {
        const [address = '', search = ''] = path.split('?', 2);
        const response = await instance.handle({
          method,
          path: address,
          query: new URLSearchParams(search),
          headers,
          body,
          as: user,
        });
        return {
          status: response.status,
          headers: response.headers,
          body: typeof response.body === 'string' ? Buffer.from(response.body) : response.body,
        };
      },
      close: () => Promise.resolve(),
    },
  });
}

/** Reads the files of contents, whose addresses are on the service itself. @throws Error for other addresses */
export const downloaderOf = (instance: AppInstance) => ({
  async bytes(url: string): Promise<Uint8Array> {
    const { pathname } = new URL(url, instance.base);
    const path = pathname.slice(pathname.lastIndexOf('/files/'));
    const { status, body } = await instance.handle({ method: 'GET', path, query: new URLSearchParams(), headers: {} });
    if (status !== 200) throw new Error(`The file ${path} cannot be read: ${status}.`);
    return typeof body === 'string' ? Buffer.from(body) : body;
  },
});
