import type { Client, ListInput } from '../../client/client.ts';
import type { PageOptions } from '../../client/pages.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import type { Names } from './names.ts';

/** A client that takes names of objects if requests have ids: in paths, queries and bodies. */
export function namingClient(client: Client, names: Names): Client {
  const call: Client['call'] = async (endpoint, input) => {
    let named = await names.prepare(endpoint, input);
    for (;;) {
      try {
        const answer = await client.call(endpoint, named);
        names.learn(endpoint, [answer]);
        return answer;
      } catch (refusal) {
        // Ends with the refusal once there is nothing more to look up.
        named = await names.afterRefusal(endpoint, named, refusal);
      }
    }
  };

  /** The first page, with the rest to come. */
  async function open<E extends Endpoint>(endpoint: E, input: ListInput<E>, options?: PageOptions) {
    let named = await names.prepare(endpoint, input);
    for (;;) {
      const rest = client.pages(endpoint, named, options)[Symbol.asyncIterator]();
      try {
        const first = await rest.next();
        const filtered = first.value?.size === 0 ? await names.afterEmptyList(endpoint, named) : undefined;
        if (filtered === undefined) return { first, rest };
        await rest.return?.();
        named = filtered;
      } catch (refusal) {
        await rest.return?.();
        named = await names.afterRefusal(endpoint, named, refusal);
      }
    }
  }

  const pages: Client['pages'] = async function* (endpoint, input, options) {
    const { first, rest } = await open(endpoint, input, options);
    try {
      if (first.done) return;
      names.learn(endpoint, first.value.items);
      yield first.value;
      // Items that are not used are not kept, so that long lists take little memory.
      if (!names.learnsFrom(endpoint)) yield* { [Symbol.asyncIterator]: () => rest };
      for (let page = await rest.next(); !page.done; page = await rest.next()) {
        names.learn(endpoint, page.value.items);
        yield page.value;
      }
    } finally {
      await rest.return?.();
    }
  };

  const items: Client['items'] = async function* (endpoint, input, options) {
    for await (const page of pages(endpoint, input, options)) yield* page.items;
  };

  return { ...client, call, pages, items };
}
