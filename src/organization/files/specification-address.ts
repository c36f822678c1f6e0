import { webAddress } from '../../contract/schema.ts';
import { isObject } from '../../shared/is-object.ts';
import { readYaml, UnreadableYaml } from '../../shared/yaml.ts';
import { writeYaml } from './write-files.ts';

/** Longer texts are specifications. */
const maxLength = 10_000;

/** The file of a specification that the service fetches from an address. */
export const addressFile = (address: string): string => writeYaml({ source: address });

/** The only value of a file like that; undefined for the text of a specification. */
export function addressIn(text: string): unknown {
  if (text.length > maxLength || !text.includes('source')) return undefined;
  try {
    const value = readYaml(text);
    return isObject(value) && Object.keys(value).length === 1 ? value['source'] : undefined;
  } catch (error) {
    // Publishing it reports what is wrong.
    if (error instanceof UnreadableYaml) return undefined;
    throw error;
  }
}

export type SpecificationSource = { url: string } | { text: string };

/** What to publish for a file. */
export function sourceOf(text: string): SpecificationSource {
  const address = addressIn(text);
  return typeof address === 'string' ? { url: address } : { text };
}

export const isAddress = (value: unknown): boolean => webAddress(2048).safeParse(value).success;
