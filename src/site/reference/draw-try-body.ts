import type { Element } from 'hast';
import { element, text } from '../../content/html/hast.ts';
import {
  type Content,
  isJson,
  type Operation,
  type OperationView,
  preferredContent,
  readSchema,
  valueText,
} from '../../openapi/reference/index.ts';
import { isObject } from '../../shared/is-object.ts';
import type { DrawTools } from './tools.ts';
import { choice, field, note } from './try-fields.ts';

/** Descriptions that accept many types accept the same in each. */
const maxTypes = 10;

/** The body by its type: JSON and other texts are edited, forms have a field for each value, bytes are a file. */
export function drawTryBody(tools: DrawTools, { anchor, method }: Operation, { body }: OperationView): Element[] {
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
