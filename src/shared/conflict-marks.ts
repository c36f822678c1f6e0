/** The rule that a file with conflict marks breaks, and what to do about it. */
export const conflictRule = 'conflict-marks';
export const conflictMessage = 'The file has conflict marks: resolve the merge conflict first.';
/** The same rule, for a file that has no marks, such as one that was changed on one side and deleted on the other. */
export const unmergedMessage =
  'Git has not finished merging the file: resolve the conflict and run "git add" or "git rm".';

/**
 * The line, from 1, where a merge conflict begins: `<<<<<<<`, followed by a line `=======` and one with `>>>>>>>`, each at
 * the start of its line. Undefined if there is none.
 *
 * In Markdown, marks that are all in the same fenced code block are an example, not a conflict.
 */
export function conflictLine(text: string, { isMarkdown = false } = {}): number | undefined {
  // Almost no file has any.
  if (!/^<{7}(?: |\r?$)/m.test(text)) return undefined;
  let fence: Fence | undefined;
  let conflict: { line: number; fence: Fence | undefined; hasMiddle: boolean } | undefined;
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
    if (isMark('<', line)) {
      // A conflict outside of code blocks may have code blocks with examples in it.
      if (!conflict || conflict.fence) conflict = { line: index + 1, fence, hasMiddle: false };
    } else if (conflict && /^={7}\s*$/.test(line)) conflict.hasMiddle = true;
    else if (conflict?.hasMiddle && isMark('>', line)) {
      if (!conflict.fence || conflict.fence !== fence) return conflict.line;
      conflict = undefined;
    } else if (isMarkdown) fence = fenceAfter(fence, line);
  }
  return undefined;
}

interface Fence {
  mark: string;
}

const isMark = (sign: '<' | '>', line: string): boolean =>
  line.startsWith(sign.repeat(7)) && (line.length === 7 || line[7] === ' ');

/** The code block that the next line is in. A fence is closed by one of the same character that is as long, or longer. */
function fenceAfter(fence: Fence | undefined, line: string): Fence | undefined {
  const [indented = '', mark] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
  if (mark === undefined) return fence;
  const rest = line.slice(indented.length);
  if (!fence) return mark.startsWith('`') && rest.includes('`') ? undefined : { mark };
  return mark.startsWith(fence.mark) && rest.trim() === '' ? undefined : fence;
}
