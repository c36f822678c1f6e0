export class Violation extends Error {}

/** A command line. A comma without a space would begin another command of a sequence. */
export const lineText = (words: readonly string[]): string => {
  const quoted = words.map((word) => (/^[\w.:=@/-]+$/.test(word) ? word : `'${word.replaceAll(',', ', ')}'`));
  return `docsctl ${quoted.join(' ')}`;
};

export const listed = (lines: readonly string[]): string =>
  lines
    .slice(0, 12)
    .map((line) => `\n  ${line}`)
    .join('');

interface Ran {
  status: number;
  stdout: string;
  stderr: string;
}

/** Prints a command line and its output, with MODELS_VERBOSE. */
export function showRun(words: readonly string[], { status, stderr, stdout }: Ran): void {
  if (process.env.MODELS_VERBOSE) console.log(`$ ${lineText(words)}\n  status ${status} ${stderr}${stdout}`);
}
