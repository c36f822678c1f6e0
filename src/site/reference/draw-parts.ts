import type { Element, ElementContent } from 'hast';
import { element, text } from '../../content/html/hast.ts';
import {
  type Body,
  type Content,
  isJson,
  type Parameter,
  parameterPlaces,
  type Response,
} from '../../openapi/reference/index.ts';
import { drawFieldOfSchema, drawSchema, fact, mark, problemLine, spaced } from './draw-schema.ts';
import { h } from './elements.ts';
import type { DrawTools } from './tools.ts';

export const methodLabel = (method: string): Element =>
  element('span', { className: ['method', `method-${method.toLowerCase().replaceAll(/[^a-z]/g, '')}`] }, [
    text(method.toUpperCase()),
  ]);

export interface Under {
  level: number;
  /** Of the operation: anchors of its parts begin with it. */
  anchor: string;
}

const placeTitles: Record<Parameter['in'], string> = {
  path: 'Path parameters',
  query: 'Query parameters',
  header: 'Headers',
  cookie: 'Cookies',
};

export function drawParameters(tools: DrawTools, parameters: Parameter[], { level, anchor }: Under): ElementContent[] {
  return parameterPlaces.flatMap((place) => {
    const here = parameters.filter((parameter) => parameter.in === place);
    if (here.length === 0) return [];
    const title = placeTitles[place];
    return [partTitle(level, title, `${anchor}-${place}`), drawParameterList(tools, here)];
  });
}

/** Parts of an operation have anchors, but no place in the outline of the page. */
export const partTitle = (level: number, title: string, id: string): Element =>
  element(`h${level}`, { id, className: ['api-part'] }, [text(title)]);

const drawParameterList = (tools: DrawTools, parameters: Parameter[]): Element =>
  h(
    'ul.api-fields',
    parameters.map((parameter) => drawParameter(tools, parameter)),
  );

function drawParameter(tools: DrawTools, parameter: Parameter): Element {
  const { name, schema, description, isRequired, isDeprecated, examples, problem } = parameter;
  const field = schema === undefined ? undefined : drawFieldOfSchema(tools, schema);
  const head = [
    h('code.api-name', name),
    ...(field ? [h('span.api-type', field.type)] : []),
    ...(isRequired ? [mark('required')] : []),
    ...(isDeprecated ? [mark('deprecated')] : []),
  ];
  const given = examples.slice(0, 3).map((example) => h('code', example.slice(0, 300)));
  return h('li.api-field', [
    h('div.api-field-head', spaced(head)),
    ...(problem === undefined ? [] : [problemLine(problem)]),
    ...tools.markdown(description ?? field?.view.description),
    ...(field?.facts ?? []),
    ...(given.length > 0 ? [fact(given.length > 1 ? 'Examples' : 'Example', spaced(given))] : []),
  ]);
}

export function drawBody(
  tools: DrawTools,
  body: Body,
  { level, anchor, isSent }: Under & { isSent: boolean },
): ElementContent[] {
  const title = isSent ? 'Body that is sent' : 'Request body';
  return [
    partTitle(level, title, `${anchor}-body`),
    ...(body.problem === undefined ? [] : [problemLine(body.problem)]),
    ...tools.markdown(body.description),
    ...drawContents(tools, body.contents, body.isRequired ? [mark('required')] : []),
  ];
}

/** The schemas of contents; those that have the same one are shown once. */
function drawContents(tools: DrawTools, contents: Content[], marks: ElementContent[] = []): ElementContent[] {
  const groups = Map.groupBy(
    contents,
    ({ schema }) => tools.reference.nameOf(schema) ?? JSON.stringify(schema)?.slice(0, 5000),
  );
  return [...groups.values()].flatMap((same) => {
    const types = same.map(({ type }) => h('code', type));
    const line = h('p.api-content-type', spaced([...types, ...marks]));
    const [{ schema } = { schema: undefined }] = same;
    return [line, ...(schema === undefined ? [] : drawSchema(tools, schema))];
  });
}

const isSuccess = (status: string): boolean => status.startsWith('2');

export function drawResponses(tools: DrawTools, responses: Response[], { level, anchor }: Under): ElementContent[] {
  if (responses.length === 0) return [];
  const first = responses.find(({ status }) => isSuccess(status)) ?? responses[0];
  const drawn = responses.map((response) => drawResponse(tools, response, response === first));
  return [partTitle(level, 'Responses', `${anchor}-responses`), ...drawn];
}

function drawResponse(tools: DrawTools, response: Response, isOpen: boolean): Element {
  const { status, description = '', headers, contents, problem } = response;
  const kind = isSuccess(status) ? 'good' : /^[45]/.test(status) ? 'bad' : 'other';
  const [firstLine = '', ...more] = description.trim().split('\n');
  const isPlain = !/[*_`[\]<>]/.test(firstLine) && firstLine.length < 120;
  const label = status === 'default' ? 'Other' : status;
  const summary = [
    element('span', { className: ['api-status', `api-status-${kind}`] }, [text(label)]),
    text(' '),
    h('span', isPlain ? firstLine : (reasonOf(status) ?? '')),
  ];
  const rest = isPlain ? more.join('\n').trim() : description;
  const content = [
    ...(problem === undefined ? [] : [problemLine(problem)]),
    ...(rest === '' ? [] : tools.markdown(rest)),
    ...(headers.length > 0 ? [h('p.api-label', 'Headers'), drawParameterList(tools, headers)] : []),
    ...drawContents(tools, contents),
  ];
  if (content.length === 0) return h('div.api-response.api-response-plain', [h('p', summary)]);
  return element('details', { className: ['api-response'], ...(isOpen && { open: true }) }, [
    h('summary', summary),
    ...content,
  ]);
}

const reasons: Record<string, string> = {
  '200': 'OK', '201': 'Created', '202': 'Accepted', '204': 'No content', '301': 'Moved permanently', '302': 'Found',
  '304': 'Not modified', '400': 'Bad request', '401': 'Unauthorized', '403': 'Forbidden', '404': 'Not found',
  '409': 'Conflict', '410': 'Gone', '415': 'Unsupported media type', '422': 'Unprocessable content',
  '429': 'Too many requests', '500': 'Internal server error', '503': 'Service unavailable',
}; // prettier-ignore
const reasonOf = (status: string): string | undefined => reasons[status];

export const sideTitle = (title: string): Element => h('p.api-label', title);

export interface Tab {
  title: string;
  content: ElementContent[];
}

/** One panel needs no tabs. */
export function tabs(panels: Tab[]): Element {
  return h(
    'div.tabs',
    panels.map(({ title, content }) => h('section.tab-panel', [h('p.tab-title', title), ...content])),
  );
}

/** Longer examples say no more. */
const maxExampleLength = 12_000;

export function exampleTabs(tools: DrawTools, contents: Content[], label?: string): Tab[] {
  return contents.flatMap(({ type, examples }) =>
    examples.slice(0, 6).map(({ title, value, address, description }): Tab => {
      const name = examples.length > 1 ? title : contents.length > 1 ? type : (label ?? title);
      const shownTitle = label !== undefined && examples.length > 1 ? `${label} ${title}` : name;
      if (value === undefined) return { title: shownTitle, content: tools.markdown(`<${address ?? ''}>`) };
      const code = typeof value === 'string' && !isJson(type) ? value : JSON.stringify(value, null, 2);
      const shown = code.length > maxExampleLength ? `${code.slice(0, maxExampleLength)}\n…` : code;
      const language = isJson(type) || typeof value !== 'string' ? 'json' : /xml/i.test(type) ? 'xml' : 'text';
      return { title: shownTitle, content: [...tools.markdown(description), tools.code(shown, language)] };
    }),
  );
}
