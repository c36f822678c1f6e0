import type { Element, ElementContent } from 'hast';
import { element, text } from '../../content/html/hast.ts';
import { type CodeSample, type Operation, type OperationView, readOperation } from '../../openapi/reference/index.ts';
import { drawCallbacks } from './draw-callbacks.ts';
import {
  drawBody,
  drawParameters,
  drawResponses,
  exampleTabs,
  responseTabs,
  methodLabel,
  sideTitle,
  tabs,
  type Tab,
} from './draw-parts.ts';
import { drawSamples } from './draw-samples.ts';
import { fact, spaced } from './draw-schema.ts';
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
  const under = { level: below, anchor, choice: 'body' };
  const about = h('div.api-about', [
    ...drawNotes(operation, view),
    ...tools.markdown(view.description),
    ...(view.link ? tools.markdown(`[${view.link.title.replaceAll(/[[\]]/g, '')}](${view.link.href})`) : []),
    ...drawSecurity(tools, view),
    ...drawParameters(tools, view.parameters, { level: below, anchor }),
    ...(view.body ? drawBody(tools, view.body, { ...under, isSent: operation.kind === 'webhook' }) : []),
    ...drawResponses(tools, view.responses, under),
    ...drawCallbacks(tools, view.callbacks, { level: below, anchor }),
  ]);
  const side = h('div.api-side', drawSide(tools, operation, view));
  return element('section', { className: ['api-operation'], ...(level === undefined && { id: anchor }) }, [
    ...(level === undefined ? [] : [tools.heading(level, title, anchor)]),
    drawPath(operation, view, tools.addressFor(operation)),
    element('div', { className: hasColumns ? ['api-parts', 'api-columns'] : ['api-parts'] }, [about, side]),
  ]);
}

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

function drawSide(tools: DrawTools, operation: Operation, view: OperationView): ElementContent[] {
  const isWebhook = operation.kind === 'webhook';
  const bodies = view.body ? exampleTabs(tools, view.body.contents) : [];
  const answers = view.responses.flatMap((response) => responseTabs(tools, response));
  const samples = isWebhook ? [] : [drawSamples(tools, operation, view)];
  return [
    ...(isWebhook && view.samples.length > 0
      ? [sideTitle('Request'), tabs(view.samples.map((sample) => drawSample(tools, sample)))]
      : []),
    ...(samples.length > 0 ? [sideTitle('Request'), ...samples] : []),
    ...(bodies.length > 0 && (isWebhook || hasNamedExamples(view)) ? [sideTitle('Body'), tabs(bodies)] : []),
    ...(answers.length > 0 ? [sideTitle('Response'), tabs(answers.slice(0, 12))] : []),
    ...(tools.hasTryIt && view.canBeTried ? drawTryIt(tools, operation, view) : []),
  ];
}

/** The samples show one example of each content. */
const hasNamedExamples = ({ body }: OperationView): boolean =>
  body?.contents.some(({ examples }) => examples.length > 1) === true;

const drawSample = (tools: DrawTools, { title, language, code }: CodeSample): Tab => ({
  title,
  content: [tools.code(code, language)],
});
