import { isObject } from '../../../shared/is-object.ts';
import { type Target } from '../../parse/place.ts';
import { isPlainReference } from '../../parse/reference.ts';
import { allowsAnything, exampleType } from '../likeness.ts';
import type { References } from '../references.ts';
import type { UserContext } from '@redocly/openapi-core';

/**
 * `no-unresolved-refs` with our reasons, as the references are resolved by us. A document that did not come is reported
 * by the rule `not-checked`, because its errors are unknown.
 */
export const unresolvedReferences = (references: References) => () => ({
  ref: {
    leave({ $ref }: { $ref: string }, context: UserContext) {
      const target = references.targetOf($ref, context.location);
      // A reference within its document that leads on to a refused one is reported there.
      if (target.place || (target.remote !== undefined && $ref.startsWith('#'))) return;
      const place = references.placeOf(context.location);
      // In an example, it may be a value that only looks like a reference.
      const isWritten = isObject(place?.node) && !isPlainReference(place.node);
      const isValue = context.type.name === exampleType || (allowsAnything(context.type) && isWritten);
      reportTarget($ref, target, context, isValue);
    },
  },
  Example(node: unknown, context: UserContext) {
    if (!isObject(node) || typeof node.externalValue !== 'string' || typeof node.$ref === 'string') return;
    const reference = node.externalValue;
    const target = references.targetOf(reference, context.location);
    // Any other URL or file may be correct, and does not have to be read.
    if (target.place || target.remote !== undefined || !('refused' in target && target.refused)) return;
    const location = context.location.child('externalValue');
    reportTarget(reference, target, { ...context, location }, target.refused === 'content');
  },
});

function reportTarget(reference: string, target: Target, { report, location }: UserContext, isLeft: boolean): void {
  if (target.place) return;
  const quoted = quote(reference);
  const at = location.child('$ref');
  if (target.remote !== undefined) {
    return report({
      ruleId: 'not-checked',
      message: `${quoted} is left as it is: nothing is downloaded`,
      location: at,
    });
  }
  // Its own findings say what is wrong with a file that cannot be read.
  if (target.reason === undefined) return;
  report({
    message: `${quoted} ${target.reason}${isLeft ? ': it is left as it is' : ''}`,
    location: at,
    ...(isLeft ? { forceSeverity: 'warn' } : {}),
    ...(target.isUnreachable ? { ruleId: 'not-checked' } : {}),
  });
}

function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 57)}...` : text);
}
