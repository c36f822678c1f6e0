import { type Content, type OperationView, type Parameter, parameterPlaces, readOperation } from './operation.ts';
import type { NamedSchema, Operation, OperationGroup, Reference } from './reference.ts';
import { preferredContent } from './request.ts';
import { type Alternatives, readSchema, type SchemaNode, type SchemaView, type TypePart } from './schema.ts';
import { type SecurityChoice, securitySchemes } from './security.ts';
import { serversOf } from './servers.ts';

/** Rows of one table. The page of the schema has all fields. */
const maxRows = 60;
const maxDepth = 2;

/** The overview of an API. */
export function overviewMarkdown(reference: Reference): string {
  const { info } = reference;
  const text = typeof info['description'] === 'string' ? info['description'] : info['summary'];
  const servers = serversOf(reference).map(
    ({ url, description }) => `- ${code(url)}${description ? ` ${oneLine(description)}` : ''}`,
  );
  const schemes = securitySchemes(reference).map(({ name, kind }) => `- ${code(name)}: ${escaped(kind)}`);
  const groups = reference.groups.flatMap((group) => [`### ${escaped(group.title)}`, operationList(group)]);
  return paragraphs(
    info['version'] === undefined ? undefined : `Version ${code(String(info['version']))}`,
    typeof text === 'string' ? text : undefined,
    ...(servers.length > 0 ? ['## Servers', servers.join('\n')] : []),
    ...(schemes.length > 0 ? ['## Authentication', schemes.join('\n')] : []),
    ...(groups.length > 0 ? ['## Operations', ...groups] : []),
  );
}

const operationList = ({ operations }: OperationGroup): string =>
  operations
    .map(({ method, path, title }) => `- ${code(`${method.toUpperCase()} ${path}`)} ${escaped(title)}`)
    .join('\n');

/** @param isList whether the operations have separate pages */
export const groupMarkdown = (reference: Reference, group: OperationGroup, isList: boolean): string =>
  paragraphs(
    group.description,
    ...(isList
      ? [operationList(group)]
      : group.operations.flatMap((operation) => [
          `## ${escaped(operation.title)}`,
          operationMarkdown(reference, operation, 3),
        ])),
  );

/** A summary of an operation: address, parameters, body and responses. @param level of the headings */
export function operationMarkdown(reference: Reference, operation: Operation, level: number): string {
  const view = readOperation(reference, operation);
  const { description, parameters, body, responses } = view;
  const heading = (title: string) => `${'#'.repeat(level)} ${title}`;
  const server = operation.kind === 'operation' ? (view.servers[0]?.filled ?? '') : '';
  const content = body && preferredContent(body.contents);
  return paragraphs(
    code(`${operation.method.toUpperCase()} ${server}${operation.path}`),
    operation.isDeprecated
      ? `**Deprecated.**${view.sunset === undefined ? '' : ` It will be removed on ${view.sunset}.`}`
      : undefined,
    description,
    authentication(view),
    ...(parameters.length > 0 ? [heading('Parameters'), parameterTable(reference, parameters)] : []),
    ...(body
      ? [
          heading(operation.kind === 'webhook' ? 'Body that is sent' : 'Request body'),
          body.description,
          content && `${code(content.type)}${body.isRequired ? ' (required)' : ''}`,
          content && fieldTable(reference, content.schema),
        ]
      : []),
    ...(responses.length > 0 ? [heading('Responses'), responseTable(reference, view)] : []),
    ...answerFields(reference, view),
    ...callbackParts(reference, view, level),
  );
}

function callbackParts(reference: Reference, { callbacks }: OperationView, level: number): (string | undefined)[] {
  if (callbacks.length === 0) return [];
  const heading = (title: string, deeper: number) => `${'#'.repeat(Math.min(6, level + deeper))} ${title}`;
  return [
    heading('Callbacks', 0),
    ...callbacks.flatMap(({ name, method, path, title, description, body }) => {
      const content = body && preferredContent(body.contents);
      return [
        heading(escaped(name), 1),
        code(`${method.toUpperCase()} ${path}`),
        title,
        description,
        content && code(content.type),
        content && fieldTable(reference, content.schema),
      ];
    }),
  ];
}

/** The fields of a schema. */
export const schemaMarkdown = (reference: Reference, { node }: NamedSchema): string => {
  const view = readSchema(reference, node);
  return paragraphs(view.description, `Type: ${escaped(typeText(view))}`, facts(view), fieldTable(reference, node));
};

export const schemasMarkdown = (reference: Reference): string =>
  [...reference.schemas.keys()].map((name) => `- ${escaped(name)}`).join('\n');

function authentication({ security }: OperationView): string | undefined {
  if (security.length === 0) return undefined;
  const words = (choice: SecurityChoice): string =>
    choice.length === 0
      ? 'nothing'
      : choice
          .map(({ scheme, scopes }) => {
            const kind = scheme.kind === 'unknown' ? scheme.name : scheme.kind;
            return scopes.length === 0 ? escaped(kind) : `${escaped(kind)} with ${scopes.map(code).join(' ')}`;
          })
          .join(' and ');
  return `Authentication: ${security.map(words).join(', or ')}`;
}

function parameterTable(reference: Reference, parameters: readonly Parameter[]): string {
  const sorted = parameterPlaces.flatMap((place) => parameters.filter((parameter) => parameter.in === place));
  return table(
    ['Name', 'In', 'Type', 'Description'],
    sorted.map(({ name, in: place, schema, isRequired, isDeprecated, description, problem }) => {
      const view = schema === undefined ? undefined : readSchema(reference, schema);
      const marks = [...(isRequired ? ['required'] : []), ...(isDeprecated ? ['deprecated'] : [])];
      const type = [view ? typeText(view) : '', ...marks].filter(Boolean).join(', ');
      const about = [problem, description ?? view?.description, view && facts(view)];
      return [code(name), place, escaped(type), cell(about)];
    }),
  );
}

function responseTable(reference: Reference, { responses }: OperationView): string {
  return table(
    ['Status', 'Description', 'Content'],
    responses.map(({ status, description, contents, problem }) => [
      status === 'default' ? 'Other' : code(status),
      cell([problem, description]),
      contents.map((content) => contentText(reference, content)).join(' '),
    ]),
  );
}

function contentText(reference: Reference, { type, schema }: Content): string {
  if (schema === undefined) return code(type);
  const view = readSchema(reference, schema);
  return `${code(type)} ${escaped(view.name ?? typeText(view))}`;
}

/** The fields of the first success response. */
function answerFields(reference: Reference, { responses }: OperationView): (string | undefined)[] {
  const answer = responses.find(({ status }) => status.startsWith('2'));
  const content = answer && preferredContent(answer.contents);
  const fields = content && fieldTable(reference, content.schema);
  return fields === undefined ? [] : [`Fields of ${code(answer?.status ?? '')}:`, fields];
}

function fieldTable(reference: Reference, schema: SchemaNode | undefined): string | undefined {
  if (schema === undefined) return undefined;
  const rows: string[][] = [];
  const view = readSchema(reference, schema);
  addRows(reference, { view, prefix: '', depth: 0, within: new Set() }, rows);
  const parts = [
    ...alternativesText(reference, view),
    ...(rows.length > 0 ? [table(['Field', 'Type', 'Description'], rows.slice(0, maxRows))] : []),
    ...(rows.length > maxRows ? ['More fields are not shown.'] : []),
  ];
  return parts.length === 0 ? undefined : paragraphs(...parts);
}

interface Level {
  view: SchemaView;
  /** Names of the fields around it, with a dot at the end. */
  prefix: string;
  depth: number;
  /** Named schemas around it. */
  within: ReadonlySet<string>;
}

function addRows(reference: Reference, { view, prefix, depth, within }: Level, rows: string[][]): void {
  const inner = { depth, prefix, within: view.name === undefined ? within : new Set([...within, view.name]) };
  if (view.items !== undefined && view.properties.length === 0) {
    const items = readSchema(reference, view.items);
    if (items.name === undefined || !within.has(items.name)) {
      const item = `${prefix.replace(/\.$/, '')}[]`;
      const choices = alternativesText(reference, items);
      if (choices.length > 0) rows.push([code(item), escaped(nameText(items)), cell(choices)]);
      addRows(reference, { ...inner, view: items, prefix: `${item}.` }, rows);
    }
  }
  for (const { name, isRequired, schema } of view.properties) {
    if (rows.length > maxRows) return;
    const field = readSchema(reference, schema);
    const type = [nameText(field), ...(isRequired ? ['required'] : []), ...field.marks].join(', ');
    const about = [field.problem, field.description, facts(field), ...alternativesText(reference, field)];
    rows.push([code(prefix + name), escaped(type), cell(about)]);
    // The fields of a schema within itself are already listed.
    if (depth >= maxDepth || (field.name !== undefined && inner.within.has(field.name))) continue;
    addRows(reference, { ...inner, view: field, prefix: `${prefix}${name}.`, depth: depth + 1 }, rows);
  }
}

const alternativeWords: Partial<Record<Alternatives['keyword'], string>> = { oneOf: 'One of', anyOf: 'Any of' };

/** The alternatives of a schema, by name. */
const alternativesText = (reference: Reference, { alternatives }: SchemaView): string[] =>
  alternatives.map(({ keyword, schemas }) => {
    const names = schemas.slice(0, 20).map(({ title, schema }) => {
      const alternative = readSchema(reference, schema);
      return escaped(title ?? alternative.name ?? typeText(alternative));
    });
    const more = schemas.length > names.length ? ` and ${schemas.length - names.length} more` : '';
    return `${alternativeWords[keyword] ?? code(keyword)}: ${names.join(', ')}${more}.`;
  });

const partText = (part: TypePart): string => (typeof part === 'string' ? part : part.schema);
const typeText = ({ type }: SchemaView): string => type.map(partText).join('');

/** The name of a schema if it says more than the type, which may only be `object` or `one of`. */
const nameText = (view: SchemaView): string =>
  view.name !== undefined && /^(?:object|one of|any of|all of)/.test(typeText(view)) ? view.name : typeText(view);

function facts({ constraints, values, facts: given }: SchemaView): string | undefined {
  const words = [
    ...(constraints.length > 0 ? [`Limits: ${escaped(constraints.join('; '))}.`] : []),
    ...(values.length > 0
      ? [
          `One of ${values
            .slice(0, 24)
            .map(({ value }) => code(value))
            .join(' ')}${values.length > 24 ? ' ...' : ''}.`,
        ]
      : []),
    ...given
      .filter(({ label }) => label !== 'example')
      .map(({ label, value }) => `${label === 'default' ? 'Default' : 'Always'} ${code(value.slice(0, 100))}.`),
  ];
  return words.length === 0 ? undefined : words.join(' ');
}

/** Omits empty columns. */
function table(head: string[], rows: string[][]): string {
  const isShown = (_: string, column: number) => rows.some((cells) => cells[column] !== '');
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => cells.filter(isShown));
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Texts in a table cell, on one line. */
const cell = (texts: readonly (string | undefined)[]): string =>
  texts
    .filter((text) => text !== undefined && text !== '')
    .map((text) => shortened(oneLine(text ?? '')))
    .join(' ')
    .replaceAll(/(?<!\\)\|/g, '\\|');

const maxCell = 600;

/** Ends after a word, and not within code or a link, which would leave their markup visible. */
function shortened(text: string): string {
  if (text.length <= maxCell) return text;
  let end = text.lastIndexOf(' ', maxCell);
  if (end < maxCell / 2) end = maxCell;
  const before = text.slice(0, end);
  const openCode = before.split('`').length % 2 === 0 ? before.lastIndexOf('`') : end;
  const link = before.lastIndexOf('[');
  const openLink = link > before.lastIndexOf(')') ? link : end;
  return `${before.slice(0, Math.min(openCode, openLink)).trimEnd()} …`;
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** Plain text of a description, escaped for Markdown. */
const escaped = (text: string): string => oneLine(text).replaceAll(/[\\`*_[\]<>|{}]/g, String.raw`\$&`);

/** A text as code. A bar would end a table cell, so it is escaped. */
function code(text: string): string {
  const fence = text.includes('`') ? '``' : '`';
  const shown = oneLine(text).replaceAll('|', '\\|');
  return shown === '' ? '' : fence === '`' ? `\`${shown}\`` : `${fence} ${shown} ${fence}`;
}

const paragraphs = (...parts: (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part.trim() !== '').join('\n\n');
