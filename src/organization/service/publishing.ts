import { invites } from '../../contract/invites.ts';
import type { ItemOf } from '../../contract/endpoint.ts';
import { openapi, processErrors } from '../../contract/openapi.ts';
import { translations } from '../../contract/translations.ts';
import type { InviteLinksFile, TranslationsFile } from '../files/schemas.ts';
import { compareTexts, type Reading, readEach, sortedByName } from './reading.ts';
import type { Selection } from '../selection.ts';
import { writeYaml } from '../files/yaml.ts';

/** The texts of openapi/*.yaml: the latest version of each specification, and the slugs of those without such a text. */
export async function readSpecifications(
  reading: Reading,
  only: Selection,
): Promise<{ texts: Map<string, string>; unread: string[] }> {
  const { client, orgId, warn } = reading;
  const specs = await Array.fromAsync(client.items(openapi.list, { params: { orgId } }));
  const published = specs.filter((spec) => {
    const { slug, lastVersion } = spec;
    if (!only.includes('openapi', slug)) return false;
    const problem = problemOf(spec);
    if (problem !== undefined || lastVersion === undefined)
      warn(
        `The specification ${slug} ${problem ?? 'has no version'}; ${lastVersion === undefined ? 'it is left out' : 'the version before that is still used'}.`,
      );
    return lastVersion !== undefined;
  });
  const texts = await readEach(reading, 'specifications', published, async ({ slug, lastVersion = '' }) => {
    const params = { orgId, specSlug: slug, versionId: lastVersion };
    const { filesystem } = await client.call(openapi.versionContent, { params });
    const documents = Object.entries(filesystem);
    const [document] = documents;
    if (!document || documents.length > 1) {
      warn(
        `The specification ${slug} has ${documents.length} files, and is left out; "docsctl openapi download" writes them.`,
      );
      return [];
    }
    return [[slug, writeYaml(document[1])] as const];
  });
  const read = sortedByName(texts.flat());
  const slugs = specs.map(({ slug }) => slug).filter((slug) => only.includes('openapi', slug));
  return { texts: read, unread: slugs.filter((slug) => !read.has(slug)) };
}

/** What is wrong with the processing of a specification, in words that follow its name. */
function problemOf({ processingState, lastProcessErrorCode: code }: ItemOf<typeof openapi.list>): string | undefined {
  if (processingState !== 'complete') return `is still being processed (${processingState})`;
  return code && `failed to be processed when it was last published: ${processErrors[code]} (${code})`;
}

/** translations.yaml */
export async function readTranslations({ client, orgId, otherIds }: Reading): Promise<TranslationsFile> {
  const list = await Array.fromAsync(client.items(translations.list, { params: { orgId } }));
  for (const { title, id } of list) otherIds.set(`translation/${title}`, id);
  return {
    translations: list
      .toSorted((one, other) => compareTexts(one.createdAt, other.createdAt) || compareTexts(one.id, other.id))
      .map(({ title, languages }) => ({ title, languages })),
  };
}

/** invite-links.yaml: what the links give, and never what opens them. */
export async function readInviteLinks({ client, orgId, names, otherIds }: Reading): Promise<InviteLinksFile> {
  const list = await Array.fromAsync(client.items(invites.listLinks, { params: { orgId } })).then((links) =>
    links.toReversed(),
  );
  for (const [index, { id }] of list.entries()) otherIds.set(`invite link/${index}`, id);
  return {
    links: list.map((invite) => {
      if ('space' in invite)
        return { space: names.find('spaces', invite.space.id) ?? invite.space.id, level: invite.level };
      if ('collection' in invite)
        return {
          collection: names.find('collections', invite.collection.id) ?? invite.collection.id,
          level: invite.level,
        };
      return { role: invite.role };
    }),
  };
}
