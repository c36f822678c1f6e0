export type Block = { kind: 'text'; text: string } | { kind: 'literal'; lines: string[] };

/** The paragraphs of a help text; indented lines stay unchanged. */
export function blocksOf(text: string): Block[] {
  return text
    .split(/\n{2,}/)
    .filter((part) => part.trim() !== '')
    .map((part) => {
      const lines = part.replace(/^\n+/, '').trimEnd().split('\n');
      return lines.every((line) => /^\s/.test(line))
        ? { kind: 'literal', lines: dedented(lines) }
        : { kind: 'text', text: lines.map((line) => line.trim()).join(' ') };
    });
}

function dedented(lines: string[]): string[] {
  const indent = Math.min(...lines.map((line) => line.search(/\S/)));
  return lines.map((line) => line.slice(indent).trimEnd());
}
