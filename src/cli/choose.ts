import type { Endpoint } from '../contract/endpoint.ts';
import { UsageError } from './failure.ts';
import type { Invocation } from './invocation.ts';
import { visible } from './output/index.ts';

interface Choice {
  id: string;
  title: string;
}

interface Source {
  what: string;
  endpoint: () => Promise<Endpoint>;
  choice(item: any): Choice;
}

const titled = (item: any): Choice => ({ id: item.id, title: item.title ?? item.id });

/** Where a list of things to choose from comes from, by the path parameter that is missing. */
const sources: Record<string, Source> = {
  orgId: {
    what: 'organization',
    endpoint: async () => (await import('../contract/orgs.ts')).orgs.list,
    choice: titled,
  },
  spaceId: { what: 'space', endpoint: async () => (await import('../contract/spaces.ts')).spaces.list, choice: titled },
  userId: {
    what: 'member',
    endpoint: async () => (await import('../contract/members.ts')).members.list,
    choice: (item) => ({ id: item.id, title: `${item.user.displayName} <${item.user.email}>` }),
  },
  changeRequestId: {
    what: 'change request',
    endpoint: async () => (await import('../contract/changeRequests.ts')).changeRequests.list,
    choice: (item) => ({ id: item.id, title: `#${item.number} ${item.subject || '(no subject)'}` }),
  },
  specSlug: {
    what: 'OpenAPI specification',
    endpoint: async () => (await import('../contract/openapi.ts')).openapi.list,
    choice: (item) => ({ id: item.slug, title: item.slug }),
  },
};

const shown = 200;

/** A searchable list of what a path parameter may name. @throws UsageError where there is nothing to choose from */
export async function chooseParam(
  invocation: Invocation,
  param: string,
  known: Record<string, string>,
): Promise<string> {
  const source = sources[param];
  if (!source)
    throw new UsageError(`<${param.replace(/Id$/, '')}> is missing.`, `See "docsctl ${invocation.path} --help".`);
  const endpoint = await source.endpoint();
  const params: Record<string, string> = {};
  for (const [, name] of endpoint.path.matchAll(/\{(\w+)\}/g)) {
    params[name!] = known[name!] ?? (await chooseParam(invocation, name!, known));
  }
  const client = await invocation.client();
  const choices: Choice[] = [];
  for await (const item of client.items(endpoint, { params } as never, { limit: shown }))
    choices.push(source.choice(item));
  if (choices.length === 0) throw new UsageError(`There is no ${source.what} to choose.`);
  const { search } = await import('@inquirer/prompts');
  return search(
    {
      message: `Which ${source.what}?`,
      source: (term = '') =>
        choices
          .filter(({ title, id }) => `${title} ${id}`.toLowerCase().includes(term.toLowerCase()))
          .map(({ title, id }) => ({ name: visible(title), value: id, description: id })),
    },
    { signal: invocation.signal, output: process.stderr },
  );
}

export const choose = (invocation: Invocation, scope: 'org' | 'space' | 'site') =>
  chooseParam(invocation, `${scope}Id`, {});
