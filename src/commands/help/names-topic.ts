import { type ObjectKind, objects } from '../../contract/objects.ts';

const kinds: ObjectKind[] = Object.values(objects);

/** The kinds of objects with such names, wrapped for a help topic. */
function nounsOf(hasName: (kind: ObjectKind) => boolean): string {
  const nouns = kinds.filter(hasName).map(({ noun }) => (noun.endsWith('s') ? noun : `${noun}s`));
  const lines = [''];
  for (const [index, noun] of nouns.entries()) {
    const word = index < nouns.length - 1 ? `${noun},` : noun;
    const line = lines.at(-1) ?? '';
    if (line.length + word.length > 55) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.join(`\n${' '.repeat(22)}`);
}

export const names = () => `You can use a name anywhere an ID is accepted: in arguments, flags, variables,
.docsctl.yaml, settings and CSV files.

  ID                  every object
  address             copied from the browser, or from "urls" in JSON; it also
                      selects the organization, space and site
  email address, @me  members
  number, #number     change requests
  title               ${nounsOf(({ noun, names: { title } = {} }) => title !== undefined && noun !== 'member')}
  path or slug        ${nounsOf(({ names: { path } = {}, pathKey }) => path !== undefined || pathKey === 'slug')}

Case does not matter, but titles must be complete. id:X, title:X and path:X say
what X is. You can also use a name after a kind, as in --before section:API.

  docsctl spaces edit "API guides" --emoji 🔧
  docsctl teams members set Writers ada@lumen.example --role owner
  docsctl cr merge https://docs.example/o/lumen/s/handbook0001/cr/42

Values that look like IDs are sent unchanged, so commands with IDs need no
further requests; use IDs in scripts. docsctl looks up such a value only if the
service does not know it. An ambiguous name is an error (status 2) that lists
the candidates. An unknown name, also in a filter such as --contributor, is an
error (status 5) that lists similar names. In both cases, nothing is changed.
`;
