import type { ElementContent } from 'hast';
import { element, text } from '../../content/html/hast.ts';
import {
  exampleOf,
  type NamedSchema,
  type Operation,
  type OperationGroup,
  type SecurityScheme,
  securitySchemes,
  type Server,
  serversOf,
} from '../../openapi/reference/index.ts';
import { drawCard } from './draw-card.ts';
import { drawOperation } from './draw-operation.ts';
import { methodLabel } from './draw-parts.ts';
import { drawSchema, fact, problemLine, spaced } from './draw-schema.ts';
import { hasOwnPages } from './pages.ts';
import type { DrawTools } from './tools.ts';
import { h } from './elements.ts';

/** What the API is, where it is, and what it can do. */
export function drawOverview(tools: DrawTools): ElementContent[] {
  const { reference } = tools;
  const { info } = reference;
  const field = (key: string) => (typeof info[key] === 'string' && info[key] !== '' ? info[key] : undefined);
  return [
    drawCard(tools),
    ...tools.markdown(field('description') ?? field('summary'), true),
    ...drawServers(tools, serversOf(reference)),
    ...drawSchemes(tools, securitySchemes(reference)),
    ...(reference.operations.length === 0
      ? [h('p', 'The description has no operations.')]
      : [
          tools.heading(2, 'Operations', 'operations'),
          ...reference.groups.flatMap((group) => drawGroupList(tools, group)),
        ]),
  ];
}

function drawServers(tools: DrawTools, servers: Server[]): ElementContent[] {
  if (servers.length === 0) return [];
  const items = servers.map(({ url, description, variables }) =>
    h('li.api-field', [
      h('div.api-field-head', [h('code.api-name', url)]),
      ...tools.markdown(description),
      ...variables.map((variable) =>
        fact(variable.name, [
          h('code', variable.value),
          ...variable.values.flatMap((value) => (value === variable.value ? [] : [text(' or '), h('code', value)])),
          ...(variable.description === undefined ? [] : [text(` – ${variable.description}`)]),
        ]),
      ),
    ]),
  );
  return [tools.heading(2, servers.length > 1 ? 'Servers' : 'Server', 'servers'), h('ul.api-fields', items)];
}

function drawSchemes(tools: DrawTools, schemes: SecurityScheme[]): ElementContent[] {
  if (schemes.length === 0) return [];
  return [
    tools.heading(2, 'Authentication', 'authentication'),
    ...schemes.map(({ name, kind, description, place, flows, problem }) =>
      element('div', { className: ['api-scheme'], id: `security-${name}` }, [
        h('p.api-field-head', spaced([h('code.api-name', name), h('span.api-type', kind)])),
        ...(problem === undefined ? [] : [problemLine(problem)]),
        ...tools.markdown(description),
        ...(place ? [fact('Sent as', [h('code', sentAs(place))])] : []),
        ...flows.flatMap((flow) => [
          h('p.api-label', flow.kind),
          ...flow.addresses.map(({ label, url }) => fact(label, [h('code', url)])),
          ...(flow.scopes.length > 0 ? [drawScopes(flow.scopes)] : []),
        ]),
      ]),
    ),
  ];
}

const sentAs = (place: NonNullable<SecurityScheme['place']>): string =>
  place.in === 'header'
    ? `${place.name}: ${place.prefix}${place.sample}`
    : place.in === 'query'
      ? `?${place.name}=${place.sample}`
      : `Cookie: ${place.name}=${place.sample}`;

const drawScopes = (scopes: { name: string; description: string }[]): ElementContent =>
  h(
    'dl.api-values',
    scopes.flatMap(({ name, description }) => [h('dt', [h('code', name)]), h('dd', description)]),
  );

/** The operations of a group as links, below its title. */
function drawGroupList(tools: DrawTools, group: OperationGroup): ElementContent[] {
  const href = tools.addresses.page(group.slug);
  const title = href === undefined ? text(group.title) : element('a', { href }, [text(group.title)]);
  return [
    element('h3', { id: `group-${group.slug}`, className: ['api-group'] }, [title]),
    drawOperationList(tools, group.operations),
  ];
}

/** @param hasIds whether links to the operations may lead here */
const drawOperationList = (tools: DrawTools, operations: readonly Operation[], hasIds = false): ElementContent =>
  h(
    'ul.api-list',
    operations.map((operation) => {
      const href = tools.operationHref(operation);
      const title = [text(operation.title)];
      const id = hasIds ? tools.addressFor(operation) : undefined;
      return element(
        'li',
        {
          ...(operation.isDeprecated && { className: ['api-deprecated-entry'] }),
          ...(id !== undefined && { id }),
        },
        spaced([
          methodLabel(operation.method),
          href === undefined ? h('span', title) : element('a', { href }, title),
          h('code', operation.path),
        ]),
      );
    }),
  );

/** The operations of a tag: all of them, or as links if they have pages of their own. */
export function drawGroup(tools: DrawTools, group: OperationGroup): ElementContent[] {
  const own = group.operations.filter((operation) => operation.group === group);
  const isList = hasOwnPages(group, tools.addresses);
  const others = group.operations.filter((operation) => operation.group !== group);
  return [
    ...tools.markdown(group.description),
    ...(isList || own.length > 1 ? [drawOperationList(tools, isList ? group.operations : own, isList)] : []),
    ...(isList ? [] : own.map((operation) => drawOperation(tools, operation, { level: 2, hasColumns: true }))),
    ...(!isList && others.length > 0
      ? [element('h2', { id: 'see-also' }, [text('See also')]), drawOperationList(tools, others)]
      : []),
  ];
}

export function drawSchemaList(tools: DrawTools): ElementContent[] {
  const items = [...tools.reference.schemas.values()].map(({ name }) => {
    const href = tools.schemaHref(name);
    return h('li', [href === undefined ? text(name) : element('a', { href }, [text(name)])]);
  });
  return [h('ul.api-list.api-schema-list', items)];
}

/** The page of a named schema. */
export function drawSchemaPage(tools: DrawTools, { node }: NamedSchema): ElementContent[] {
  const example = JSON.stringify(exampleOf(tools.reference, node, 'response'), null, 2) ?? 'null';
  return [
    h('div.api-parts.api-columns', [
      h('div.api-about', drawSchema(tools, node)),
      h('div.api-side', [
        h('p.api-label', 'Example'),
        tools.code(example.length > 12_000 ? `${example.slice(0, 12_000)}\n…` : example, 'json'),
      ]),
    ]),
  ];
}
