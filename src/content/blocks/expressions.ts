import jsep, { type Expression } from 'jsep';

/** An expression that cannot be parsed or evaluated. */
export class ExpressionError extends Error {
  override name = 'ExpressionError';
}

const maxLength = 2_000;

/**
 * Evaluates an expression in the syntax of JavaScript: literals, members of `values`, `+ - * / %`, comparisons,
 * `&& || ??`, `!`, `? :`, lists, `.length`, and the functions below. Missing members and their members are undefined.
 *
 * @throws ExpressionError
 */
export function evaluateExpression(text: string, values: Readonly<Record<string, unknown>>): unknown {
  return valueOf(read(text), values);
}

/** Whether a condition is met. An empty one always is; one that cannot be evaluated never is. */
export function isMet(condition: string | null | undefined, values: Readonly<Record<string, unknown>>): boolean {
  return !condition?.trim() || holds(() => evaluateExpression(condition, values));
}

/** Whether a condition is true. One that cannot be evaluated is not. */
export function holds(evaluate: () => unknown): boolean {
  try {
    return Boolean(evaluate());
  } catch (error) {
    if (error instanceof ExpressionError) return false;
    throw error;
  }
}

/** The members that an expression reads, such as `visitor.claims.plan`. None if it cannot be parsed. */
export function membersIn(text: string): string[] {
  const members = new Set<string>();
  const visit = (node: Expression): void => {
    const path = pathOf(node);
    if (path !== undefined) members.add(path);
    else for (const child of Object.values(node).flat()) if (isExpression(child)) visit(child);
  };
  try {
    visit(read(text));
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
  // Not all versions of jsep know this operator by default.
  jsep.addBinaryOp('??', 1);
  try {
    return jsep(text);
  } catch (error) {
    throw new ExpressionError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

type Values = Readonly<Record<string, unknown>>;

function valueOf(node: unknown, values: Values): unknown {
  if (!isExpression(node)) throw new ExpressionError('The expression is incomplete.');
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
      return operatorIn(unaryOperators, node['operator'])(valueOf(node['argument'], values));
    case 'BinaryExpression':
    case 'LogicalExpression':
      return operatorIn(binaryOperators, node['operator'])(valueOf(node['left'], values), () =>
        valueOf(node['right'], values),
      );
    case 'ConditionalExpression':
      return valueOf(valueOf(node['test'], values) ? node['consequent'] : node['alternate'], values);
    case 'CallExpression':
      return call(node, values);
    case 'Compound':
      throw new ExpressionError('The expression has several parts with no operator between them.');
    default:
      throw new ExpressionError(`"${node.type}" is not supported in expressions.`);
  }
}

const constants = new Map<string, unknown>(Object.entries({ true: true, false: false, null: null, undefined }));

function identifier(name: string, values: Values): unknown {
  if (constants.has(name)) return constants.get(name);
  if (Object.hasOwn(values, name)) return values[name];
  const names = Object.keys(values).join(', ') || 'nothing';
  throw new ExpressionError(`"${name}" does not exist. Expressions can use: ${names}.`);
}

function keyOf(node: Expression, values: Values): unknown {
  if (node['computed']) return valueOf(node['property'], values);
  return isExpression(node['property']) ? node['property']['name'] : undefined;
}

// Only own members, so that expressions cannot reach prototypes.
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

const unaryOperators: Readonly<Record<string, (value: unknown) => unknown>> = {
  '!': (value) => !value,
  '-': (value) => -Number(value),
  '+': Number,
};

const binaryOperators: Readonly<Record<string, (left: unknown, right: () => unknown) => unknown>> = {
  '&&': (left, right) => left && right(),
  '||': (left, right) => left || right(),
  '??': (left, right) => left ?? right(),
  '===': (left, right) => left === right(),
  '!==': (left, right) => left !== right(),
  '==': (left, right) => looselyEqual(left, right()),
  '!=': (left, right) => !looselyEqual(left, right()),
  '<': (left, right) => comparison(left, right(), (one, other) => one < other),
  '>': (left, right) => comparison(left, right(), (one, other) => one > other),
  '<=': (left, right) => comparison(left, right(), (one, other) => one <= other),
  '>=': (left, right) => comparison(left, right(), (one, other) => one >= other),
  '+': (left, right) => sum(left, right()),
  '-': (left, right) => Number(left) - Number(right()),
  '*': (left, right) => Number(left) * Number(right()),
  '/': (left, right) => Number(left) / Number(right()),
  '%': (left, right) => Number(left) % Number(right()),
};

function operatorIn<Run>(operators: Readonly<Record<string, Run>>, operator: unknown): Run {
  const run = Object.hasOwn(operators, String(operator)) ? operators[String(operator)] : undefined;
  if (!run) throw new ExpressionError(`The operator "${String(operator)}" is not supported.`);
  return run;
}

/** Texts are compared as texts, everything else as numbers. */
function comparison(
  left: unknown,
  right: unknown,
  compare: (one: string | number, other: string | number) => boolean,
): boolean {
  const areTexts = typeof left === 'string' && typeof right === 'string';
  return areTexts ? compare(left, right) : compare(Number(left), Number(right));
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

/** The functions of texts and lists. */
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
    throw new ExpressionError(`Expressions can only call these functions: ${Object.keys(functions).join(', ')}.`);
  }
  const value = valueOf(callee['object'], values);
  if (value === null || value === undefined) return undefined;
  if (typeof value !== 'string' && !Array.isArray(value)) {
    throw new ExpressionError(`${String(name)}() works on texts and lists only.`);
  }
  const [argument] = listOf(node['arguments']);
  return run(value, argument === undefined ? undefined : valueOf(argument, values));
}

/** The text that readers see for a value. Empty for a missing one. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
