import type { UserContext } from '@redocly/openapi-core';
import { isObject } from '../../shared/is-object.ts';
import { SlowPattern } from './limited-patterns.ts';

type Visit = (node: unknown, context: UserContext, ...more: unknown[]) => unknown;

interface Guards {
  /** Whether a rule does not apply to a value. */
  skips(node: unknown, context: UserContext): boolean;
  /** A rule has failed at a value. @param reason for users, where there is one */
  failed(context: UserContext, reason: string | undefined): void;
}

/**
 * A rule's visitor that goes on where the rule fails: the rules of the library take for granted that the structure is
 * right, and an error of one would end the whole check.
 */
export function guarded(visitor: unknown, guards: Guards): Record<string, unknown> {
  if (!isObject(visitor)) return {};
  return Object.fromEntries(
    Object.keys(visitor).map((key) => {
      const value = visitor[key];
      if (typeof value === 'function' && key !== 'skip') return [key, guardedVisit(value.bind(visitor), guards, key)];
      return [key, isObject(value) ? guarded(value, guards) : value];
    }),
  );
}

function guardedVisit(visit: Visit, guards: Guards, key: string): Visit {
  return (node, context, ...more) => {
    if (key !== 'ref' && 'location' in context && guards.skips(node, context)) return undefined;
    try {
      return visit(node, context, ...more);
    } catch (error) {
      // Too little stack is a matter of the whole walk, not of the rule.
      if (error instanceof RangeError) throw error;
      return guards.failed(context, error instanceof SlowPattern ? error.message : undefined);
    }
  };
}
