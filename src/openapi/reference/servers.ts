import { isObject } from '../../shared/is-object.ts';
import { entriesAt, listAt, type Fields, textAt, textsAt, valueText } from '../fields.ts';
import type { Reference } from './reference.ts';

export interface Server {
  /** As in the description, with variables in braces. */
  url: string;
  /** With the default values of its variables. */
  filled: string;
  description: string | undefined;
  variables: { name: string; value: string; values: string[]; description: string | undefined }[];
}

/** The servers of an operation, or else those of its path or document. */
export function serversOf(reference: Reference, ...holders: readonly Fields[]): Server[] {
  if (reference.isSwagger) return swaggerServers(reference.document, holders[0]);
  const holder = [...holders, reference.document].find((each) => listAt(each, 'servers').some(isObject));
  return holder === undefined ? [] : listAt(holder, 'servers').filter(isObject).map(serverOf);
}

function serverOf(node: Fields): Server {
  const url = textAt(node, 'url') ?? '/';
  const variables = entriesAt(node, 'variables').map(([name, value]) => {
    const variable = isObject(value) ? value : {};
    return {
      name,
      value: valueText(variable.default ?? ''),
      values: textsAt(variable, 'enum'),
      description: textAt(variable, 'description'),
    };
  });
  const values = new Map(variables.map(({ name, value }) => [name, value]));
  const filled = url.replaceAll(/\{([^{}]*)\}/g, (match, name: string) => values.get(name) ?? match);
  return { url, filled: filled.replace(/\/$/, ''), description: textAt(node, 'description'), variables };
}

function swaggerServers(document: Fields, operation: Fields = {}): Server[] {
  const host = textAt(document, 'host');
  const base = (textAt(document, 'basePath') ?? '').replace(/\/$/, '');
  if (host === undefined) return base === '' ? [] : [plainServer(base)];
  const own = textsAt(operation, 'schemes');
  const schemes = own.length > 0 ? own : textsAt(document, 'schemes');
  return (schemes.length > 0 ? schemes : ['https']).map((scheme) => plainServer(`${scheme}://${host}${base}`));
}

const plainServer = (url: string): Server => ({ url, filled: url, description: undefined, variables: [] });
