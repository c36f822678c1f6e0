import { isObject } from '../../../shared/is-object.ts';
import { type DescribedOperation, operationsOf } from './parameters.ts';
import type { Check, Rule } from './rule.ts';

/** 2.0: an operation has one body at most, and no form beside it. */
export const oneBody: Rule = () => ({
  PathItem(item, context) {
    for (const operation of operationsOf(item, context)) {
      const bodies = operation.parameters.filter(({ node }) => node.in === 'body');
      const hasForm = operation.parameters.some(({ node }) => node.in === 'formData');
      const method = operation.method.toUpperCase();
      const [body, second] = bodies;
      if (second) context.report({ message: `${method} has more than one body parameter`, location: second.location });
      if (body && hasForm) {
        context.report({
          message: `${method} has both a body and form parameters (formData)`,
          location: body.location,
        });
      }
    }
  },
});

const formTypes = /^(?:multipart\/(?:[\w.-]+\+)?form-data|application\/(?:[\w.-]+\+)?x-www-form-urlencoded)\b/i;

/** 2.0: a parameter of type file is a form parameter, and its operation takes forms. */
export const fileParameter: Rule = () => {
  let consumed: unknown;
  return {
    Root(root) {
      consumed = isObject(root) ? root.consumes : undefined;
    },
    PathItem(item, context) {
      for (const operation of operationsOf(item, context)) {
        for (const { node, location } of operation.parameters) {
          if (isObject(node.schema) && node.schema.type === 'file')
            context.report({ message: 'The schema of a body cannot be a file', location });
          if (node.type !== 'file') continue;
          if (node.in !== 'formData') {
            context.report({ message: 'A parameter of type file must be in formData', location });
          } else if (!consumesForms(operation, consumed)) {
            const method = operation.method.toUpperCase();
            const message = `A parameter of type file needs "consumes: [multipart/form-data]" in ${method}`;
            context.report({ message, location });
          }
        }
      }
    },
  };
};

function consumesForms({ node }: DescribedOperation, consumed: unknown): boolean {
  const types = node.consumes ?? consumed;
  return Array.isArray(types) && types.some((type) => typeof type === 'string' && formTypes.test(type));
}

/** An array says what its items are: in 2.0 and 3.0, without exception. */
export const arrayItems: Rule = () => {
  const check: Check = (node, { report, location }) => {
    if (!isObject(node) || node.type !== 'array' || Object.hasOwn(node, 'items')) return;
    report({ message: 'An array needs "items"', location: location.child('type') });
  };
  return { Parameter: check, ParameterItems: check, Header: check, Schema: check };
};

/** 2.0: only parameters of a query or a form can be given several times. */
export const multiParameter: Rule = () => ({
  Parameter(node, { report, location }) {
    if (!isObject(node) || node.collectionFormat !== 'multi' || node.in === 'query' || node.in === 'formData') return;
    const message = '"collectionFormat: multi" is possible only in a query and in formData';
    report({ message, location: location.child('collectionFormat') });
  },
});
