import type { Element, ElementContent, Properties } from 'hast';
import { element, text } from '../../content/html/hast.ts';
import {
  type Content,
  type Operation,
  type OperationView,
  type Parameter,
  type SecurityChoice,
  type Server,
  fixedVariables,
  isJson,
  originsOf,
  preferredContent,
  readSchema,
  valueText,
} from '../../openapi/reference/index.ts';
import { isObject } from '../../shared/is-object.ts';
import { h } from './elements.ts';
import type { DrawTools } from './tools.ts';

/** A form that sends the request from the browser; `script/try-it.ts` does that. Without JavaScript it is not shown. */
export function drawTryIt(tools: DrawTools, operation: Operation, view: OperationView): ElementContent[] {
  const { anchor, method, path, title } = operation;
  const servers = view.servers.filter((server) => originsOf(server).length > 0);
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
    ...(accept !== undefined && { dataAccept: accept }),
  };
  return [
    element('details', { className: ['api-try'], hidden: true }, [
      h('summary', 'Try it'),
      element('div', { role: 'form', ...data, ariaLabel: `Try ${title}` }, parts),
    ]),
  ];
}

function drawServers(servers: readonly Server[], anchor: string): Element[] {
  const id = `${anchor}-try-server`;
  const options = servers.map(({ url, filled, description }) => ({
    value: url.replace(/\/$/, ''),
    title: description === undefined ? filled : `${filled} (${description})`,
  }));
  return [
    choice({ id, label: 'Server', kind: 'server' }, options),
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
  return [element('div', { dataGroup: 'server', dataIndex: String(index) }, fields)];
}

const select = (data: Properties, values: readonly string[], current: string): Element =>
  element(
    'select',
    data,
    values.map((value) => element('option', { value, ...(value === current && { selected: true }) }, [text(value)])),
  );

function drawSecurity(choices: readonly SecurityChoice[], anchor: string): Element[] {
  const id = `${anchor}-try-security`;
  const options = choices.map((schemes, index) => ({
    value: String(index),
    title: schemes.length === 0 ? 'Nothing' : schemes.map(({ scheme }) => scheme.kind).join(' and '),
  }));
  const groups = choices.map((schemes, index) =>
    element(
      'div',
      { dataGroup: 'security', dataIndex: String(index) },
      schemes.flatMap(({ scheme }) => drawScheme(scheme, `${id}-${index}-${scheme.name}`)),
    ),
  );
  // A choice of one needs no control.
  return choices.length > 1 ? [choice({ id, label: 'Authentication', kind: 'security' }, options), ...groups] : groups;
}

function drawScheme({ place, name, kind }: SecurityChoice[number]['scheme'], id: string): Element[] {
  if (!place) return [note(`${kind} (${name}): a web page cannot send it; use the code samples.`)];
  if (place.in === 'cookie') return [cookieNote(place.name)];
  const secret = { type: 'password', autoComplete: ['off'] };
  if (place.prefix === 'Basic ') {
    return [
      field(`${id}-user`, 'User name', [
        element('input', { id: `${id}-user`, type: 'text', dataIn: 'user', autoComplete: ['off'] }),
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
  const first = preferredContent(body.contents);
  const contents = [...new Set([...(first ? [first] : []), ...body.contents])].slice(0, maxTypes);
  const id = `${anchor}-try-body`;
  const options = contents.map(({ type }, index) => ({ value: String(index), title: type }));
  return [
    ...(contents.length > 1 ? [choice({ id: `${id}-type`, label: 'Type of the body', kind: 'body' }, options)] : []),
    ...contents.map((content, index) =>
      element(
        'div',
        { dataGroup: 'body', dataIndex: String(index), dataType: content.type },
        drawContent(tools, content, { id: `${id}-${index}`, isRequired: body.isRequired }),
      ),
    ),
  ];
}

interface BodyField {
  id: string;
  isRequired: boolean;
}

function drawContent(tools: DrawTools, content: Content, { id, isRequired }: BodyField): Element[] {
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
  const example = examples[0]?.value;
  const value = example === undefined ? '' : typeof example === 'string' ? example : JSON.stringify(example, null, 2);
  const data = { id, dataIn: 'body', ...(isJson(type) && { dataJson: '' }), required: isRequired };
  return [
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

/* The controls of the form that sends a request. Those in a group are sent while the group is chosen. */

const note = (words: string): Element => h('p.api-note', words);

const field = (id: string, label: string, control: ElementContent[], isRequired = false): Element =>
  h('p', [
    element('label', { htmlFor: [id] }, [text(isRequired ? `${label} (required)` : label)]),
    text(' '),
    ...control,
  ]);

/** What decides which of the groups of its kind is sent. */
const choice = (
  { id, label, kind }: { id: string; label: string; kind: string },
  options: readonly { value: string; title: string }[],
): Element =>
  field(id, label, [
    element(
      'select',
      { id, dataChoice: kind, ...(kind === 'server' && { dataIn: kind }) },
      options.map(({ value, title }) => element('option', { value }, [text(title)])),
    ),
  ]);
