import type { Client } from '../../client/client.ts';
import type { Page } from '../../client/pages.ts';
import { failureOf } from '../../cli/program/failure.ts';
import { pickOptional } from '../../cli/prompt/pick-optional.ts';
import type { Choice, Prompt } from '../../cli/prompt/prompt.ts';
import type { Profile } from '../../cli/settings/config.ts';
import { orgs } from '../../contract/orgs.ts';
import { spaces } from '../../contract/spaces.ts';

export interface Defaults {
  org: Choice<string> | undefined;
  space: Choice<string> | undefined;
}

interface Source {
  client: Client;
  /** Undefined without a terminal. */
  prompt: Prompt | undefined;
  /** The ID in a flag. */
  flag: string | undefined;
  /** The previous default. */
  before: string | undefined;
}

/** Chooses the default organization and space of a profile: from flags, the previous defaults, or a prompt. */
export async function chooseDefaults(
  { client, prompt }: Pick<Source, 'client' | 'prompt'>,
  flags: { org?: string | undefined; space?: string | undefined },
  before: Profile | undefined,
): Promise<Defaults> {
  const org = await chooseOrganization({ client, prompt, flag: flags.org, before: before?.org });
  const space = await chooseSpace({ client, prompt, flag: flags.space, before: before?.space }, org);
  return { org, space };
}

async function chooseOrganization(source: Source): Promise<Choice<string> | undefined> {
  const { client, prompt } = source;
  const org = await existing(source, (orgId) => client.call(orgs.view, { params: { orgId } }));
  if (org) return org;
  const { items, count } = await client.call(orgs.list, { query: { limit: 1 } });
  const [first] = items;
  if (count === 1 && first) return choiceOf(first);
  if (count === 0 || !prompt) return undefined;
  return pickOptional(prompt, 'Default organization:', noDefault, choices(client.pages(orgs.list, {}, page)));
}

async function chooseSpace(source: Source, org: Choice<string> | undefined): Promise<Choice<string> | undefined> {
  const { client, prompt } = source;
  const space = await existing(source, (spaceId) => client.call(spaces.view, { params: { spaceId } }));
  if (space) return space;
  if (!prompt || !org) return undefined;
  const params = { orgId: org.value };
  const { count } = await client.call(spaces.list, { params, query: { limit: 1 } });
  if (count === 0) return undefined;
  return pickOptional(prompt, 'Default space:', noDefault, choices(client.pages(spaces.list, { params }, page)));
}

const noDefault = 'pass it to each command, or set it later with "docsctl config set"';
const page = { pageSize: 50 };

interface Titled {
  id: string;
  title: string;
}

const choiceOf = ({ id, title }: Titled): Choice<string> => ({ value: id, title });

async function* choices(pages: AsyncIterable<Page<Titled>>) {
  for await (const { items } of pages) yield items.map(choiceOf);
}

/** The object in a flag, or the previous default if it still exists. */
async function existing(
  { flag, before }: Source,
  view: (id: string) => Promise<Titled>,
): Promise<Choice<string> | undefined> {
  const id = flag ?? before;
  if (id === undefined) return undefined;
  try {
    return choiceOf(await view(id));
  } catch (error) {
    const { status } = failureOf(error);
    if (flag !== undefined || (status !== 403 && status !== 404)) throw error;
    return undefined;
  }
}
