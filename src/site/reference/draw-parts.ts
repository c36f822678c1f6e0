import type { Element, ElementContent } from 'hast';
import { element, text } from '../../content/html/hast.ts';
import {
  type Body,
  type Content,
  firstVariant,
  isJson,
  type Parameter,
  parameterPlaces,
  preferredContent,
  type Response,
  variantsOf,
} from '../../openapi/reference/index.ts';
import { drawFieldOfSchema, drawSchema, fact, mark, problemLine, spaced } from './draw-schema.ts';
import { drawSwitch, group } from './controls.ts';
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
  /** The kind of the choice between its contents. Only the parts of the operation itself have one, not callbacks. */
  choice?: string | undefined;
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
  { level, anchor, choice, isSent }: Under & { isSent: boolean },
): ElementContent[] {
  const title = isSent ? 'Body that is sent' : 'Request body';
  return [
    partTitle(level, title, `${anchor}-body`),
    ...(body.problem === undefined ? [] : [problemLine(body.problem)]),
    ...tools.markdown(body.description),
    ...drawContents(tools, body.contents, {
      marks: body.isRequired ? [mark('required')] : [],
      choice,
      id: `${anchor}-body`,
      direction: isSent ? 'response' : 'request',
    }),
  ];
}

interface ContentsStyle {
  marks?: ElementContent[];
  choice: string | undefined;
  /** The IDs of its controls begin with it. */
  id: string;
  direction: 'request' | 'response';
}

/** The contents in the order of choices: the one that samples show first. */
export function orderedContents(contents: readonly Content[]): Content[] {
  const first = preferredContent(contents);
  return [...new Set([...(first ? [first] : []), ...contents])];
}

/** The schemas of contents, with switches; those that have the same one are shown once. */
function drawContents(tools: DrawTools, contents: Content[], style: ContentsStyle): ElementContent[] {
  const { marks = [], choice, id } = style;
  const ordered = orderedContents(contents);
  const groups = Map.groupBy(
    ordered.entries(),
    ([, { schema }]) => tools.reference.nameOf(schema) ?? JSON.stringify(schema)?.slice(0, 5000),
  );
  const drawn = [...groups.values()].map((same): [number[], ElementContent[]] => {
    const types = same.map(([, { type }]) => h('code', type));
    const line = h('p.api-content-type', spaced([...types, ...marks]));
    const [[index, content] = [0, undefined]] = same;
    return [same.map(([each]) => each), [line, ...(content ? drawOneContent(tools, content, index, style) : [])]];
  });
  if (choice === undefined || ordered.length < 2) return drawn.flatMap(([, nodes]) => nodes);
  const where = { id: `${id}-type`, label: 'Content type', kind: choice };
  const types = ordered.map(({ type }) => type);
  return [drawSwitch(where, types), ...drawn.map(([indices, nodes]) => group(choice, indices, nodes))];
}

function drawOneContent(
  tools: DrawTools,
  content: Content,
  index: number,
  { choice, id, direction }: ContentsStyle,
): ElementContent[] {
  if (content.schema === undefined) return [];
  const variants = choice === undefined ? [] : variantsOf(tools.reference, content, direction);
  if (variants.length === 0) return drawSchema(tools, content.schema);
  const kind = `${choice}-${index}`;
  const titles = variants.map(({ title }) => title);
  const where = { id: `${id}-${index}-variant`, label: 'Variant', kind };
  return [drawSwitch(where, titles, firstVariant(variants, content)), ...drawSchema(tools, content.schema, kind)];
}

const isSuccess = (status: string): boolean => status.startsWith('2');

export function drawResponses(tools: DrawTools, responses: Response[], under: Under): ElementContent[] {
  const { level, anchor } = under;
  if (responses.length === 0) return [];
  const first = responses.find(({ status }) => isSuccess(status)) ?? responses[0];
  const drawn = responses.map((response) => drawResponse(tools, response, { ...under, isOpen: response === first }));
  return [partTitle(level, 'Responses', `${anchor}-responses`), ...drawn];
}

function drawResponse(
  tools: DrawTools,
  response: Response,
  { anchor, choice, isOpen }: Under & { isOpen: boolean },
): Element {
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
    ...drawContents(tools, contents, {
      choice: choice && responseChoice(status),
      id: `${anchor}-${status}`,
      direction: 'response',
    }),
  ];
  if (content.length === 0) return h('div.api-response.api-response-plain', [h('p', summary)]);
  return element('details', { className: ['api-response'], ...(isOpen && { open: true }) }, [
    h('summary', summary),
    ...content,
  ]);
}

/** The kind of the choice between the contents of a response. */
export const responseChoice = (status: string): string => `response-${status}`;

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

/** More would make the page long: the schema has all of them. */
const maxDrawnVariants = 8;

/** The examples of a response, for each of its contents and variants. Without JavaScript, only the first is shown. */
export function responseTabs(tools: DrawTools, { status, contents }: Response): Tab[] {
  const label = status === 'default' ? 'Other' : status;
  const kind = responseChoice(status);
  const ordered = orderedContents(contents);
  const [first] = ordered;
  if (!first) return [];
  const hasVariants = ordered.map((content) => shownVariants(tools, content));
  if (ordered.length === 1 && hasVariants[0]?.length === 0) return exampleTabs(tools, [first], label);
  const content = ordered.slice(0, 4).map((each, index) => {
    const variants = hasVariants[index] ?? [];
    const chosen = firstVariant(variants, each);
    const examples =
      variants.length === 0
        ? exampleTabs(tools, [{ ...each, examples: each.examples.slice(0, 1) }]).flatMap(({ content: nodes }) => nodes)
        : variants.map(({ value }, at) =>
            group(
              `${kind}-${index}`,
              [at],
              [exampleCode(tools, each.type, value)],
              at === chosen ? {} : { hidden: true },
            ),
          );
    return ordered.length === 1 ? examples : [group(kind, [index], examples, index === 0 ? {} : { hidden: true })];
  });
  return [{ title: label, content: content.flat() }];
}

function shownVariants(tools: DrawTools, content: Content) {
  const variants = variantsOf(tools.reference, content, 'response');
  return variants.length > maxDrawnVariants ? [] : variants;
}

function exampleCode(tools: DrawTools, type: string, value: unknown): Element {
  const code = typeof value === 'string' && !isJson(type) ? value : JSON.stringify(value, null, 2);
  const shown = code.length > maxExampleLength ? `${code.slice(0, maxExampleLength)}\n…` : code;
  const language = isJson(type) || typeof value !== 'string' ? 'json' : /xml/i.test(type) ? 'xml' : 'text';
  return tools.code(shown, language);
}

export function exampleTabs(tools: DrawTools, contents: Content[], label?: string): Tab[] {
  return contents.flatMap(({ type, examples }) =>
    examples.slice(0, 6).map(({ title, value, address, description }): Tab => {
      const name = examples.length > 1 ? title : contents.length > 1 ? type : (label ?? title);
      const shownTitle = label !== undefined && examples.length > 1 ? `${label} ${title}` : name;
      if (value === undefined) return { title: shownTitle, content: tools.markdown(`<${address ?? ''}>`) };
      return { title: shownTitle, content: [...tools.markdown(description), exampleCode(tools, type, value)] };
    }),
  );
}
