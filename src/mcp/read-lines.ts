import { StringDecoder } from 'node:string_decoder';

/** A line of the input; `tooLong` if it was longer than allowed, and is therefore not kept. */
export type Line = { text: string } | { tooLong: true };

/** The lines of a stream, of which none takes more memory than `maxCharacters`. Empty lines are left out. */
export async function* readLines(input: AsyncIterable<Uint8Array>, maxCharacters: number): AsyncGenerator<Line> {
  const decoder = new StringDecoder('utf8');
  let begun = '';
  let isTooLong = false;
  for await (const chunk of input) {
    const parts = decoder.write(Buffer.from(chunk)).split('\n');
    for (const [index, part] of parts.entries()) {
      if (!isTooLong) begun += part;
      if (begun.length > maxCharacters) {
        begun = '';
        isTooLong = true;
      }
      if (index === parts.length - 1) break;
      if (isTooLong) yield { tooLong: true };
      else if (begun.trim() !== '') yield { text: begun };
      begun = '';
      isTooLong = false;
    }
  }
  // A client that closes the pipe may leave out the last line break.
  if (isTooLong) yield { tooLong: true };
  else if (begun.trim() !== '') yield { text: begun };
}
