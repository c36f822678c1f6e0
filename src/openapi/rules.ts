import type { Rule } from './finding.ts';
import { isObject, type Version } from './identity.ts';
import { childOf, type Library, type Place, type Target } from './library.ts';
import { expectedAt, type Scalar, type Type } from './walk.ts';

export type Report = (
  place: Place,
  message: string,
  about?: { rule?: Rule; severity?: 'error' | 'warning'; onKey?: boolean; see?: Place },
) => void;

/** What is said of a value of a type, named as in the specification; `any` for all of them. */
export type Checks = Record<string, ((place: Place, type: Type) => void)[]>;

export function checksOf(version: Version, root: Place, library: Library, report: Report): Checks {
  return {
    any: [structure(version, root, library, report)],
    Root: [wholeVersion(report)],
    Operation: [uniqueOperationIds(report)],
    Parameter: [requiredPathParameters(report)],
    ParameterList: [uniqueParameters(library, report)],
    Paths: [uniquePaths(report), pathParameters(library, report)],
    SecurityRequirement: [definedSecurity(root, report)],
  };
}

export function checkReference(place: Place, reference: string, target: Target, report: Report): void {
  const at = childOf(place, '$ref') ?? place;
  if (target.place) return;
  if (target.remote !== undefined) {
    // Within the document, it leads to a reference of which that is said.
    if (reference.startsWith('#')) return;
    const message = `${show(reference)} is left as it is: nothing is downloaded`;
    report(at, message, { rule: 'remote-reference', severity: 'warning' });
  } else if (target.reason !== undefined) {
    report(at, `${show(reference)} ${target.reason}`, { rule: 'reference' });
  }
}

function structure(version: Version, root: Place, library: Library, report: Report): Checks[string][number] {
  const isJsonSchema = version !== '2.0' && version !== '3.0';
  const isForeign = isJsonSchema ? foreignDialects(root.node) : () => false;
  return (place, type) => {
    const { node } = place;
    const isSchema = isJsonSchema && type.name === 'Schema';
    // From 3.1 on, a schema may be just true or false, and may hold keywords that nobody else knows.
    if (isSchema && (typeof node === 'boolean' || isForeign(place))) return;
    if (type.items) {
      if (!Array.isArray(node)) report(place, `Expected an array, found ${show(node)}`);
      return;
    }
    if (!isObject(node)) return report(place, `Expected an object, found ${show(node)}`);
    checkPresence(node, place, type, report);
    for (const name of Object.keys(node)) {
      const child = childOf(place, name)!;
      const expected = expectedAt(type, name, child.node);
      if (expected === undefined && !isSchema) report(child, unknownMessage(name, type), { onKey: true });
      else if (expected && expected.name === undefined) checkScalar(child, expected, library, report);
    }
  };
}

/**
 * From 3.1 on, a document or a schema may name the meaning of its keywords: tells the schemas that stand under one that
 * is not known here.
 */
function foreignDialects(root: unknown): (place: Place) => boolean {
  const known = /^https:\/\/(?:spec\.openapis\.org\/oas\/|json-schema\.org\/draft\/2020-12\/)/;
  const isForeign = (dialect: unknown) => typeof dialect === 'string' && !known.test(dialect);
  if (isObject(root) && isForeign(root.jsonSchemaDialect)) return () => true;
  return (place) => {
    for (let at: Place | undefined = place; at; at = at.parent) {
      if (isObject(at.node) && isForeign(at.node.$schema)) return true;
    }
    return false;
  };
}

function checkPresence(node: Record<string, unknown>, place: Place, type: Type, report: Report): void {
  const required = typeof type.required === 'function' ? type.required(node, place.key) : (type.required ?? []);
  for (const name of required) {
    if (!Object.hasOwn(node, name)) report(place, `"${name}" is missing in ${noun(type)}`, { onKey: true });
  }
  const choices = type.requiredOneOf ?? [];
  if (choices.length > 0 && !choices.some((name) => Object.hasOwn(node, name))) {
    report(place, `One of ${list(choices)} is missing in ${noun(type)}`, { onKey: true });
  }
  const allowed = type.allowed?.(node);
  for (const name of allowed ? Object.keys(type.properties) : []) {
    const child = allowed!.includes(name) ? undefined : childOf(place, name);
    if (child) report(child, `"${name}" does not go with the other fields here`, { onKey: true });
  }
}

function unknownMessage(name: string, type: Type): string {
  if (type.name === 'Paths') return `A path must begin with "/", found ${show(name)}`;
  if (type.name === 'Responses') return `${show(name)} is no status: expected one like "200" or "4XX", or "default"`;
  const near = nearest(name, Object.keys(type.properties));
  return `${show(name)} is not known in ${noun(type)}${near ? `: did you mean "${near}"?` : ''}`;
}

function checkScalar(place: Place, expected: Scalar, library: Library, report: Report): void {
  const { node } = library.follow(place) ?? place;
  if (expected.enum && !expected.enum.includes(node)) {
    report(place, `${show(node)} is not one of ${list(expected.enum)}`);
  } else if (expected.type && !hasType(node, expected.type)) {
    const isBare = expected.type === 'string' && (typeof node === 'number' || typeof node === 'boolean');
    const hint = isBare ? ': put it in quotes' : '';
    report(place, `Expected ${article(expected.type)}, found ${show(node)}${hint}`);
  } else if (expected.minimum !== undefined && typeof node === 'number' && node < expected.minimum) {
    report(place, `Expected at least ${expected.minimum}, found ${node}`);
  } else if (expected.items && Array.isArray(node)) {
    for (const index of node.keys())
      checkScalar(childOf(place, String(index)) ?? place, expected.items, library, report);
  }
}

function wholeVersion(report: Report): Checks[string][number] {
  return (root) => {
    const version = childOf(root, 'openapi');
    if (typeof version?.node !== 'string' || version.node.split('.').length > 2) return;
    report(version, `Expected a full version like "${version.node}.0"`, { rule: 'openapi-version' });
  };
}

function uniqueOperationIds(report: Report): Checks[string][number] {
  const first = new Map<string, Place>();
  return (operation) => {
    const id = childOf(operation, 'operationId');
    if (typeof id?.node !== 'string') return;
    const see = first.get(id.node);
    if (see) report(id, `operationId ${show(id.node)} is already used`, { rule: 'operation-id-unique', see });
    else first.set(id.node, id);
  };
}

function uniqueParameters(library: Library, report: Report): Checks[string][number] {
  return (parameters) => {
    const first = new Map<string, Place>();
    for (const item of itemsOf(parameters)) {
      const parameter = library.follow(item)?.node;
      if (!isObject(parameter)) continue;
      const key = JSON.stringify([parameter.in, parameter.name]);
      const see = first.get(key);
      const message = `The ${String(parameter.in)} parameter ${show(parameter.name)} is already in this list`;
      if (see) report(item, message, { rule: 'parameter-unique', see });
      else first.set(key, item);
    }
  };
}

function requiredPathParameters(report: Report): Checks[string][number] {
  return (parameter) => {
    const { node } = parameter;
    if (!isObject(node) || node.in !== 'path' || node.required === true) return;
    const at = childOf(parameter, 'required') ?? childOf(parameter, 'in')!;
    report(at, 'A path parameter must have "required: true"');
  };
}

function uniquePaths(report: Report): Checks[string][number] {
  return (paths) => {
    const first = new Map<string, Place>();
    for (const path of pathsOf(paths)) {
      const shape = path.key!.replaceAll(/\{[^}]*\}/g, '{}');
      const see = first.get(shape);
      const message = `${show(path.key)} is the same path as ${show(see?.key)}`;
      if (see) report(path, message, { rule: 'path-unique', severity: 'warning', onKey: true });
      else first.set(shape, path);
    }
  };
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'];

function pathParameters(library: Library, report: Report): Checks[string][number] {
  return (paths) => {
    for (const path of pathsOf(paths)) {
      const item = library.follow(path);
      const named = [...path.key!.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name!);
      for (const method of item ? methods : []) {
        const operation = childOf(item!, method);
        if (!operation) continue;
        const parameters = [item!, operation].flatMap((holder) => itemsOf(childOf(holder, 'parameters')));
        const declared = parameters.map((parameter) => library.follow(parameter)?.node);
        for (const name of named) {
          if (declared.some((node) => isObject(node) && node.in === 'path' && node.name === name)) continue;
          const message = `{${name}} is not declared as a path parameter of ${method.toUpperCase()}`;
          report(path, message, { rule: 'path-parameter', severity: 'warning', onKey: true });
        }
      }
    }
  };
}

function definedSecurity({ node: root }: Place, report: Report): Checks[string][number] {
  const { securityDefinitions, components } = root as Record<string, unknown>;
  const schemes = securityDefinitions ?? (isObject(components) ? components.securitySchemes : undefined);
  return (requirement) => {
    for (const name of isObject(requirement.node) ? Object.keys(requirement.node) : []) {
      // From 3.2 on, this may be an address.
      if (name.includes('/') || (isObject(schemes) && Object.hasOwn(schemes, name))) continue;
      const message = `No security scheme ${show(name)} is defined`;
      report(childOf(requirement, name)!, message, { rule: 'security-defined', severity: 'warning', onKey: true });
    }
  };
}

function pathsOf(paths: Place): Place[] {
  const names = isObject(paths.node) ? Object.keys(paths.node) : [];
  return names.filter((name) => name.startsWith('/')).map((name) => childOf(paths, name)!);
}

function itemsOf(place: Place | undefined): Place[] {
  return Array.isArray(place?.node) ? place.node.map((_, index) => childOf(place, String(index))!) : [];
}

function hasType(value: unknown, type: string): boolean {
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isObject(value);
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}

function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 57)}...` : value);
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'number' ? `the number ${value}` : String(value);
}

function article(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

function list(values: readonly unknown[]): string {
  return values.map((value) => JSON.stringify(value)).join(', ');
}

function noun({ name }: Type): string {
  if (name === 'Root') return 'the document';
  return `this ${name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()}`;
}

/** The known name that is a keystroke or two away. */
function nearest(given: string, names: string[]): string | undefined {
  const allowed = given.length > 4 ? 2 : 1;
  const near = names.map((name) => ({ name, distance: distanceOf(given, name) }));
  return near.filter(({ distance }) => distance <= allowed).toSorted((a, b) => a.distance - b.distance)[0]?.name;
}

function distanceOf(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return Infinity;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length]!;
}
