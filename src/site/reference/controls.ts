import type { Element, ElementContent, Properties } from 'hast';
import { element, text } from '../../content/html/hast.ts';
import { h } from './elements.ts';

/* Controls of forms, and switches between the parts of an operation. `script/choices.ts` shows the chosen parts. */

export const note = (words: string): Element => h('p.api-note', words);

export const field = (id: string, label: string, control: ElementContent[], isRequired = false): Element =>
  h('p', [
    element('label', { htmlFor: [id] }, [text(isRequired ? `${label} (required)` : label)]),
    text(' '),
    ...control,
  ]);

export const select = (data: Properties, values: readonly string[], current: string): Element =>
  element(
    'select',
    data,
    values.map((value) => element('option', { value, ...(value === current && { selected: true }) }, [text(value)])),
  );

interface Choice {
  id: string;
  label: string;
  /** Which groups it is about. All controls of a kind in an operation change together. */
  kind: string;
}

interface Option {
  value: string;
  title: string;
  /** The address of a server with its usual variables. */
  filled?: string;
}

/** What decides which of the groups of its kind is shown and sent. */
export const choice = ({ id, label, kind }: Choice, options: readonly Option[], selected = 0): Element =>
  field(id, label, [
    element(
      'select',
      { id, dataChoice: kind, ...(kind === 'server' && { dataIn: kind }) },
      options.map(({ value, title, filled }, index) =>
        element(
          'option',
          { value, ...(filled !== undefined && { dataFilled: filled }), ...(index === selected && { selected: true }) },
          [text(title)],
        ),
      ),
    ),
  ]);

/** A choice outside of a form. Without JavaScript, all groups are shown, and no choice. */
export function drawSwitch(where: Choice, titles: readonly string[], selected = 0): Element {
  const options = titles.map((title, index) => ({ value: String(index), title }));
  const drawn = choice(where, options, selected);
  return { ...drawn, properties: { className: ['api-switch'], hidden: true } };
}

/** What belongs to some of the options of a choice. */
export const group = (kind: string, indices: readonly number[], children: ElementContent[], more: Properties = {}) =>
  element('div', { dataGroup: kind, dataIndex: indices.join(' '), ...more }, children);
