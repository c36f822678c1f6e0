import type { Element, ElementContent } from 'hast';
import { element, text } from '../../content/html/hast.ts';
import {
  type Body,
  type CodeSample,
  type Content,
  isJson,
  type Operation,
  type OperationView,
  type Parameter,
  parameterPlaces,
  preferredContent,
  readOperation,
  requestOf,
  type Response,
  samplesOf,
} from '../../openapi/reference/index.ts';
import { drawFieldOfSchema, drawSchema, fact, mark, problemLine, spaced } from './draw-schema.ts';
import { drawTryIt } from './draw-try-it.ts';
import type { DrawTools } from './tools.ts';
import { h } from './elements.ts';

export interface OperationStyle {
  /** The level of its title; undefined if the title of the page is that of the operation. */
  level: number | undefined;
  /** Whether samples are next to the text on wide screens. */
  hasColumns: boolean;
}

/** An operation with its samples. */
export function drawOperation(tools: DrawTools, operation: Operation, { level, hasColumns }: OperationStyle): Element {
  const view = readOperation(tools.reference, operation);
  const { anchor, title } = operation;
  const below = (level ?? 1) + 1;
  const about = h('div.api-about', [
    ...drawNotes(operation, view),
    ...tools.markdown(view.description),
    ...(view.link ? tools.markdown(`[${view.link.title.replaceAll(/[[\]]/g, '')}](${view.link.href})`) : []),
    ...drawSecurity(tools, view),
    ...drawParameters(tools, view.parameters, { level: below, anchor }),
    ...(view.body ? drawBody(tools, view.body, { level: below, anchor, isWebhook: operation.kind === 'webhook' }) : []),
    ...drawResponses(tools, view.responses, { level: below, anchor }),
    ...drawCallbacks(view, below, anchor, tools),
  ]);
  const side = h('div.api-side', drawSide(tools, operation, view));
  return element('section', { className: ['api-operation'], ...(level === undefined && { id: anchor }) }, [
    ...(level === undefined ? [] : [tools.heading(level, title, anchor)]),
    drawPath(operation, view, tools.addressFor(operation)),
    element('div', { className: hasColumns ? ['api-parts', 'api-columns'] : ['api-parts'] }, [about, side]),
  ]);
}

export const methodLabel = (method: string): Element =>
  element('span', { className: ['method', `method-${method.toLowerCase().replaceAll(/[^a-z]/g, '')}`] }, [
    text(method.toUpperCase()),
  ]);

/** Method and path; the server is small, so that the path is read first. */
function drawPath({ method, path, kind }: Operation, { servers }: OperationView, id: string | undefined): Element {
  const server = servers[0]?.filled ?? '';
  return element('p', { className: ['api-path'], ...(id !== undefined && { id }) }, [
    methodLabel(method),
    text(' '),
    h('code', [
      ...(kind === 'operation' && server !== '' ? [h('span.api-server', server)] : []),
      element('wbr', {}),
      ...breakable(path),
    ]),
  ]);
}

/** Long paths may be broken before a slash. */
const breakable = (path: string): ElementContent[] =>
  path.split(/(?=\/)/).flatMap((part, index) => (index === 0 ? [text(part)] : [element('wbr', {}), text(part)]));

function drawNotes({ isDeprecated, kind }: Operation, { stability, sunset, servers }: OperationView): ElementContent[] {
  const notes: ElementContent[] = [];
  if (isDeprecated) {
    const until = sunset === undefined ? '' : ` It will be removed on ${sunset}.`;
    notes.push(
      h('div.hint.hint-warning', [
        h('p', [h('strong', 'Deprecated.'), text(` New programs should not use it.${until}`)]),
      ]),
    );
  }
  if (stability !== undefined) notes.push(fact('Stability', [text(stability)]));
  if (kind === 'webhook') notes.push(h('p.api-fact', 'The service sends this request to your server.'));
  if (servers.length > 1) notes.push(fact('Servers', spaced(servers.map(({ url }) => h('code', url)))));
  return notes;
}

function drawSecurity(tools: DrawTools, { security }: OperationView): ElementContent[] {
  if (security.length === 0) return [];
  const choices = security.map((choice): ElementContent[] =>
    choice.length === 0
      ? [text('nothing')]
      : choice.flatMap(({ scheme, scopes }, index) => {
          // A scheme that the description lacks has no place in the overview.
          const href = scheme.problem === undefined ? tools.addresses.page('', `security-${scheme.name}`) : undefined;
          const name = text(scheme.kind === 'unknown' ? scheme.name : scheme.kind);
          return [
            ...(index > 0 ? [text(' and ')] : []),
            href === undefined ? name : element('a', { href }, [name]),
            ...(scopes.length > 0 ? [text(' with '), ...spaced(scopes.map((scope) => h('code', scope)))] : []),
            ...(scheme.problem === undefined ? [] : [text(' '), h('span.api-problem', scheme.problem)]),
          ];
        }),
  );
  return [
    fact(
      'Authentication',
      choices.flatMap((choice, index) => (index === 0 ? choice : [text(', or '), ...choice])),
    ),
  ];
}

interface Under {
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

function drawParameters(tools: DrawTools, parameters: Parameter[], { level, anchor }: Under): ElementContent[] {
  return parameterPlaces.flatMap((place) => {
    const here = parameters.filter((parameter) => parameter.in === place);
    if (here.length === 0) return [];
    const title = placeTitles[place];
    return [partTitle(level, title, `${anchor}-${place}`), drawParameterList(tools, here)];
  });
}

/** Parts of an operation have anchors, but no place in the outline of the page. */
const partTitle = (level: number, title: string, id: string): Element =>
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

function drawBody(
  tools: DrawTools,
  body: Body,
  { level, anchor, isWebhook }: Under & { isWebhook: boolean },
): ElementContent[] {
  const title = isWebhook ? 'Body that is sent' : 'Request body';
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

function drawResponses(tools: DrawTools, responses: Response[], { level, anchor }: Under): ElementContent[] {
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

function drawCallbacks(
  { callbacks }: OperationView,
  level: number,
  anchor: string,
  tools: DrawTools,
): ElementContent[] {
  if (callbacks.length === 0) return [];
  const items = callbacks.map(({ name, method, path, title }) =>
    h('li.api-field', [
      h('div.api-field-head', spaced([h('code.api-name', name), methodLabel(method), h('code', path)])),
      ...tools.markdown(title),
    ]),
  );
  return [partTitle(level, 'Callbacks', `${anchor}-callbacks`), h('ul.api-fields', items)];
}

function drawSide(tools: DrawTools, operation: Operation, view: OperationView): ElementContent[] {
  const isWebhook = operation.kind === 'webhook';
  const own = view.samples;
  const made = isWebhook
    ? []
    : samplesOf(requestOf(operation, view)).filter(
        ({ title }) => !own.some((sample) => sample.title.toLowerCase() === title.toLowerCase()),
      );
  const bodies = view.body ? exampleTabs(tools, view.body.contents) : [];
  const answers = view.responses.flatMap(({ status, contents }) => {
    const content = preferredContent(contents);
    return content ? exampleTabs(tools, [content], status === 'default' ? 'Other' : status) : [];
  });
  const samples = [...own, ...made];
  return [
    ...(samples.length > 0 ? [sideTitle('Request'), tabs(samples.map((sample) => drawSample(tools, sample)))] : []),
    ...(bodies.length > 0 && (isWebhook || bodies.length > 1) ? [sideTitle('Body'), tabs(bodies)] : []),
    ...(answers.length > 0 ? [sideTitle('Response'), tabs(answers.slice(0, 12))] : []),
    ...(tools.hasTryIt && view.canBeTried ? drawTryIt(tools, operation, view) : []),
  ];
}

const sideTitle = (title: string): Element => h('p.api-label', title);

interface Tab {
  title: string;
  content: ElementContent[];
}

const drawSample = (tools: DrawTools, { title, language, code }: CodeSample): Tab => ({
  title,
  content: [tools.code(code, language)],
});

/** One panel needs no tabs. */
function tabs(panels: Tab[]): Element {
  return h(
    'div.tabs',
    panels.map(({ title, content }) => h('section.tab-panel', [h('p.tab-title', title), ...content])),
  );
}

/** Longer examples say no more. */
const maxExampleLength = 12_000;

function exampleTabs(tools: DrawTools, contents: Content[], label?: string): Tab[] {
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
