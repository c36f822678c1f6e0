import { createHash } from 'node:crypto';
import type { Element, ElementContent } from 'hast';
import { element, text } from '../../content/html/hast.ts';
import {
  type Content,
  type Operation,
  type OperationView,
  type Parameter,
  type SecurityChoice,
  type SecurityScheme,
  type Server,
  baseOf,
  firstVariant,
  fixedVariables,
  isJson,
  originsOf,
  preferredContent,
  readSchema,
  serversOf,
  valueText,
  variantsOf,
} from '../../openapi/reference/index.ts';
import { isObject } from '../../shared/is-object.ts';
import { choice, field, group, note, select } from './controls.ts';
import { orderedContents } from './draw-parts.ts';
import { h } from './elements.ts';
import type { DrawTools } from './tools.ts';

/** A form that sends the request from the browser; `script/try-it.ts` does that. Without JavaScript it is not shown. */
export function drawTryIt(tools: DrawTools, operation: Operation, view: OperationView): ElementContent[] {
  const { anchor, method, path, title } = operation;
  const servers = reachableServers(view.servers);
  const accept = view.responses.flatMap(({ contents }) => preferredContent(contents)?.type ?? [])[0];
  const parts =
    servers.length === 0
      ? [
          note(
            'The description names no server with a host, so requests cannot be sent from here. The code samples show them.',
          ),
        ]
      : [
          ...drawServers(servers, anchor),
          ...drawSecurity(view.security, anchor),
          ...view.parameters
            .filter(({ problem }) => problem === undefined)
            .map((parameter) => drawParameter(tools, parameter, anchor)),
          ...drawTryBody(tools, operation, view),
          element('button', { type: 'button', className: ['button', 'button-primary'] }, [text('Send')]),
          element('div', { className: ['api-answer'], ariaLive: 'polite' }, []),
        ];
  const data = {
    dataMethod: method.toUpperCase(),
    dataPath: path,
    dataApi: apiKey(tools),
    ...(accept !== undefined && { dataAccept: accept }),
  };
  return [
    element('details', { className: ['api-try'], hidden: true }, [
      h('summary', 'Try it'),
      element('div', { role: 'form', ...data, ariaLabel: `Try ${title}` }, parts),
    ]),
  ];
}

/** Tells the API apart from others on the same site. */
export const apiKey = ({ reference }: DrawTools): string =>
  createHash('sha256')
    .update(JSON.stringify([reference.title, serversOf(reference).map(({ url }) => url)]))
    .digest('base64url')
    .slice(0, 12);

/** Those with a host. */
export const reachableServers = (servers: readonly Server[]): Server[] =>
  servers.filter((server) => originsOf(server).length > 0);

/** The choice of a server. All of a page change together. */
export const drawServerChoice = (servers: readonly Server[], id: string): Element =>
  choice(
    { id, label: 'Server', kind: 'server' },
    servers.map(({ url, filled, description }) => ({
      value: url.replace(/\/$/, ''),
      title: description === undefined ? filled : `${filled} (${description})`,
      filled: baseOf(filled),
    })),
  );

function drawServers(servers: readonly Server[], anchor: string): Element[] {
  const id = `${anchor}-try-server`;
  return [
    drawServerChoice(servers, id),
    ...servers.flatMap((server, index) => drawVariables(server, `${id}-${index}`, index)),
  ];
}

/** Those of one server; the script shows them while it is the chosen one. */
function drawVariables(server: Server, prefix: string, index: number): Element[] {
  if (server.variables.length === 0) return [];
  const fixed = fixedVariables(server);
  const fields = server.variables.map(({ name, value, values, description }) => {
    const id = `${prefix}-${name}`;
    const data = { id, dataIn: 'variable', dataName: name };
    const label = description === undefined ? name : `${name}: ${description}`;
    if (values.length > 0) return field(id, label, [select(data, values, value)]);
    const isFixed = fixed.has(name);
    const input = element('input', {
      ...data,
      type: 'text',
      value,
      required: true,
      ...(isFixed && { readOnly: true }),
    });
    return field(id, isFixed ? `${label} (cannot be changed here: it decides which host gets the request)` : label, [
      input,
    ]);
  });
  return [group('server', [index], fields)];
}

function drawSecurity(choices: readonly SecurityChoice[], anchor: string): Element[] {
  const id = `${anchor}-try-security`;
  const options = choices.map((schemes, index) => ({
    value: String(index),
    title: schemes.length === 0 ? 'Nothing' : schemes.map(({ scheme }) => scheme.kind).join(' and '),
  }));
  const groups = choices.map((schemes, index) =>
    group(
      'security',
      [index],
      schemes.flatMap(({ scheme }) => drawScheme(scheme, `${id}-${index}-${scheme.name}`)),
    ),
  );
  const isSecret = choices.some((schemes) => schemes.some(({ scheme }) => isTyped(scheme)));
  return [
    // A choice of one needs no control.
    ...(choices.length > 1 ? [choice({ id, label: 'Authentication', kind: 'security' }, options)] : []),
    ...groups,
    ...(isSecret ? [drawRemember(`${id}-remember`)] : []),
  ];
}

/** Whether readers can type what is sent. */
export const isTyped = ({ place }: SecurityScheme): boolean => place !== undefined && place.in !== 'cookie';

/** What is typed is shared by the forms of a page; only then it is kept for the other pages, too. */
export const drawRemember = (id: string): Element =>
  h('p.api-remember', [
    element('input', { id, type: 'checkbox', dataRemember: '' }, []),
    text(' '),
    element('label', { htmlFor: [id] }, [text('Keep until this tab is closed, for all pages of this API')]),
  ]);

/** The fields of a way to authenticate. Those of the same way have the same content everywhere. */
export function drawScheme({ place, name, kind }: SecurityScheme, id: string): Element[] {
  if (!place) return [note(`${kind} (${name}): a web page cannot send it; use the code samples.`)];
  if (place.in === 'cookie') return [cookieNote(place.name)];
  const secret = { type: 'password', autoComplete: ['off'], dataScheme: name };
  if (place.prefix === 'Basic ') {
    return [
      field(`${id}-user`, 'User name', [
        element('input', { id: `${id}-user`, type: 'text', dataIn: 'user', dataScheme: name, autoComplete: ['off'] }),
      ]),
      field(`${id}-password`, 'Password', [element('input', { id: `${id}-password`, dataIn: 'password', ...secret })]),
    ];
  }
  const data = { dataIn: place.in, dataName: place.name, dataPrefix: place.prefix };
  return [field(id, kind, [element('input', { ...data, id, ...secret })])];
}

/** Browsers let no page set the header. */
const cookieNote = (name: string): Element =>
  note(`The cookie ${name} is not sent: a browser lets no page set cookies of another host. Use the code samples.`);

/** Headers that a browser sets itself, whatever a page says. */
const ownHeaders =
  /^(?:accept-(?:charset|encoding)|access-control-.*|connection|content-length|cookie2?|date|dnt|expect|host|keep-alive|origin|permissions-policy|proxy-.*|referer|sec-.*|te|trailer|transfer-encoding|upgrade|user-agent|via)$/i;

function drawParameter(tools: DrawTools, parameter: Parameter, anchor: string): Element {
  const { name, in: place, sample, isRequired, schema } = parameter;
  if (place === 'cookie') return cookieNote(name);
  if (place === 'header' && ownHeaders.test(name)) {
    return note(`The header ${name} is not sent as you like: browsers set it themselves. Use the code samples.`);
  }
  const view = schema === undefined ? undefined : readSchema(tools.reference, schema);
  const isList = view?.items !== undefined;
  const values = view?.values.map(({ value }) => value) ?? [];
  const choices = values.length === 0 && view?.type[0] === 'boolean' ? ['true', 'false'] : values;
  const id = `${anchor}-try-${place}-${name}`;
  const data = { id, dataIn: place, dataName: name, ...(isRequired && { required: true }) };
  const value = isRequired && sample !== undefined && sample !== null ? valueOf(sample) : '';
  const label = isList ? `${name} (values separated by commas)` : name;
  const control =
    choices.length > 0 && !isList
      ? select(data, isRequired ? choices : ['', ...choices], value)
      : element('input', { ...data, type: 'text', value, autoComplete: ['off'], ...(isList && { dataList: '' }) });
  return field(id, label, [control], isRequired);
}

const valueOf = (sample: unknown): string =>
  Array.isArray(sample) ? sample.map(valueText).join(',') : valueText(sample);

/** Descriptions that accept many types accept the same in each. */
const maxTypes = 10;

/** The body by its type: JSON and other texts are edited, forms have a field for each value, bytes are a file. */
function drawTryBody(tools: DrawTools, { anchor, method }: Operation, { body }: OperationView): Element[] {
  if (!body || body.contents.length === 0) return [];
  if (/^(?:get|head)$/i.test(method)) {
    return [
      note(`The body is not sent: a browser lets no page send one with ${method.toUpperCase()}. Use the code samples.`),
    ];
  }
  const contents = orderedContents(body.contents).slice(0, maxTypes);
  const id = `${anchor}-try-body`;
  const options = contents.map(({ type }, index) => ({ value: String(index), title: type }));
  return [
    ...(contents.length > 1 ? [choice({ id: `${id}-type`, label: 'Type of the body', kind: 'body' }, options)] : []),
    ...contents.map((content, index) =>
      group(
        'body',
        [index],
        drawContent(tools, content, { id: `${id}-${index}`, isRequired: body.isRequired, kind: `body-${index}` }),
        { dataType: content.type },
      ),
    ),
  ];
}

interface BodyField {
  id: string;
  isRequired: boolean;
  /** Of the choice of its variant. */
  kind: string;
}

function drawContent(tools: DrawTools, content: Content, { id, isRequired, kind }: BodyField): Element[] {
  const { type, examples } = content;
  const label = `Body (${type})`;
  if (isForm(type)) {
    const fields = formFields(tools, content, id);
    return fields.length > 0 ? fields : [note('The description names no fields of this form.')];
  }
  if (isBinary(tools, content)) {
    return [
      field(id, label, [element('input', { id, type: 'file', dataIn: 'body-file', required: isRequired })], isRequired),
    ];
  }
  const variants = variantsOf(tools.reference, content, 'request');
  const options = variants.map(({ title }, index) => ({ value: String(index), title }));
  const example = examples[0]?.value;
  const value = example === undefined ? '' : typeof example === 'string' ? example : JSON.stringify(example, null, 2);
  const data = { id, dataIn: 'body', ...(isJson(type) && { dataJson: '' }), required: isRequired };
  return [
    ...(options.length > 0
      ? [choice({ id: `${id}-variant`, label: 'Variant', kind }, options, firstVariant(variants, content))]
      : []),
    field(id, label, [element('textarea', { ...data, rows: 8, spellCheck: 'false' }, [text(value)])], isRequired),
  ];
}

const isForm = (type: string): boolean => /^(?:multipart\/form-data|application\/x-www-form-urlencoded)/i.test(type);

function isBinary(tools: DrawTools, { type, schema }: Content): boolean {
  if (isJson(type) || /^text\/|[/+]xml\b/i.test(type)) return false;
  if (/^(?:image|audio|video|font)\/|^application\/(?:octet-stream|pdf|zip|gzip)/i.test(type)) return true;
  return schema !== undefined && isFile(readSchema(tools.reference, schema).type);
}

const isFile = (type: readonly unknown[]): boolean => type.some((part) => part === ' (binary)');

function formFields(tools: DrawTools, { type, schema, examples }: Content, id: string): Element[] {
  if (schema === undefined) return [];
  const example = examples[0]?.value;
  const values = isObject(example) ? example : {};
  return readSchema(tools.reference, schema).properties.flatMap(({ name, isRequired, isPattern, schema: node }) => {
    if (isPattern === true) return [];
    const view = readSchema(tools.reference, node);
    const of = view.items === undefined ? view : readSchema(tools.reference, view.items);
    const fieldId = `${id}-${name}`;
    const data = { id: fieldId, dataIn: 'form', dataName: name, required: isRequired };
    if (isFile(of.type) && type.startsWith('multipart/')) {
      const input = element('input', { ...data, type: 'file', multiple: view.items !== undefined });
      return [field(fieldId, name, [input], isRequired)];
    }
    const value = isRequired && values[name] !== undefined ? valueText(values[name]) : '';
    const isNested = of.properties.length > 0;
    const control = isNested
      ? element('textarea', { ...data, rows: 4, spellCheck: 'false' }, [text(value)])
      : element('input', { ...data, type: 'text', value, autoComplete: ['off'] });
    return [field(fieldId, isNested ? `${name} (JSON)` : name, [control], isRequired)];
  });
}
