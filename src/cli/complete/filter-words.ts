import type { Command } from '../command/command.ts';
import type { FieldType, Operator } from '../command/filter/types.ts';
import type { Line } from './command-line.ts';
import type { Suggestion } from './objects.ts';

/** The fields of the items that a command line lists. */
async function fieldsOfLine(command: Command, { flags }: Line) {
  const { itemFieldsOf } = await import('../command/filter/selection.ts');
  const endpoint = (flags.cr === undefined ? undefined : command.changeRequestEndpoint) ?? command.endpoint;
  return itemFieldsOf(command, endpoint);
}

/** Words for `--filter`: a field; once it is clear which one, the operators; then the values that it may have. */
export async function filterWords(command: Command, line: Line, begun: string): Promise<Suggestion[]> {
  const { paths, typeOf } = await fieldsOfLine(command, line);
  const [, field = '', behind = ''] = /^\s*([^\s=!<>~]*)\s*([=!<>~]*\s*)/.exec(begun) ?? [];
  const operator = behind.trim();
  if (operator === '') {
    const candidates = paths.filter((path) => path.startsWith(field));
    const only = candidates.includes(field) ? field : candidates.length === 1 ? candidates[0] : undefined;
    const type = only === undefined ? undefined : typeOf(only);
    return words([
      ...(type ? operatorsOf(type).map((sign) => `${only}${sign}`) : []),
      ...candidates.filter((path) => path !== only),
    ]);
  }
  const type = typeOf(field);
  const prefix = begun.slice(0, begun.length - begun.trimStart().length + begun.trimStart().search(/[=!<>~]/)) + behind;
  return words(type ? valuesOf(type, operator).map((value) => prefix + value) : []);
}

function operatorsOf({ kind, ranks }: FieldType): readonly Operator[] {
  if (kind === 'boolean') return ['=', '!='];
  if (kind === 'word' && !ranks) return ['=', '!=', '~'];
  return kind === 'number' || kind === 'date' || ranks
    ? ['=', '!=', '<', '<=', '>', '>=']
    : ['=', '!=', '~', '<', '<=', '>', '>='];
}

function valuesOf({ kind, words: choices = [], nullable, nullWord }: FieldType, operator: string): string[] {
  if (operator === '~') return [];
  const isEquality = operator === '=' || operator === '!=';
  return [
    ...(kind === 'boolean' ? ['true', 'false'] : choices),
    ...(nullWord === undefined ? [] : [nullWord]),
    ...(isEquality && nullable && nullWord === undefined ? ['null'] : []),
  ];
}

/** Words for `--sort-by`: a field; once it is clear which one, also in descending order. */
export async function sortWords(command: Command, line: Line, begun: string): Promise<Suggestion[]> {
  const { paths, typeOf } = await fieldsOfLine(command, line);
  const [field = ''] = begun.split(':', 1);
  const candidates = paths.filter((path) => path.startsWith(field) && !typeOf(path)?.many);
  const only = candidates.includes(field) ? field : candidates.length === 1 ? candidates[0] : undefined;
  return words([...candidates, ...(only === undefined ? [] : [`${only}:desc`])]);
}

const words = (values: readonly string[]): Suggestion[] => values.map((value) => ({ value, description: '' }));
