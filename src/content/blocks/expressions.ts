import jsep, { type Expression } from 'jsep';

/** An expression that cannot be read or evaluated; the message says why. */
export class ExpressionError extends Error {
  override name = 'ExpressionError';
}

const maxLength = 2_000;

/**
 * The value of an expression in JavaScript's syntax: literals, members of `values`, `+ - * / %`, comparisons, `&& || ??`,
 * `!`, `? :`, lists, `.length`, and the functions below. A member that is not there is undefined, and so are its
 * members. Throws ExpressionError.
 */
export function evaluateExpression(text: string, values: Readonly<Record<string, unknown>>): unknown {
  return valueOf(read(text), values);
}

/** Whether a condition applies: an empty one always, one that cannot be evaluated never. */
export function isMet(condition: string | null | undefined, values: Readonly<Record<string, unknown>>): boolean {
  if (condition === null || condition === undefined || condition.trim() === '') return true;
  try {
    return Boolean(evaluateExpression(condition, values));
  } catch (error) {
    if (error instanceof ExpressionError) return false;
    throw error;
  }
}

/** The members that an expression reads, such as `visitor.claims.plan`; none if it cannot be read. */
export function membersIn(text: string): string[] {
  const members = new Set<string>();
  const visit = (node: Expression, isObject: boolean): void => {
    const path = pathOf(node);
    if (path !== undefined) {
      if (!isObject) members.add(path);
      return;
    }
    for (const part of Object.values(node)) {
      for (const child of Array.isArray(part) ? part : [part]) if (isExpression(child)) visit(child, false);
    }
  };
  try {
    visit(read(text), false);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
  }
  return [...members];
}

function pathOf(node: Expression): string | undefined {
  if (node.type === 'Identifier') return String(node['name']);
  if (node.type !== 'MemberExpression') return undefined;
  const { object, property, computed } = node;
  if (!isExpression(object) || !isExpression(property)) return undefined;
  const base = pathOf(object);
  const key = computed ? property['value'] : property['name'];
  return base === undefined || typeof key !== 'string' ? undefined : `${base}.${key}`;
}

const isExpression = (value: unknown): value is Expression =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

function read(text: string): Expression {
  if (text.trim() === '') throw new ExpressionError('The expression is empty.');
  if (text.length > maxLength) throw new ExpressionError(`The expression is longer than ${maxLength} characters.`);
  // jsep has no entry for these by default in all versions.
  jsep.addBinaryOp('??', 1);
  try {
    return jsep(text);
  } catch (error) {
    throw new ExpressionError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

type Values = Readonly<Record<string, unknown>>;

function valueOf(node: unknown, values: Values): unknown {
  if (!isExpression(node)) throw new ExpressionError('The expression is not complete.');
  switch (node.type) {
    case 'Literal':
      return node['value'];
    case 'Identifier':
      return identifier(String(node['name']), values);
    case 'MemberExpression':
      return member(valueOf(node['object'], values), keyOf(node, values));
    case 'ArrayExpression':
      return listOf(node['elements']).map((element) => valueOf(element, values));
    case 'UnaryExpression':
      return unary(String(node['operator']), valueOf(node['argument'], values));
    case 'BinaryExpression':
    case 'LogicalExpression':
      return binary(String(node['operator']), valueOf(node['left'], values), () => valueOf(node['right'], values));
    case 'ConditionalExpression':
      return valueOf(valueOf(node['test'], values) ? node['consequent'] : node['alternate'], values);
    case 'CallExpression':
      return call(node, values);
    case 'Compound':
      throw new ExpressionError('The expression has several parts without an operator between them.');
    default:
      throw new ExpressionError(`"${node.type}" is not supported in expressions.`);
  }
}

const constants = new Map<string, unknown>(Object.entries({ true: true, false: false, null: null, undefined }));

function identifier(name: string, values: Values): unknown {
  if (constants.has(name)) return constants.get(name);
  if (Object.hasOwn(values, name)) return values[name];
  throw new ExpressionError(
    `"${name}" is not known: expressions have ${Object.keys(values).join(', ') || 'no values'}.`,
  );
}

function keyOf(node: Expression, values: Values): unknown {
  if (node['computed']) return valueOf(node['property'], values);
  return isExpression(node['property']) ? node['property']['name'] : undefined;
}

// Own members of data only: nothing of prototypes is reachable.
function member(object: unknown, key: unknown): unknown {
  if (typeof object === 'string' || Array.isArray(object)) {
    if (key === 'length') return object.length;
    return typeof key === 'number' && Number.isInteger(key) ? object.at(key) : undefined;
  }
  if (typeof object !== 'object' || object === null) return undefined;
  const name = String(key);
  return Object.hasOwn(object, name) ? Reflect.get(object, name) : undefined;
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

function unary(operator: string, value: unknown): unknown {
  switch (operator) {
    case '!':
      return !value;
    case '-':
      return -Number(value);
    case '+':
      return Number(value);
    default:
      throw new ExpressionError(`The operator "${operator}" is not supported.`);
  }
}

function binary(operator: string, left: unknown, right: () => unknown): unknown {
  switch (operator) {
    case '&&':
      return left && right();
    case '||':
      return left || right();
    case '??':
      return left ?? right();
    case '===':
      return left === right();
    case '!==':
      return left !== right();
    case '==':
      return looselyEqual(left, right());
    case '!=':
      return !looselyEqual(left, right());
    case '+':
      return sum(left, right());
    default:
      return calculation(operator, left, right());
  }
}

function looselyEqual(left: unknown, right: unknown): boolean {
  if (left === null || left === undefined) return right === null || right === undefined;
  if (typeof left === typeof right) return left === right;
  return isScalar(left) && isScalar(right) && (String(left) === String(right) || Number(left) === Number(right));
}

const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

const maxText = 100_000;

function sum(left: unknown, right: unknown): unknown {
  if (typeof left === 'number' && typeof right === 'number') return left + right;
  const text = textOf(left) + textOf(right);
  if (text.length > maxText) throw new ExpressionError('The value is too long.');
  return text;
}

function calculation(operator: string, left: unknown, right: unknown): unknown {
  const isText = typeof left === 'string' && typeof right === 'string';
  const [one, other] = isText ? [left, right] : [Number(left), Number(right)];
  switch (operator) {
    case '<':
      return one < other;
    case '>':
      return one > other;
    case '<=':
      return one <= other;
    case '>=':
      return one >= other;
    case '-':
      return Number(left) - Number(right);
    case '*':
      return Number(left) * Number(right);
    case '/':
      return Number(left) / Number(right);
    case '%':
      return Number(left) % Number(right);
    default:
      throw new ExpressionError(`The operator "${operator}" is not supported.`);
  }
}

/** What may be called on a text or a list. */
const functions: Readonly<Record<string, (value: string | unknown[], argument: unknown) => unknown>> = {
  includes: (value, argument) =>
    typeof value === 'string' ? value.includes(textOf(argument)) : value.includes(argument),
  startsWith: (value, argument) => textOf(value).startsWith(textOf(argument)),
  endsWith: (value, argument) => textOf(value).endsWith(textOf(argument)),
  toLowerCase: (value) => textOf(value).toLowerCase(),
  toUpperCase: (value) => textOf(value).toUpperCase(),
  trim: (value) => textOf(value).trim(),
  join: (value, argument) =>
    listOf(value)
      .map(textOf)
      .join(argument === undefined ? ',' : textOf(argument)),
};

function call(node: Expression, values: Values): unknown {
  const { callee } = node;
  const name = isExpression(callee) && callee.type === 'MemberExpression' ? keyOf(callee, values) : undefined;
  const run = typeof name === 'string' && Object.hasOwn(functions, name) ? functions[name] : undefined;
  if (!isExpression(callee) || !run) {
    throw new ExpressionError(`Only these functions can be called: ${Object.keys(functions).join(', ')}.`);
  }
  const value = valueOf(callee['object'], values);
  if (value === null || value === undefined) return undefined;
  if (typeof value !== 'string' && !Array.isArray(value)) {
    throw new ExpressionError(`${String(name)}() is for texts and lists.`);
  }
  const [argument] = listOf(node['arguments']);
  return run(value, argument === undefined ? undefined : valueOf(argument, values));
}

/** A value as readers see it; empty for one that is not there. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
