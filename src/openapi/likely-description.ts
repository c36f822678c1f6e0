import { identify } from './identity.ts';

const inYaml = /^["']?(?:openapi|swagger)["']?[ \t]*:[ \t]*["']?\d/m;
const inJson = /"(?:openapi|swagger)"\s*:\s*"\d/;

/** Whether a text is a description, and not another YAML or JSON file such as a part of one. */
export function isLikelyDescription(text: string): boolean {
  if (!/^\uFEFF?\s*\{/.test(text)) return inYaml.test(text);
  if (!inJson.test(text)) return false;
  try {
    return identify(JSON.parse(text)).version !== undefined;
  } catch {
    // A mistake in the file is reported later.
    return true;
  }
}

/** Whether the name of a file is one that descriptions have. */
export const hasDescriptionName = (path: string): boolean => /\.(?:ya?ml|json)$/i.test(path);
