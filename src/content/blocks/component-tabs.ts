import { eachTextLine } from './containers.ts';

const tag = /^\s*<(\/?)(Tabs|TabItem)(\s[^<>]*)?>\s*$/;

const attributePattern = /\b(label|value)=(?:"([^"]*)"|'([^']*)'|\{["']([^"'{}]*)["']\})/g;

interface Line {
  index: number;
  text: string;
}

/**
 * A text with the tabs of Docusaurus (`<Tabs>` with `<TabItem label="A">`) as blocks. Each line stays where it is. Tabs that
 * are not closed, or that have anything but a line of their own, stay as they are.
 */
export function tabsOfComponents(text: string): string {
  if (!text.includes('<TabItem')) return text;
  const lines = text.split('\n');
  const open: string[] = [];
  let pending: Line[] = [];
  const changed: Line[] = [];
  eachTextLine(lines, (line, index) => {
    const [, slash, name = '', attributes = ''] = tag.exec(line) ?? [];
    if (name === '') return;
    const isPlaced = slash === '' ? (name === 'Tabs') === (open.at(-1) !== 'Tabs') : open.pop() === name;
    if (!isPlaced) {
      open.length = 0;
      pending = [];
      return;
    }
    if (slash === '') open.push(name);
    pending.push({ index, text: blockTag(name, slash === '/', attributes) });
    if (open.length > 0) return;
    changed.push(...pending);
    pending = [];
  });
  for (const { index, text: block } of changed) lines[index] = block;
  return changed.length === 0 ? text : lines.join('\n');
}

function blockTag(name: string, isEnd: boolean, attributes: string): string {
  if (isEnd) return name === 'Tabs' ? '{% endtabs %}' : '{% endtab %}';
  if (name === 'Tabs') return '{% tabs %}';
  const values = new Map<string, string>();
  for (const [, attribute = '', quoted, single, inBraces] of attributes.matchAll(attributePattern))
    values.set(attribute, quoted ?? single ?? inBraces ?? '');
  const title = (values.get('label') || values.get('value') || 'Tab').replaceAll('\\', '').replaceAll('"', '\\"');
  return `{% tab title="${title.replaceAll('%}', '')}" %}`;
}
