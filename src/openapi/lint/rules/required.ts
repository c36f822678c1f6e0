import type { Oas3Rule } from '@redocly/openapi-core';
import { isObject } from '../../../shared/is-object.ts';
import { pathParameterNames } from '../../paths.ts';
import { followed } from './parameters.ts';
import type { Check, Rule } from './rule.ts';

/** A version has a patch number. */
export const fullVersion: Rule = () => ({
  Root(root, { report, location }) {
    const version = isObject(root) ? root.openapi : undefined;
    if (typeof version !== 'string' || version.split('.').length > 2) return;
    report({ message: `Expected a full version like "${version}.0"`, location: location.child('openapi') });
  },
});

/** A path is not complete without its parameters. */
export const pathParameterRequired: Rule = () => ({
  Parameter(node, { report, location }) {
    if (!isObject(node) || node.in !== 'path' || node.required === true) return;
    const key = Object.hasOwn(node, 'required') ? 'required' : 'in';
    report({ message: 'A path parameter must have "required: true"', location: location.child(key) });
  },
});

/** No parameter is used twice in a path. */
export const pathParametersUnique: Rule = () => ({
  Paths(paths, { report, location }) {
    for (const path of isObject(paths) ? Object.keys(paths) : []) {
      const names = pathParameterNames(path);
      const twice = names.find((name, index) => names.indexOf(name) !== index);
      if (twice === undefined) continue;
      report({ message: `{${twice}} is used more than once in this path`, location: location.child(path).key() });
    }
  },
});

/** A status is one of HTTP, or a range of them. */
export const statusCode: Rule = () => ({
  Responses(responses, { report, location }) {
    for (const status of isObject(responses) ? Object.keys(responses) : []) {
      // What is no number at all is reported with the structure.
      if (!/^\d{3}$/.test(status) || /^[1-5]/.test(status)) continue;
      report({ message: `${status} is not a status of HTTP`, location: location.child(status).key() });
    }
  },
});

/** `example` and `examples` exclude each other. */
export const exampleOrExamples: Rule = () => {
  const check: Check = (node, { report, location }) => {
    if (!isObject(node) || !Object.hasOwn(node, 'example') || !Object.hasOwn(node, 'examples')) return;
    report({ message: '"example" and "examples" exclude each other', location: location.child('example').key() });
  };
  return { Parameter: check, Header: check, MediaType: check };
};

/** Each security requirement names a security scheme of the description. */
export const securitySchemeDefined: Rule = () => {
  let schemes: Record<string, unknown> = {};
  return {
    Root(root, context) {
      if (!isObject(root)) return;
      const components = followed(root.components, context.location.child('components'), context);
      const { securitySchemes } = components?.node ?? {};
      const defined = followed(securitySchemes ?? root.securityDefinitions, context.location, context);
      schemes = defined?.node ?? {};
    },
    SecurityRequirement(node, { report, location }) {
      for (const name of isObject(node) ? Object.keys(node) : []) {
        // From 3.2 on, it may be named by an address.
        if (name.includes('/') || Object.hasOwn(schemes, name)) continue;
        report({ message: `No security scheme "${name}" is defined`, location: location.child(name).key() });
      }
    },
  };
};

/** From 3.1 on, `nullable` has no effect. */
export const noNullable: Rule = () => ({
  Schema(node, { report, location }) {
    if (!isObject(node) || !Object.hasOwn(node, 'nullable')) return;
    const message = '"nullable" has no effect since OpenAPI 3.1: write "null" as one of the types';
    report({ message, location: location.child('nullable').key() });
  },
});

/**
 * A default is valid against its schema. It is checked as an example would be.
 *
 * @param checkExamples the library's rule for examples
 */
export function validDefaults(checkExamples: Oas3Rule): () => { Schema: { leave: Check } } {
  return () => {
    const examples = checkExamples({});
    const schemaVisitor = Array.isArray(examples) ? undefined : examples.Schema;
    const check = typeof schemaVisitor === 'object' ? schemaVisitor.leave : undefined;
    return {
      Schema: {
        leave(schema, context) {
          if (!isObject(schema) || !Object.hasOwn(schema, 'default') || !check) return;
          const { examples: _, ...rest } = schema;
          const before = context.location.child('example').pointer;
          const after = context.location.child('default').pointer;
          const report: typeof context.report = (problem) => {
            const { location, message } = problem;
            const moved = [location ?? []].flat().map((each) => {
              const pointer = 'pointer' in each ? each.pointer : undefined;
              return pointer?.startsWith(before) ? { ...each, pointer: after + pointer.slice(before.length) } : each;
            });
            context.report({
              message: message.replace(/^Example (?:value|validation)/, 'The default'),
              location: moved,
            });
          };
          check({ ...rest, example: schema.default }, { ...context, report, ignoreNextVisitorsOnNode: () => {} });
        },
      },
    };
  };
}
