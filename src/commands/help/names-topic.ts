import { type ObjectKind, objects } from '../../contract/objects.ts';

const kinds: ObjectKind[] = Object.values(objects);

/** The nouns of all kinds with such names, in lines of a help topic. */
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

export const names = () => `Wherever a command takes the id of an object, it takes a name, too: in
arguments, flags, variables, .docsctl.yaml, settings and CSV files.

  id                  of everything
  address             copied from the browser or from "urls" in JSON; the
                      organization, space and site in it count as given
  e-mail address, @me members
  number, #number     change requests
  title               ${nounsOf(({ noun, names: { title } = {} }) => title !== undefined && noun !== 'member')}
  path or slug        ${nounsOf(({ names: { path } = {}, pathKey }) => path !== undefined || pathKey === 'slug')}

Case does not matter, and a title must be given in full. id:X, title:X and
path:X say what X is. After a kind, as in --before section:API, a name works
too.

  docsctl spaces edit "API guides" --emoji 🔧
  docsctl teams members set Writers ada@lumen.example --role owner
  docsctl cr merge https://docs.example/o/lumen/s/handbook0001/cr/42

A value that may be an id is sent as it is: commands with ids send no further
requests, which is best for scripts. It is looked up only if the service does
not know it. A name that several objects have is an error (status 2) that lists
them, and one that no object has is status 5 with the nearest names; nothing is
changed then. So is a filter that names nobody, such as --contributor.
`;
