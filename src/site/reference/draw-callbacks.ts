import type { Element, ElementContent } from 'hast';
import { element, text } from '../../content/html/hast.ts';
import { type Callback, preferredContent } from '../../openapi/reference/index.ts';
import {
  drawBody,
  drawParameters,
  drawResponses,
  exampleTabs,
  methodLabel,
  partTitle,
  sideTitle,
  tabs,
  type Under,
} from './draw-parts.ts';
import { h } from './elements.ts';
import type { DrawTools } from './tools.ts';

/** The requests that the service sends after the operation, each with its body and the answers that it expects. */
export function drawCallbacks(
  tools: DrawTools,
  callbacks: readonly Callback[],
  { level, anchor }: Under,
): ElementContent[] {
  if (callbacks.length === 0) return [];
  const drawn = callbacks.map((callback, index) =>
    drawCallback(tools, callback, { level: Math.min(level + 1, 6), anchor: `${anchor}-callback-${index + 1}` }),
  );
  return [partTitle(level, 'Callbacks', `${anchor}-callbacks`), ...drawn];
}

function drawCallback(tools: DrawTools, callback: Callback, under: Under): Element {
  const { name, method, path, title, description, parameters, body, responses, problem } = callback;
  const content = body && preferredContent(body.contents);
  const examples = content ? exampleTabs(tools, [content]) : [];
  const summary = [h('code.api-name', name), text(' '), methodLabel(method), text(' '), h('code', path)];
  return element('details', { className: ['api-response', 'api-callback'], open: true }, [
    h('summary', summary),
    ...tools.markdown(title),
    ...tools.markdown(description),
    ...(problem === undefined ? [] : tools.markdown(problem)),
    ...drawParameters(tools, parameters, under),
    ...(body ? drawBody(tools, body, { ...under, isSent: true }) : []),
    ...(examples.length > 0 ? [sideTitle('Example'), tabs(examples)] : []),
    ...drawResponses(tools, responses, under),
  ]);
}
