import { nearest } from '../shared/suggest.ts';
import { expectedAt, nounOf, type Scalar, type Type } from './expected.ts';
import type { Rule } from './finding.ts';
import { isObject, type Version } from './identity.ts';
import { childOf, mayQuote, type Library, type Place, type Target } from './library.ts';

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

/**
 * What is said of a reference where anything may stand, as in an example: nothing, as it may be meant to be a value,
 * but that a file there is not read.
 */
export function checkReferenceAsValue(place: Place, reference: string, target: Target, report: Report): void {
  if (target.place || target.remote !== undefined || !target.refused) return;
  const isValue = isObject(place.node) && Object.keys(place.node).length > 1;
  const isOther = place.key === 'externalValue' && target.refused === 'content';
  const severity = isValue || isOther ? 'warning' : 'error';
  const end = severity === 'warning' ? ': it is left as it is' : '';
  report(childOf(place, '$ref') ?? place, `${quote(reference)} ${target.reason}${end}`, {
    rule: 'reference',
    severity,
  });
}

export function checkReference(place: Place, reference: string, target: Target, report: Report): void {
  const at = childOf(place, '$ref') ?? place;
  if (target.place) return;
  if (target.remote !== undefined) {
    // Within the document, it leads to a reference of which that is said.
    if (reference.startsWith('#')) return;
    const message = `${quote(reference)} is left as it is: nothing is downloaded`;
    report(at, message, { rule: 'remote-reference', severity: 'warning' });
  } else if (target.reason !== undefined) {
    report(at, `${quote(reference)} ${target.reason}`, { rule: 'reference' });
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
      if (!Array.isArray(node)) report(place, `Expected an array, found ${show(place)}`);
      return;
    }
    if (!isObject(node)) return report(place, `Expected an object, found ${show(place)}`);
    checkPresence(node, place, type, report);
    for (const name of Object.keys(node)) {
      const child = childOf(place, name)!;
      const expected = expectedAt(type, name, child.node);
      if (expected === undefined && !isSchema) report(child, unknownMessage(child, type), { onKey: true });
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

function unknownMessage(field: Place, type: Type): string {
  const name = field.key!;
  if (type.name === 'Paths') return `A path must begin with "/", found ${showKey(field)}`;
  if (type.name === 'Responses') {
    return `${showKey(field)} is no status: expected one like "200" or "4XX", or "default"`;
  }
  const near = nearest(name, Object.keys(type.properties));
  return `${showKey(field)} is not known in ${noun(type)}${near ? `: did you mean "${near}"?` : ''}`;
}

function checkScalar(place: Place, expected: Scalar, library: Library, report: Report): void {
  const value = library.follow(place) ?? place;
  const { node } = value;
  if (expected.enum && !expected.enum.includes(node)) {
    report(place, `${show(value)} is not one of ${list(expected.enum)}`);
  } else if (expected.type && !hasType(node, expected.type)) {
    const isBare = expected.type === 'string' && (typeof node === 'number' || typeof node === 'boolean');
    const hint = isBare ? ': put it in quotes' : '';
    report(place, `Expected ${article(expected.type)}, found ${show(value)}${hint}`);
  } else if (expected.minimum !== undefined && typeof node === 'number' && node < expected.minimum) {
    report(place, `Expected at least ${expected.minimum}, found ${mayQuote(value) ? node : 'less'}`);
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
    if (see) report(id, `operationId ${show(id)} is already used`, { rule: 'operation-id-unique', see });
    else first.set(id.node, id);
  };
}

const locations = ['query', 'querystring', 'header', 'path', 'cookie', 'body', 'formData'];

function uniqueParameters(library: Library, report: Report): Checks[string][number] {
  return (parameters) => {
    const first = new Map<string, Place>();
    for (const item of itemsOf(parameters)) {
      const parameter = library.follow(item);
      const { node } = parameter ?? {};
      if (!parameter || !isObject(node)) continue;
      const key = JSON.stringify([node.in, node.name]);
      const see = first.get(key);
      const name = childOf(parameter, 'name');
      const kind = locations.find((location) => location === node.in) ?? 'same';
      const message = `The ${kind} parameter ${name ? show(name) : 'without a name'} is already in this list`;
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
      const shape = path.key!.replaceAll(/\{[^{}]*\}/g, '{}');
      const see = first.get(shape);
      const message = see && `${showKey(path)} is the same path as ${showKey(see)}`;
      if (message) report(path, message, { rule: 'path-unique', severity: 'warning', onKey: true });
      else first.set(shape, path);
    }
  };
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'];

function pathParameters(library: Library, report: Report): Checks[string][number] {
  return (paths) => {
    for (const path of pathsOf(paths)) {
      const item = library.follow(path);
      const named = [...path.key!.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name!);
      for (const method of item ? methods : []) {
        const operation = childOf(item!, method);
        if (!operation) continue;
        const parameters = [item!, operation].flatMap((holder) => itemsOf(childOf(holder, 'parameters')));
        const declared = parameters.map((parameter) => library.follow(parameter)?.node);
        for (const name of named) {
          if (declared.some((node) => isObject(node) && node.in === 'path' && node.name === name)) continue;
          const message = `${mayQuote(path) ? `{${name}}` : 'A name in this path'} is not declared as a path parameter of ${method.toUpperCase()}`;
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
      const scheme = childOf(requirement, name)!;
      report(scheme, `No security scheme ${showKey(scheme)} is defined`, {
        rule: 'security-defined',
        severity: 'warning',
        onKey: true,
      });
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

function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 57)}...` : text);
}

const unquoted = '"..."';

/** A value, or only its type where it stands in what may be no part of a description. */
function show(place: Place): string {
  const { node } = place;
  if (typeof node === 'string') return mayQuote(place) ? quote(node) : unquoted;
  if (Array.isArray(node)) return 'an array';
  if (typeof node === 'object' && node !== null) return 'an object';
  if (node !== null && node !== undefined && !mayQuote(place)) return `a ${typeof node}`;
  return typeof node === 'number' ? `the number ${node}` : String(node);
}

function showKey(place: Place): string {
  return place.parent && mayQuote(place.parent) ? quote(place.key!) : unquoted;
}

function article(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

function list(values: readonly unknown[]): string {
  return values.map((value) => JSON.stringify(value)).join(', ');
}

function noun(type: Type): string {
  if (type.name === 'Root') return 'the document';
  return `this ${nounOf(type)}`;
}
