import { hasMembers, isObject } from '../../shared/is-object.ts';
import { nearest } from '../../shared/suggest.ts';
import { expectedAt, nounOf, type Scalar, type Type } from './expected.ts';
import type { Rule } from '../finding.ts';
import type { Version } from '../identity.ts';
import type { Documents } from '../parse/documents.ts';
import { methods, pathParameterNames, pathShape } from '../paths.ts';
import { childOf, type ChildPlace, childrenOf, mayQuote, type Place, type Target } from '../parse/place.ts';

export type Report = (
  place: Place,
  message: string,
  about?: { rule?: Rule; severity?: 'error' | 'warning'; onKey?: boolean; see?: Place },
) => void;

/** Reports what is wrong with a value of a type. */
type Check = (place: Place, type: Type) => void;

export interface Checks {
  ofAll: Check;
  /** By the name of the type in the specification. */
  byType: Readonly<Record<string, readonly Check[]>>;
}

export function checksOf(version: Version, root: Place, documents: Documents, report: Report): Checks {
  return {
    ofAll: structure(version, root, documents, report),
    byType: {
      Root: [fullVersion(report)],
      Operation: [uniqueOperationIds(report)],
      Parameter: [requiredPathParameters(report)],
      ParameterList: [uniqueParameters(documents, report)],
      Paths: [uniquePaths(report), pathParameters(documents, report)],
      SecurityRequirement: [definedSecurity(root, report)],
    },
  };
}

/**
 * Checks a reference where any value is allowed, as in an example. It may be meant as a value, so only a file that
 * is not read is reported.
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
  if (target.place) return;
  const referencePlace = childOf(place, '$ref') ?? place;
  if (target.remote !== undefined) {
    // One within the document leads to a reference that is reported itself.
    if (reference.startsWith('#')) return;
    const message = `${quote(reference)} is left as it is: nothing is downloaded`;
    report(referencePlace, message, { rule: 'remote-reference', severity: 'warning' });
  } else if (target.reason !== undefined) {
    report(referencePlace, `${quote(reference)} ${target.reason}`, { rule: 'reference' });
  }
}

function structure(version: Version, root: Place, documents: Documents, report: Report): Check {
  const isJsonSchema = version !== '2.0' && version !== '3.0';
  const isForeign = isJsonSchema ? foreignDialects(root.node) : () => false;
  return (place, type) => {
    const { node } = place;
    const isSchema = isJsonSchema && type.name === 'Schema';
    // From 3.1 on, a schema may be just true or false, and may have keywords of its own dialect.
    if (isSchema && (typeof node === 'boolean' || isForeign(place))) return;
    if (type.items) {
      if (!Array.isArray(node)) report(place, `Expected an array, found ${show(place)}`);
      return;
    }
    if (!isObject(node)) return report(place, `Expected an object, found ${show(place)}`);
    checkPresence(node, place, type, report);
    for (const child of childrenOf(place)) {
      const expected = expectedAt(type, child.key, child.node);
      if (expected === undefined && !isSchema) report(child, unknownMessage(child, type), { onKey: true });
      else if (expected && expected.name === undefined) checkScalar(child, expected, documents, report);
    }
  };
}

/** From 3.1 on, a document or a schema may name its dialect. Checks for one that is not supported. */
function foreignDialects(root: unknown): (place: Place) => boolean {
  const supported = /^https:\/\/(?:spec\.openapis\.org\/oas\/|json-schema\.org\/draft\/2020-12\/)/;
  const isForeign = (dialect: unknown) => typeof dialect === 'string' && !supported.test(dialect);
  if (isObject(root) && isForeign(root.jsonSchemaDialect)) return () => true;
  return (place) => {
    for (let current: Place | undefined = place; current; current = current.parent) {
      if (isObject(current.node) && isForeign(current.node.$schema)) return true;
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
  if (!allowed) return;
  for (const name of Object.keys(type.properties)) {
    const child = allowed.includes(name) ? undefined : childOf(place, name);
    if (child) report(child, `"${name}" cannot be combined with the other fields here`, { onKey: true });
  }
}

function unknownMessage(field: ChildPlace, type: Type): string {
  if (type.name === 'Paths') return `A path must begin with "/", found ${showKey(field)}`;
  if (type.name === 'Responses') {
    return `${showKey(field)} is not a status: expected one like "200" or "4XX", or "default"`;
  }
  const near = nearest(field.key, Object.keys(type.properties));
  return `${showKey(field)} is not known in ${noun(type)}${near ? `: did you mean "${near}"?` : ''}`;
}

function checkScalar(place: Place, expected: Scalar, documents: Documents, report: Report): void {
  const value = documents.follow(place) ?? place;
  const { node } = value;
  if (expected.enum && !expected.enum.some((word) => word === node)) {
    report(place, `${show(value)} is not one of ${list(expected.enum)}`);
  } else if (expected.type && !hasType(node, expected.type)) {
    const isBare = expected.type === 'string' && (typeof node === 'number' || typeof node === 'boolean');
    const hint = isBare ? ': put it in quotes' : '';
    report(place, `Expected ${article(expected.type)}, found ${show(value)}${hint}`);
  } else if (expected.minimum !== undefined && typeof node === 'number' && node < expected.minimum) {
    report(place, `Expected at least ${expected.minimum}, found ${mayQuote(value) ? node : 'less'}`);
  } else if (expected.items && Array.isArray(node)) {
    for (const index of node.keys()) {
      checkScalar(childOf(place, String(index)) ?? place, expected.items, documents, report);
    }
  }
}

function fullVersion(report: Report): Check {
  return (root) => {
    const version = childOf(root, 'openapi');
    if (typeof version?.node !== 'string' || version.node.split('.').length > 2) return;
    report(version, `Expected a full version like "${version.node}.0"`, { rule: 'openapi-version' });
  };
}

function uniqueOperationIds(report: Report): Check {
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

function uniqueParameters(documents: Documents, report: Report): Check {
  return (parameters) => {
    const first = new Map<string, Place>();
    for (const item of itemsOf(parameters)) {
      const parameter = documents.follow(item);
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

function requiredPathParameters(report: Report): Check {
  return (parameter) => {
    const { node } = parameter;
    if (!isObject(node) || node.in !== 'path' || node.required === true) return;
    const field = childOf(parameter, 'required') ?? childOf(parameter, 'in');
    if (field) report(field, 'A path parameter must have "required: true"');
  };
}

function uniquePaths(report: Report): Check {
  return (paths) => {
    const first = new Map<string, ChildPlace>();
    for (const path of pathsOf(paths)) {
      const shape = pathShape(path.key);
      const see = first.get(shape);
      const message = see && `${showKey(path)} is the same path as ${showKey(see)}`;
      if (message) report(path, message, { rule: 'path-unique', severity: 'warning', onKey: true });
      else first.set(shape, path);
    }
  };
}

function pathParameters(documents: Documents, report: Report): Check {
  return (paths) => {
    for (const path of pathsOf(paths)) {
      const item = documents.follow(path);
      if (!item) continue;
      const names = pathParameterNames(path.key);
      for (const method of methods) {
        const operation = childOf(item, method);
        if (!operation) continue;
        const parameters = [item, operation].flatMap((holder) => itemsOf(childOf(holder, 'parameters')));
        const declared = parameters.map((parameter) => documents.follow(parameter)?.node);
        for (const name of names) {
          if (declared.some((node) => isObject(node) && node.in === 'path' && node.name === name)) continue;
          const message = `${mayQuote(path) ? `{${name}}` : 'A name in this path'} is not declared as a path parameter of ${method.toUpperCase()}`;
          report(path, message, { rule: 'path-parameter', severity: 'warning', onKey: true });
        }
      }
    }
  };
}

function definedSecurity({ node: root }: Place, report: Report): Check {
  const { securityDefinitions, components } = isObject(root) ? root : {};
  const schemes = securityDefinitions ?? (isObject(components) ? components.securitySchemes : undefined);
  return (requirement) => {
    for (const scheme of fieldsOf(requirement)) {
      // From 3.2 on, it may be named by an address.
      if (scheme.key.includes('/') || (isObject(schemes) && Object.hasOwn(schemes, scheme.key))) continue;
      report(scheme, `No security scheme ${showKey(scheme)} is defined`, {
        rule: 'security-defined',
        severity: 'warning',
        onKey: true,
      });
    }
  };
}

function pathsOf(paths: Place): ChildPlace[] {
  return fieldsOf(paths).filter(({ key }) => key.startsWith('/'));
}

function fieldsOf(place: Place): ChildPlace[] {
  return isObject(place.node) ? childrenOf(place) : [];
}

function itemsOf(place: Place | undefined): ChildPlace[] {
  return place && Array.isArray(place.node) ? childrenOf(place) : [];
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

/** A value; only its type where it may be no part of a description. */
function show(place: Place): string {
  const { node } = place;
  if (typeof node === 'string') return mayQuote(place) ? quote(node) : unquoted;
  if (Array.isArray(node)) return 'an array';
  if (hasMembers(node)) return 'an object';
  if (node !== null && node !== undefined && !mayQuote(place)) return `a ${typeof node}`;
  return typeof node === 'number' ? `the number ${node}` : String(node);
}

function showKey({ parent, key }: ChildPlace): string {
  return mayQuote(parent) ? quote(key) : unquoted;
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
