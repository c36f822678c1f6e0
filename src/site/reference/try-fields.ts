import type { Element, ElementContent } from 'hast';
import { element, text } from '../../content/html/hast.ts';
import { h } from './elements.ts';

/* The controls of the form that sends a request. Those in a group are sent while the group is chosen. */

export const note = (words: string): Element => h('p.api-note', words);

export const field = (id: string, label: string, control: ElementContent[], isRequired = false): Element =>
  h('p', [
    element('label', { htmlFor: [id] }, [text(isRequired ? `${label} (required)` : label)]),
    text(' '),
    ...control,
  ]);

/** What decides which of the groups of its kind is sent. */
export const choice = (
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
