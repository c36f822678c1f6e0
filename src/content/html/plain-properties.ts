import type { Element } from 'hast';

const kept = new Set([
  'id',
  'lang',
  'dir',
  'title',
  'colSpan',
  'rowSpan',
  'scope',
  'start',
  'reversed',
  'type',
  'dateTime',
  'open',
  'width',
  'height',
]);

/** The attributes that stay as they are; alignment becomes a class. */
export function plainProperties({ properties }: Element): Element['properties'] {
  const result: Element['properties'] = {};
  for (const [name, value] of Object.entries(properties)) if (kept.has(name)) result[name] = value;
  const { align } = properties;
  if (typeof align === 'string' && /^(?:left|center|right)$/i.test(align)) {
    result['className'] = [`align-${align.toLowerCase()}`];
  }
  return result;
}
