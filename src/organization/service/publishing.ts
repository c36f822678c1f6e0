import { processErrors } from '../../contract/openapi.ts';
import { writeYaml } from '../files/yaml.ts';
import type { InviteLinksFile, TranslationsFile } from '../files/schemas.ts';
import { type InviteLink, readDocuments, type Specification, type Translation } from './read-service.ts';
import { compareTexts, type Naming, readEach, type Reading, sortedByName } from './reading.ts';

/** The texts of openapi/*.yaml: the latest version of each specification, and the slugs of those without such a text. */
export async function readSpecifications(
  reading: Reading & Pick<Naming, 'warnings'>,
  list: readonly Specification[],
): Promise<{ texts: Map<string, string>; unread: string[] }> {
  const { warnings } = reading;
  for (const spec of list) {
    const problem = problemOf(spec);
    const result = spec.lastVersion === undefined ? 'it is left out' : 'the version before that is still used';
    if (problem !== undefined) warnings.push(`The specification ${spec.slug} ${problem}; ${result}.`);
  }
  const texts = await readEach(reading, 'specifications', list, async (spec) => {
    const documents = await readDocuments(reading, spec);
    if (!documents) return [];
    const [document, ...others] = documents;
    if (document && others.length === 0) return [[spec.slug, writeYaml(document[1])] as const];
    warnings.push(
      `The specification ${spec.slug} has ${documents.length} files, and is left out; "docsctl openapi download" writes them.`,
    );
    return [];
  });
  const read = sortedByName(texts.flat());
  return { texts: read, unread: list.map(({ slug }) => slug).filter((slug) => !read.has(slug)) };
}

/** What is wrong with the processing of a specification, in words that follow its name. */
function problemOf({ processingState, lastProcessErrorCode: code, lastVersion }: Specification): string | undefined {
  if (processingState !== 'complete') return `is still being processed (${processingState})`;
  if (code) return `failed to be processed when it was last published: ${processErrors[code]} (${code})`;
  return lastVersion === undefined ? 'has no version' : undefined;
}

/** translations.yaml */
export function translationsFile({ otherIds }: Naming, list: readonly Translation[]): TranslationsFile {
  for (const { title, id } of list) otherIds.set(`translation/${title}`, id);
  return {
    translations: list
      .toSorted((one, other) => compareTexts(one.createdAt, other.createdAt) || compareTexts(one.id, other.id))
      .map(({ title, languages }) => ({ title, languages })),
  };
}

/** invite-links.yaml: what the links give, and never what opens them. */
export function inviteLinksFile({ names, otherIds }: Naming, newestFirst: readonly InviteLink[]): InviteLinksFile {
  const list = newestFirst.toReversed();
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
