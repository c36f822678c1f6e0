import type { ElementContent } from 'hast';
import { common, createLowlight } from 'lowlight';

const lowlight = createLowlight(common);
lowlight.registerAlias({
  bash: ['curl', 'console', 'terminal'],
  json: ['json5', 'jsonc'],
  xml: ['vue', 'svelte'],
  ini: ['env', 'dotenv'],
});

/** The code with the classes of its parts (`hljs-...`); undefined: the language is not one of the common ones. */
export function highlight(code: string, language: string): ElementContent[] | undefined {
  if (!lowlight.registered(language)) return undefined;
  return lowlight.highlight(language, code).children.filter((child) => child.type !== 'doctype');
}
