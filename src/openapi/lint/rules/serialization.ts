import type { UserContext } from '@redocly/openapi-core';
import { isObject } from '../../../shared/is-object.ts';
import type { Rule } from './rule.ts';

type Fields = Record<string, unknown>;

const ofSchemas = ['style', 'explode', 'allowReserved'];
/** What RFC 9110 allows as the name of a header field. */
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Fields of a parameter that exclude each other, or are only for parameters in another place. */
export const parameterFields: Rule = () => ({
  Parameter(node, context) {
    if (!isObject(node)) return;
    const report = (key: string, message: string) =>
      context.report({ message, location: context.location.child(key).key() });
    const extra = Object.hasOwn(node, 'content') ? ofSchemas.find((key) => Object.hasOwn(node, key)) : undefined;
    if (extra !== undefined) report(extra, `"${extra}" is for parameters with "schema", and this one has "content"`);
    else if (Object.hasOwn(node, 'allowReserved') && !mayBeReserved(node, context)) {
      report('allowReserved', `"allowReserved" is not possible in: ${String(node.in)}`);
    }
    if (node.in === 'querystring' && Object.hasOwn(node, 'schema'))
      report('schema', 'A parameter in: querystring has "content", and no "schema"');
    // Older versions do not say what a name may be.
    if (isVersion32(context) && node.in === 'header' && typeof node.name === 'string' && !token.test(node.name)) {
      const message = `${JSON.stringify(node.name)} cannot be the name of a header`;
      context.report({ message, location: context.location.child('name') });
    }
  },
});

/** Where special characters would be escaped without it. */
function mayBeReserved({ in: where, style = 'form' }: Fields, context: UserContext): boolean {
  if (where === 'query') return true;
  return isVersion32(context) && (where === 'path' || (where === 'cookie' && style === 'form'));
}

const isVersion32 = ({ specVersion }: UserContext): boolean => specVersion === 'oas3_2';

/** From 3.2 on, parts of a form are encoded by their names or by their order. Media types have a rule of the library. */
export const nestedEncoding: Rule = () => ({
  Encoding(node, { report, location }) {
    if (!isObject(node) || !Object.hasOwn(node, 'encoding')) return;
    const other = ['prefixEncoding', 'itemEncoding'].find((key) => Object.hasOwn(node, key));
    if (other === undefined) return;
    report({ message: `"encoding" and "${other}" exclude each other`, location: location.child(other).key() });
  },
});

/** From 3.2 on, `nodeType` replaces `attribute` and `wrapped`. */
export const xmlNodeType: Rule = () => ({
  Xml(node, { report, location }) {
    if (!isObject(node) || !Object.hasOwn(node, 'nodeType')) return;
    const other = ['attribute', 'wrapped'].find((key) => Object.hasOwn(node, key));
    if (other === undefined) return;
    report({ message: `"nodeType" and "${other}" exclude each other`, location: location.child(other).key() });
  },
});
