import type { TreeIssue } from '../../../content/tree/read-tree.ts';
import { newId } from '../../../store/ids.ts';
import type { RawText, RawTexts, ReadText } from './documents.ts';
import { Invalid } from '../../engine/errors.ts';
import type { TextInput, TextOutput, TextTask } from '../../text/tasks.ts';

/** Does work on a text, in a worker if it is long. @param what names the text in error messages */
export type TextWork = <N extends TextTask>(name: N, input: TextInput<N>, what: string) => Promise<TextOutput<N>>;

export interface NewText extends ReadText {
  id: string;
}

interface PlacedText {
  text: RawText;
  /** Its place in the body, or a name for it. */
  path: string;
}

/**
 * Reads texts once, with all that later requests need of them, in parts: each has the limits of time and memory.
 *
 * @throws Invalid for invalid trees; DomainError `too-complex` beyond the limits
 */
export async function readTexts(
  placed: PlacedText[],
  names: Pick<RawTexts, 'pages' | 'files'>,
  work: TextWork,
): Promise<(NewText | null)[]> {
  const texts: (NewText | null)[] = [];
  const start = (part: Part) => {
    const [first] = part;
    const what = `The text of ${first.path}${part.length > 1 ? ' or one after it' : ''}`;
    const results = work('readTexts', { texts: part.map(({ text }) => text), ...names }, what);
    // It is awaited in its turn, and not at all if one before it failed.
    results.catch(() => {});
    return { part, results };
  };
  const parts = [...partsOf(placed)];
  const running = parts.splice(0, ahead).map(start);
  for (let next = running.shift(); next; next = running.shift()) {
    const { part } = next;
    const results = await next.results;
    running.push(...parts.splice(0, 1).map(start));
    for (const [index, result] of results.entries()) {
      if (result && 'issues' in result) throw invalidTree(part[index]?.path ?? '', result.issues);
      texts.push(result && { ...result, id: newId() });
    }
  }
  return texts;
}

const invalidTree = (path: string, issues: TreeIssue[]) =>
  new Invalid(issues.map((issue) => ({ in: 'body', path: path + issue.path, rule: 'type', message: issue.message })));

/** Characters that are read at once. Each text also takes some time whatever its length. */
const partLength = 100_000;
const textOverhead = 500;
/** Parts that are read at the same time. */
const ahead = 2;

type Part = [PlacedText, ...PlacedText[]];

function* partsOf(texts: PlacedText[]): Generator<Part> {
  let part: Part | undefined;
  let length = 0;
  for (const placed of texts) {
    const { text } = placed;
    const size = 'markdown' in text ? text.markdown.length : JSON.stringify(text.tree).length;
    if (part && length + size > partLength) {
      yield part;
      part = undefined;
      length = 0;
    }
    if (part) part.push(placed);
    else part = [placed];
    length += size + textOverhead;
  }
  if (part) yield part;
}
