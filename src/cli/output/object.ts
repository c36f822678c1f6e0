import { cardText } from './card.ts';
import { hasMembers } from '../../shared/is-object.ts';
import { createCsvWriter, createIdWriter, createTsvWriter, tsvCell } from './delimited.ts';
import { fieldOf, fieldsFor, memberColumn, pickerOf, type Field } from './field.ts';
import { jqText } from './jq/load-jq.ts';
import { jsonText } from './json.ts';
import { createListOutput } from './list.ts';
import type { Column, OutputOptions, Sink } from './options.ts';
import { loadTitles, titled } from './titles.ts';
import { leavesOf, plainText } from './value.ts';
import { visibleLines } from '../../shared/visible.ts';
import { yamlText } from './yaml.ts';

/**
 * Prints one object: a card in a terminal; in a pipe one line per field, or the bare value of the one chosen column. An
 * array is printed as a list.
 */
export async function printObject(
  options: OutputOptions,
  object: unknown,
  columns: readonly Column[] | undefined,
  sink: Sink,
): Promise<void> {
  if (Array.isArray(object)) {
    const list = createListOutput(options, columns ?? [], sink);
    await list.page(object);
    return list.end();
  }
  const text = await textOf(options, object, columns ?? []);
  if (text !== '') await sink.write(text);
}

async function textOf(options: OutputOptions, object: unknown, columns: readonly Column[]): Promise<string> {
  const picked = () => (options.columns ? pickerOf(fieldsFor(options, columns, [object]))(object) : object);
  if (options.jq !== undefined) return jqText(picked() ?? null, options);
  switch (options.format) {
    case 'json':
      return `${jsonText(picked(), options)}\n`;
    case 'jsonl':
      return `${jsonText(picked(), { ...options, terminal: false })}\n`;
    case 'yaml':
      return yamlText(picked());
    case 'id':
      return createIdWriter(options, columns).page([object]);
  }
  // Lines of fields are for programs: they have the names and IDs of the API.
  if (options.format === undefined && !options.terminal) return fieldLines(options, object, columns);
  await loadTitles(options, columns, [object]);
  const shown = titled(options, columns);
  if (options.format !== 'tsv' && options.format !== 'csv') return cardText(shown.options, object, shown.columns);
  const createWriter = options.format === 'tsv' ? createTsvWriter : createCsvWriter;
  return createWriter(shown.options, columnsOf(object, shown.columns)).page([object]);
}

function columnsOf(object: unknown, columns: readonly Column[]): readonly Column[] {
  return columns.length > 0 ? columns : leavesOf(object).map(memberColumn);
}

function fieldLines(options: OutputOptions, object: unknown, columns: readonly Column[]): string {
  if (!hasMembers(object)) return `${tsvCell(plainText(object))}\n`;
  const isChosen = options.columns !== undefined || columns.length > 0;
  const fields = isChosen ? fieldsFor(options, columns, [object]) : columnsOf(object, []).map(fieldOf);
  const [only] = fields;
  // A script asks for one value to use it as it is. The output of a pipe often ends in a terminal.
  if (only && options.columns?.length === 1) return `${visibleLines(plainText(only.read(object), only.kind))}\n`;
  return fields.map((field) => fieldLine(field, object)).join('');
}

function fieldLine(field: Field, object: unknown): string {
  return `${tsvCell(field.key)}\t${tsvCell(plainText(field.read(object), field.kind))}\n`;
}
