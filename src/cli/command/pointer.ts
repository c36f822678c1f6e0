import type { Client } from '../../client/client.ts';
import { HttpError } from '../../client/errors/http-error.ts';
import type { Field } from '../../contract/fields.ts';
import { UsageError } from '../program/failure.ts';

/** One kind of object that a position (`--before`, `--after`) may name. */
export interface Pointer {
  /** `site-section` */
  type: string;
  /** The member that holds the id: `siteSection`. */
  member: string;
}

/** The kinds of objects that a pointer of the contract may name. */
export function pointersOf({ branches, members = {} }: Field): Pointer[] {
  if (branches) return branches.flatMap(pointersOf);
  const member = Object.keys(members).find((name) => name !== 'type');
  return member === undefined ? [] : (members.type?.values ?? []).map((type) => ({ type, member }));
}

interface PointerText {
  flag: string;
  /** `Sp5Gh8jLm2Qw`, or `space:Sp5Gh8jLm2Qw`. */
  text: string;
  pointers: readonly Pointer[];
  params: Record<string, string>;
  client(): Promise<Client>;
}

/**
 * The pointer that a text stands for. Where several kinds are possible and the text names none, the service is asked.
 *
 * @throws UsageError for a kind that is not possible there
 */
export async function pointerFor({
  flag,
  text,
  pointers,
  params,
  client,
}: PointerText): Promise<Record<string, string>> {
  const [, kind, id = text] = /^([a-z-]+):(.*)$/.exec(text) ?? [];
  if (id === '') throw new UsageError(`${flag}: "${text}" contains no id.`);
  const pointer =
    kind === undefined
      ? await pointerTo(id, pointers, params, client)
      : pointers.find(({ type }) => type === kind || type === `site-${kind}`);
  if (!pointer) {
    const kinds = pointers.map(({ type }) => type.replace(/^site-/, '')).join(' or ');
    throw new UsageError(`${flag}: "${kind}" is not possible here, only ${kinds}.`);
  }
  return { type: pointer.type, [pointer.member]: id };
}

/** The first kind of which there is an object with this id; the last kind is not checked. */
async function pointerTo(
  id: string,
  pointers: readonly Pointer[],
  params: Record<string, string>,
  client: () => Promise<Client>,
): Promise<Pointer | undefined> {
  for (const pointer of pointers.slice(0, -1)) if (await exists(await client(), pointer, id, params)) return pointer;
  return pointers.at(-1);
}

async function exists(
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
    if (error instanceof HttpError && error.status === 404) return false;
    throw error;
  }
}
