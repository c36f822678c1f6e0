import type { Element } from 'hast';
import { element } from '../../content/html/hast.ts';
import {
  baseOf,
  type Content,
  firstVariant,
  type Operation,
  type OperationView,
  requestOf,
  sampleLanguages,
  type SampleRequest,
  variantsOf,
} from '../../openapi/reference/index.ts';
import { orderedContents } from './draw-parts.ts';
import { drawServerChoice } from './draw-try-it.ts';
import { h } from './elements.ts';
import type { SampleData } from './sample-data.ts';
import type { DrawTools } from './tools.ts';

/** The length of all bodies. Those that are more do not have samples. */
const maxDataLength = 60_000;

const maxContents = 10;

/** The request: samples of the description, and one for curl. `script/samples.ts` writes it in other languages. */
export function drawSamples(tools: DrawTools, operation: Operation, view: OperationView): Element {
  const [curl] = sampleLanguages;
  const own = view.samples.map(({ title, language, code }) =>
    element('div', { className: ['api-sample'], dataTitle: title }, [
      h('p.api-sample-title', title),
      tools.code(code, language),
    ]),
  );
  const isOwn = view.samples.some(({ title }) => title.toLowerCase() === curl.title);
  const code = curl.write(requestOf(operation, view));
  const written = element('div', { className: ['api-sample'], dataWritten: '' }, [
    h('p.api-sample-title', curl.title),
    tools.code(code, curl.language),
  ]);
  return element('div', { className: ['api-samples'], dataRequest: JSON.stringify(dataOf(tools, operation, view)) }, [
    ...(view.servers.length > 1 && !(tools.hasTryIt && view.canBeTried) ? [serverSwitch(operation, view)] : []),
    ...own,
    ...(isOwn ? [] : [written]),
  ]);
}

/** Forms have a choice of their own. */
function serverSwitch({ anchor }: Operation, { servers }: OperationView): Element {
  const chosen = drawServerChoice(servers, `${anchor}-server`);
  return { ...chosen, properties: { className: ['api-switch'], hidden: true } };
}

function dataOf({ reference }: DrawTools, operation: Operation, view: OperationView): SampleData {
  const request = requestOf(operation, view);
  let room = maxDataLength;
  const inRoom = (body: SampleRequest['body']): SampleRequest['body'] | 'too-long' => {
    const { length } = JSON.stringify(body ?? null);
    if (length > room) return 'too-long';
    room -= length;
    return body;
  };
  const contentOf = (content: Content): SampleData['contents'][number] => {
    const variants = variantsOf(reference, content, 'request');
    const chosen = firstVariant(variants, content);
    const [example] = content.examples;
    const values =
      variants.length === 0
        ? [example?.value]
        : variants.map(({ value }, index) => (index === chosen ? example?.value : value));
    const requests = values.map((value) => requestOf(operation, view, { content, value }));
    return { headers: requests[0]?.headers ?? [], bodies: requests.map(({ body }) => inRoom(body)) };
  };
  const contents = orderedContents(view.body?.contents ?? [])
    .slice(0, maxContents)
    .map(contentOf);
  const base = baseOf(view.servers[0]?.filled ?? '');
  return { base, request, contents };
}
