import type { Client } from '../../client/client.ts';
import type { Field } from '../../contract/fields.ts';
import { UsageError } from '../program/failure.ts';

/** One kind of object that a place beside a neighbour may name. */
export interface Pointer {
  /** `site-section` */
  type: string;
  /** The member that holds the id: `siteSection`. */
  member: string;
}

/** The kinds that a pointer of the contract allows. */
export function pointersOf({ branches, members = {} }: Field): Pointer[] {
  if (branches) return branches.flatMap(pointersOf);
  const member = Object.keys(members).find((name) => name !== 'type');
  return member === undefined ? [] : (members.type?.values ?? []).map((type) => ({ type, member }));
}

interface Given {
  flag: string;
  /** `Sp5Gh8jLm2Qw`, or `space:Sp5Gh8jLm2Qw`. */
  text: string;
  pointers: readonly Pointer[];
  params: Record<string, string>;
  client(): Promise<Client>;
}

/**
 * The pointer that a text stands for. Where it may be of several kinds and does not say which, the service is asked.
 *
 * @throws UsageError for a kind that cannot stand there
 */
export async function pointerFor({ flag, text, pointers, params, client }: Given): Promise<Record<string, string>> {
  const [, kind, id = text] = /^([a-z-]+):(.*)$/.exec(text) ?? [];
  if (id === '') throw new UsageError(`${flag}: there is no id in "${text}".`);
  const known =
    kind === undefined
      ? await kindOf(id, pointers, params, client)
      : pointers.find(({ type }) => type === kind || type === `site-${kind}`);
  if (!known) {
    const kinds = pointers.map(({ type }) => type.replace(/^site-/, '')).join(' or ');
    throw new UsageError(`${flag}: "${kind}" cannot stand here, only ${kinds}.`);
  }
  return { type: known.type, [known.member]: id };
}

async function kindOf(
  id: string,
  pointers: readonly Pointer[],
  params: Record<string, string>,
  client: () => Promise<Client>,
): Promise<Pointer | undefined> {
  for (const pointer of pointers.slice(0, -1)) if (await isThere(await client(), pointer, id, params)) return pointer;
  return pointers.at(-1);
}

async function isThere(
  client: Client,
  { type }: Pointer,
  id: string,
  { orgId = '', siteId = '' }: Record<string, string>,
): Promise<boolean> {
  if (type === 'site-section') {
    const { siteSections } = await import('../../contract/site-sections.ts');
    for await (const section of client.items(siteSections.list, { params: { orgId, siteId } }))
      if (section.id === id) return true;
    return false;
  }
  const { spaces } = await import('../../contract/spaces.ts');
  try {
    await client.call(spaces.view, { params: { spaceId: id } });
    return true;
  } catch (error) {
    if ((error as { status?: number }).status === 404) return false;
    throw error;
  }
}
