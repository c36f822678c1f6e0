import { isObject } from '../../../shared/is-object.ts';
import { pathParameterNames } from '../../paths.ts';
import { followed, operationsOf } from './parameters.ts';
import type { Rule } from './rule.ts';

const help = { reference: 'https://redocly.com/docs/cli/rules/oas/path-parameters-defined' };

/**
 * `path-parameters-defined`, also if a path item or an operation is a reference. The library's rule takes the
 * expressions of callbacks for paths, and gives up in callbacks of callbacks.
 */
export const pathParametersDefined: Rule = () => ({
  Paths(paths, context) {
    if (!isObject(paths)) return;
    for (const [path, value] of Object.entries(paths)) {
      const item = path.startsWith('/') ? followed(value, context.location.child(path), context) : undefined;
      if (!item) continue;
      const names = new Set(pathParameterNames(path));
      for (const { node, location, parameters } of operationsOf(item.node, { ...context, location: item.location })) {
        const declared = parameters.filter((parameter) => parameter.node.in === 'path');
        for (const name of names) {
          if (declared.some((parameter) => parameter.node.name === name)) continue;
          const message = `The operation does not define the path parameter \`{${name}}\` expected by path \`${path}\``;
          const key = Object.hasOwn(node, 'parameters') ? location.child('parameters') : location;
          context.report({ ...help, message, location: key.key() });
        }
        for (const parameter of declared) {
          const { name } = parameter.node;
          if (typeof name !== 'string' || names.has(name)) continue;
          const message = `Path parameter \`${name}\` is not used in the path \`${path}\``;
          context.report({ ...help, message, location: parameter.location });
        }
      }
    }
  },
});
