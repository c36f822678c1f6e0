import type { TreeIssue } from '../../content/tree/read-tree.ts';
import { newId } from '../../store/ids.ts';
import type { RawText, RawTexts, ReadText } from './documents.ts';
import { Invalid } from '../engine/errors.ts';
import type { TextInput, TextOutput, TextTask } from '../text/tasks.ts';

/** Does work on a text, in a worker where it is long. @param what is read, for the message of an error */
export type TextWork = <N extends TextTask>(name: N, input: TextInput<N>, what: string) => Promise<TextOutput<N>>;

export interface NewText extends ReadText {
  id: string;
}

interface PlacedText {
  text: RawText;
  /** Where it stands in the body, or what it is the text of. */
  path: string;
}

/**
 * Reads texts once for all that is ever asked of them, in parts: the limits of time and memory hold for each.
 *
 * @throws Invalid for trees that are none; DomainError `too-complex` beyond the limits
 */
export async function readTexts(
  placed: PlacedText[],
  names: Pick<RawTexts, 'pages' | 'files'>,
  work: TextWork,
): Promise<(NewText | null)[]> {
  const texts: (NewText | null)[] = [];
  for (const part of partsOf(placed)) {
    const what = `The text of ${part[0]!.path}${part.length > 1 ? ' or one that follows it' : ''}`;
    const outcomes = await work('readTexts', { texts: part.map(({ text }) => text), ...names }, what);
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome && 'faults' in outcome) throw invalidTree(part[index]!.path, outcome.faults);
      texts.push(outcome && { ...outcome, id: newId() });
    }
  }
  return texts;
}

const invalidTree = (path: string, faults: TreeIssue[]) =>
  new Invalid(faults.map((fault) => ({ in: 'body', path: path + fault.path, rule: 'type', message: fault.message })));

/** Characters that are read in one go; each text takes some time for itself. */
const partLength = 100_000;
const textOverhead = 500;

function* partsOf(placed: PlacedText[]): Generator<PlacedText[]> {
  let part: PlacedText[] = [];
  let length = 0;
  for (const each of placed) {
    const { text } = each;
    const size = 'markdown' in text ? text.markdown.length : JSON.stringify(text.tree).length;
    if (part.length > 0 && length + size > partLength) {
      yield part;
      part = [];
      length = 0;
    }
    part.push(each);
    length += size + textOverhead;
  }
  if (part.length > 0) yield part;
}
