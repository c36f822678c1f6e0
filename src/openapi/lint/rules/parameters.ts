import type { UserContext } from '@redocly/openapi-core';
import { isObject } from '../../../shared/is-object.ts';
import { methods } from '../../paths.ts';

type Location = UserContext['location'];

/** An operation with all parameters that count for it. */
export interface DescribedOperation {
  method: string;
  node: Record<string, unknown>;
  location: Location;
  parameters: { node: Record<string, unknown>; location: Location }[];
}

/** The operations of a path item, with its parameters if they have none of the same name and place themselves. */
export function operationsOf(item: unknown, context: UserContext): DescribedOperation[] {
  if (!isObject(item)) return [];
  const shared = parametersOf(item, context.location, context);
  return methods.flatMap((method): DescribedOperation[] => {
    const operation = Object.hasOwn(item, method)
      ? followed(item[method], context.location.child(method), context)
      : undefined;
    if (!operation) return [];
    const own = parametersOf(operation.node, operation.location, context);
    const names = new Set(own.map(({ node }) => idOf(node)));
    const parameters = [...shared.filter(({ node }) => !names.has(idOf(node))), ...own];
    return [{ method, ...operation, parameters }];
  });
}

const idOf = (parameter: Record<string, unknown>) => JSON.stringify([parameter.in, parameter.name]);

function parametersOf(holder: Record<string, unknown>, location: Location, context: UserContext) {
  const { parameters } = holder;
  if (!Array.isArray(parameters)) return [];
  return parameters.flatMap((parameter: unknown, index) => {
    const target = followed(parameter, location.child(['parameters', index]), context);
    return target ? [{ node: target.node, location: location.child(['parameters', index]) }] : [];
  });
}

/** A value, or what it refers to. */
export function followed(value: unknown, location: Location, { resolve }: UserContext) {
  if (!isObject(value)) return undefined;
  if (typeof value.$ref !== 'string') return { node: value, location };
  const target = resolve<Record<string, unknown>>({ $ref: value.$ref }, location.source.absoluteRef);
  return isObject(target.node) && target.location ? { node: target.node, location: target.location } : undefined;
}
