import type { Element, ElementContent } from 'hast';
import { element, text } from '../../content/html/content.ts';
import {
  type Operation,
  type OperationView,
  type Parameter,
  preferredContent,
  valueText,
} from '../../openapi/reference/index.ts';
import type { DrawTools } from './tools.ts';

/** A form that sends the request from the browser; `script/try-it.ts` does that. Without JavaScript it is not shown. */
export function drawTryIt(_tools: DrawTools, operation: Operation, view: OperationView): ElementContent[] {
  const { anchor, method, path, title } = operation;
  const content = view.body && preferredContent(view.body.contents);
  const example = content?.examples[0]?.value;
  const body = example === undefined ? '' : typeof example === 'string' ? example : JSON.stringify(example, null, 2);
  const fields = [
    ...serverFields(view, anchor),
    ...(view.security[0] ?? []).flatMap(({ scheme }) => {
      const { place, name, kind } = scheme;
      if (!place) return [note(`${kind} (${name}): a web page cannot send it; use the code samples.`)];
      if (place.in === 'cookie') return [cookieNote(place.name)];
      const data = { dataIn: place.in, dataName: place.name, dataPrefix: place.prefix };
      return [
        field(`${anchor}-try-${name}`, kind, [
          element('input', { ...data, id: `${anchor}-try-${name}`, type: 'password', autoComplete: ['off'] }),
        ]),
      ];
    }),
    ...view.parameters
      .filter(({ problem }) => problem === undefined)
      .map((parameter) => (parameter.in === 'cookie' ? cookieNote(parameter.name) : parameterField(anchor, parameter))),
    ...(content
      ? [
          field(`${anchor}-try-body`, `Body (${content.type})`, [
            element(
              'textarea',
              { id: `${anchor}-try-body`, dataIn: 'body', dataType: content.type, rows: 8, spellCheck: 'false' },
              [text(body)],
            ),
          ]),
        ]
      : []),
  ];
  return [
    element('details', { className: ['api-try'], hidden: true }, [
      element('summary', {}, [text('Try it')]),
      element('div', { role: 'form', dataMethod: method.toUpperCase(), dataPath: path, ariaLabel: `Try ${title}` }, [
        ...fields,
        element('button', { type: 'button', className: ['button', 'button-primary'] }, [text('Send')]),
        element('div', { className: ['api-answer'], ariaLive: 'polite' }, []),
      ]),
    ]),
  ];
}

const note = (words: string): Element => element('p', { className: ['api-note'] }, [text(words)]);

/** Browsers let no page set the header. */
const cookieNote = (name: string): Element =>
  note(`The cookie ${name} is not sent: a browser lets no page set cookies of another host. Use the code samples.`);

const field = (id: string, label: string, control: ElementContent[], isRequired = false): Element =>
  element('p', {}, [
    element('label', { htmlFor: [id] }, [text(isRequired ? `${label} (required)` : label)]),
    text(' '),
    ...control,
  ]);

function serverFields({ servers }: OperationView, anchor: string): Element[] {
  const id = `${anchor}-try-server`;
  const options = servers.map(({ filled }) => element('option', { value: filled }, [text(filled)]));
  return options.length === 0 ? [] : [field(id, 'Server', [element('select', { id, dataIn: 'server' }, options)])];
}

function parameterField(anchor: string, { name, in: place, sample, isRequired }: Parameter): Element {
  const id = `${anchor}-try-${place}-${name}`;
  const value = isRequired && sample !== undefined && sample !== null ? valueText(sample) : '';
  const input = element('input', {
    id,
    type: 'text',
    dataIn: place,
    dataName: name,
    value,
    autoComplete: ['off'],
    ...(isRequired && { required: true }),
  });
  return field(id, name, [input], isRequired);
}
