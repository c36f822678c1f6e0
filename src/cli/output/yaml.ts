import type { Writer } from './options.ts';
import { hasHiddenInText, visibleJson } from '../../shared/visible.ts';

// Words that YAML 1.1 reads as booleans are quoted, because many programs still follow it; long lines are not folded.
const style = { lineWidth: 0, compat: 'yaml-1.1', aliasDuplicateObjects: false } as const;

/** One value as YAML. Every character that acts on a terminal is escaped. */
export async function yamlText(value: unknown): Promise<string> {
  const { stringify, Document, visit } = await import('yaml');
  const text = stringify(value, style);
  if (!hasHiddenInText(text)) return text;
  const document = new Document(value, style);
  visit(document, {
    Scalar(_, node) {
      if (typeof node.value === 'string' && hasHiddenInText(node.value)) node.type = 'QUOTE_DOUBLE';
    },
  });
  return visibleJson(document.toString(style));
}

/** One list for all pages. */
export function createYamlWriter(): Writer {
  let isEmpty = true;
  return {
    async page(items) {
      if (items.length === 0) return '';
      isEmpty = false;
      return yamlText(items);
    },
    end: () => (isEmpty ? '[]\n' : ''),
  };
}
