import type { Element, ElementContent } from 'hast';
import { element, text } from '../../content/html/hast.ts';
import {
  type Alternatives,
  isChoice,
  type Property,
  readSchema,
  type SchemaNode,
  type SchemaView,
  type TypePart,
} from '../../openapi/reference/index.ts';
import type { DrawTools } from './tools.ts';
import { h } from './elements.ts';

/** Where in a schema the drawing is. */
interface Place {
  depth: number;
  /** Names of the schemas that contain it. */
  within: readonly string[];
  /** The kind of the choice between its alternatives, if readers have one. */
  choice?: string | undefined;
}

/** Named schemas below this have a page of their own. */
const maxNamedDepth = 3;
const maxDepth = 9;
/** Of a schema that is shown as part of a page. */
const maxFields = 150;

const top: Place = { depth: 0, within: [] };

/** A whole schema: a body, or the page of a named schema. @param choice the kind of the choice between its alternatives */
export function drawSchema(tools: DrawTools, schema: SchemaNode, choice?: string): ElementContent[] {
  const before = tools.fieldsLeft;
  // Each schema has a share of the page, so that the first one does not use up all of it.
  tools.fieldsLeft = Math.min(before, maxFields);
  const share = tools.fieldsLeft;
  const view = readSchema(tools.reference, schema);
  const drawn = [
    h('p.api-kind', drawType(tools, view, true)),
    ...tools.markdown(view.description),
    ...drawFacts(tools, view),
    ...drawInner(tools, view, { ...inside(top, view), choice }),
  ];
  tools.fieldsLeft = before - (share - tools.fieldsLeft);
  return drawn;
}

/** What is to be known of a schema without what is in it: of a parameter, for example. */
export function drawFieldOfSchema(
  tools: DrawTools,
  schema: SchemaNode,
): { type: ElementContent[]; facts: ElementContent[]; view: SchemaView } {
  const view = readSchema(tools.reference, schema);
  const facts = [...drawFacts(tools, view), ...drawNested(tools, view, inside(top, view))];
  return { type: drawType(tools, view, false), facts, view };
}

const inside = ({ depth, within }: Place, { name }: SchemaView): Place => ({
  depth: depth + 1,
  within: name === undefined ? within : [...within, name],
});

/** The type in words, with links to named schemas. */
function drawType(tools: DrawTools, { type, name }: SchemaView, hasName: boolean): ElementContent[] {
  const parts = type.map((part) => drawTypePart(tools, part));
  if (name === undefined) return parts;
  return hasName ? [nameLink(tools, name), text(' · '), ...parts] : [...parts, text(' · '), nameLink(tools, name)];
}

const drawTypePart = (tools: DrawTools, part: TypePart): ElementContent =>
  typeof part === 'string' ? text(part) : nameLink(tools, part.schema);

function nameLink(tools: DrawTools, name: string): ElementContent {
  const href = tools.schemaHref(name);
  return href === undefined ? text(name) : element('a', { href }, [text(name)]);
}

/** Everything of a schema that are no fields: limits, values, defaults. */
function drawFacts(tools: DrawTools, view: SchemaView): ElementContent[] {
  const lines: ElementContent[] = [];
  if (view.problem !== undefined) lines.push(problemLine(view.problem));
  if (view.constraints.length > 0) lines.push(fact('Limits', [text(view.constraints.join('; '))]));
  if (view.values.length > 0) lines.push(drawValues(view));
  for (const { label, value } of view.facts) {
    const title = { default: 'Default', example: 'Example', constant: 'Always' }[label];
    lines.push(fact(title, [h('code', shortened(value))]));
  }
  if (view.link) {
    lines.push(
      h(
        'p.api-fact',
        tools
          .markdown(`[${view.link.title.replaceAll(/[[\]]/g, '')}](${view.link.href})`)
          .flatMap((node) => (node.type === 'element' ? node.children : [node])),
      ),
    );
  }
  return lines;
}

export const problemLine = (problem: string): Element => h('p.api-problem', problem);

export const fact = (label: string, children: ElementContent[]): Element =>
  h('p.api-fact', [h('span.api-label', label), text(' '), ...children]);

const shortened = (value: string): string => (value.length > 300 ? `${value.slice(0, 300)}…` : value);

/** More values than this are behind a button. */
const maxValuesShown = 24;

function drawValues({ values }: SchemaView): Element {
  const item = (value: SchemaView['values'][number]) => h('code', shortened(value.value));
  if (values.some(({ description }) => description !== undefined)) {
    const rows = values.flatMap((value) => [h('dt', [item(value)]), h('dd', value.description ?? '')]);
    return h('dl.api-values', rows);
  }
  const spaced = values.flatMap((value) => [item(value), text(' ')]);
  if (values.length <= maxValuesShown) return fact('One of', spaced);
  return h('details.api-nested', [h('summary', `One of ${values.length} values`), h('p.api-fact', spaced)]);
}

/** The fields and alternatives of a schema, in a part that opens. */
function drawNested(tools: DrawTools, view: SchemaView, place: Place): ElementContent[] {
  const { title, view: inner } = innermost(tools, view);
  if (!hasInner(inner)) return [];
  const { name } = inner;
  const isRepeated = name !== undefined && place.within.slice(0, inner === view ? -1 : undefined).includes(name);
  const isTooDeep =
    place.depth > maxDepth || tools.fieldsLeft <= 0 || (name !== undefined && place.depth > maxNamedDepth);
  if (isRepeated || isTooDeep) return [elsewhere(tools, name, isRepeated)];
  return [
    h('details.api-nested', [
      h('summary', name === undefined ? title : `${title} of ${name}`),
      ...drawInner(tools, view, place),
    ]),
  ];
}

function elsewhere(tools: DrawTools, name: string | undefined, isRepeated: boolean): Element {
  if (name === undefined) return h('p.api-fact', 'Deeper fields are not shown.');
  return h('p.api-fact', [
    ...(isRepeated ? [text('The same as above: ')] : [text('All fields: ')]),
    nameLink(tools, name),
  ]);
}

/** What an array holds in the end, or the schema itself. */
function innermost(tools: DrawTools, view: SchemaView): { title: string; view: SchemaView } {
  let current = view;
  for (let step = 0; step < 5 && current.items !== undefined && current.firstItems.length === 0; step += 1) {
    current = readSchema(tools.reference, current.items);
  }
  const noun = current.properties.length > 0 ? 'Fields' : 'Variants';
  return { title: current === view ? noun : `${noun} of the items`, view: current };
}

const hasInner = ({ properties, alternatives, firstItems, discriminator }: SchemaView): boolean =>
  properties.length > 0 || alternatives.length > 0 || firstItems.length > 0 || discriminator !== undefined;

function drawInner(tools: DrawTools, view: SchemaView, place: Place): ElementContent[] {
  const { view: inner } = innermost(tools, view);
  const here: Place = inner === view ? place : inside(place, inner);
  const itemFacts = inner === view ? [] : [...tools.markdown(inner.description), ...drawFacts(tools, inner)];
  const { choice: _, ...below } = here;
  const fields = inner.properties.map((property) => drawProperty(tools, property, below));
  return [
    ...itemFacts,
    ...(inner.discriminator ? [drawDiscriminator(tools, inner.discriminator)] : []),
    ...(fields.length > 0 ? [h('ul.api-fields', fields)] : []),
    ...drawFirstItems(tools, inner, here),
    ...inner.alternatives.map((alternatives) => drawAlternatives(tools, alternatives, here)),
  ];
}

function drawProperty(tools: DrawTools, { name, isRequired, isPattern, schema }: Property, place: Place): Element {
  tools.fieldsLeft -= 1;
  const view = readSchema(tools.reference, schema);
  const below = inside(place, view);
  const head = [
    h('code.api-name', name),
    ...(isPattern === true && name !== 'any other field' ? [mark('pattern')] : []),
    h('span.api-type', drawType(tools, view, false)),
    ...(isRequired ? [mark('required')] : []),
    ...view.marks.map((each) => mark(each)),
  ];
  return h('li.api-field', [
    h('div.api-field-head', spaced(head)),
    ...(tools.fieldsLeft > -500 ? tools.markdown(view.description) : []),
    ...drawFacts(tools, view),
    ...drawNested(tools, view, below),
  ]);
}

export const mark = (word: string): Element =>
  element('span', { className: ['api-mark', `api-${word}`] }, [text(word)]);

/** Without JavaScript and styles, words must not run into each other. */
export const spaced = (nodes: ElementContent[]): ElementContent[] =>
  nodes.flatMap((node, index) => (index === 0 ? [node] : [text(' '), node]));

function drawDiscriminator(tools: DrawTools, { property, mapping }: NonNullable<SchemaView['discriminator']>): Element {
  const cases = mapping
    .slice(0, 200)
    .flatMap(({ value, schema }, index) => [
      text(index === 0 ? ': ' : ', '),
      h('code', value),
      text(' is '),
      nameLink(tools, schema),
    ]);
  return h('p.api-fact', [h('span.api-label', 'Told apart by'), text(' '), h('code', property), ...cases]);
}

function drawFirstItems(tools: DrawTools, { firstItems, items }: SchemaView, place: Place): ElementContent[] {
  if (firstItems.length === 0) return [];
  const rows = firstItems.map((schema, index) =>
    drawProperty(tools, { name: `[${index}]`, isRequired: false, schema }, place),
  );
  const rest =
    items === undefined ? [] : [drawProperty(tools, { name: 'all others', isRequired: false, schema: items }, place)];
  return [h('ul.api-fields', [...rows, ...rest])];
}

const keywordTitles = new Map<Alternatives['keyword'], string>([
  ['oneOf', 'Exactly one of'],
  ['anyOf', 'At least one of'],
  ['not', 'Not'],
  ['if', 'If it fits'],
  ['then', 'Then also'],
  ['else', 'Otherwise'],
  ['contains', 'At least one item is'],
  ['propertyNames', 'Names of fields'],
]);

function drawAlternatives(tools: DrawTools, { keyword, schemas }: Alternatives, place: Place): Element {
  const { choice: _, ...inside } = place;
  const shown = schemas.slice(0, 60).map(({ title, schema }, index) => {
    tools.fieldsLeft -= 1;
    const view = readSchema(tools.reference, schema);
    const type = view.type.map((part) => (typeof part === 'string' ? part : part.schema)).join('');
    const label = title ?? (schemas.length > 1 && type === 'object' ? `Variant ${index + 1}` : type);
    const drawn = drawAlternative(tools, view, label, inside);
    return place.choice === undefined || !isChoice({ keyword, schemas })
      ? h('li', drawn)
      : element('li', { dataGroup: place.choice, dataIndex: String(index) }, drawn);
  });
  if (schemas.length > shown.length) shown.push(h('li', `${schemas.length - shown.length} more`));
  return h('div.api-alternatives', [h('p.api-label', keywordTitles.get(keyword) ?? keyword), h('ul', shown)]);
}

function drawAlternative(tools: DrawTools, view: SchemaView, label: string, place: Place): ElementContent[] {
  const { name } = view;
  const isRepeated = name !== undefined && place.within.includes(name);
  const isTooDeep =
    place.depth > maxDepth || tools.fieldsLeft <= 0 || (name !== undefined && place.depth > maxNamedDepth);
  const line = (more: ElementContent[]) => [h('p.api-variant', more)];
  if (name !== undefined && (isRepeated || isTooDeep)) return line([nameLink(tools, name)]);
  const content = isTooDeep
    ? []
    : [...tools.markdown(view.description), ...drawFacts(tools, view), ...drawInner(tools, view, inside(place, view))];
  if (content.length === 0) return line([text(label)]);
  return [
    h('details.api-nested', [
      h('summary', label),
      ...content,
      ...(name === undefined || tools.schemaHref(name) === undefined
        ? []
        : line([text('Schema '), nameLink(tools, name)])),
    ]),
  ];
}
