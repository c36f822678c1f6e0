import { decodeAddress } from '../../shared/decode.ts';
import { trimSlashes } from '../../shared/trim-slashes.ts';
import { isObject } from '../../shared/is-object.ts';
import { readYaml, UnreadableYaml } from '../../shared/yaml.ts';
import type { FolderProblem } from './problem.ts';

/** A redirect from an old address. */
export interface Redirect {
  /** Without slashes at its ends. */
  source: string;
  /** A file from the root of the space, possibly with an anchor, or an address. */
  target: string;
  line: number;
}

/**
 * Reads the redirects of a `.gitbook.yaml`. Returns its text without repeated sources, which are not valid YAML.
 */
export function readRedirects(
  file: string,
  text: string,
): { redirects: Redirect[]; text: string; problems: FolderProblem[] } {
  const lines = text.split(/\r?\n/);
  const problems: FolderProblem[] = [];
  const places = new Map<string, number>();
  for (const { source, line } of redirectLines(lines)) {
    const first = places.get(source);
    if (first === undefined) {
      places.set(source, line);
      continue;
    }
    lines[line - 1] = '';
    const message = `The redirect of ${source} is already on line ${first}.`;
    problems.push({ file, line, rule: 'redirect-repeated', level: 'error', message });
  }
  const left = lines.join('\n');
  const redirects = valuesIn(left).flatMap(([key, target]): Redirect[] => {
    const source = normalSource(key);
    return typeof target === 'string' ? [{ source, target, line: places.get(source) ?? 1 }] : [];
  });
  return { redirects, text: left, problems };
}

const normalSource = (source: string): string => trimSlashes(decodeAddress(source));

function valuesIn(text: string): [string, unknown][] {
  try {
    const value = readYaml(text);
    return isObject(value) && isObject(value.redirects) ? Object.entries(value.redirects) : [];
  } catch (error) {
    // The reader of the other settings reports it.
    if (error instanceof UnreadableYaml) return [];
    throw error;
  }
}

/** The keys below `redirects:`, with their lines. */
function* redirectLines(lines: readonly string[]): Generator<{ source: string; line: number }> {
  const start = lines.findIndex((line) => /^redirects:\s*(?:#.*)?$/.test(line));
  if (start === -1) return;
  for (const [index, text] of lines.entries()) {
    if (index <= start || /^\s*(?:#.*)?$/.test(text)) continue;
    if (!/^\s/.test(text)) return;
    const key = /^(?:"([^"]*)" *:|'([^']*)' *:|([^\s"'#:][^:]*):)(?:\s|$)/.exec(text.trim());
    if (key) yield { source: normalSource(key[1] ?? key[2] ?? key[3]?.trim() ?? ''), line: index + 1 };
  }
}
