import { exec } from 'jsonpath-rfc9535';
import { messageOf } from '../../shared/error-text.ts';
import { isObject } from '../../shared/is-object.ts';
import { pointerTo } from '../../shared/json-pointer.ts';
import type { Finding } from '../finding.ts';
import { TextFile, UnreadableFile } from '../parse/files.ts';
import { Overlaid, type Origin } from './overlaid.ts';

/** An overlay that was read. */
export interface OverlayText {
  name: string;
  text: string;
}

type Target = Overlaid<TextFile>;

/** An overlay cannot be applied. The message names the place. */
class OverlayProblem extends UnreadableFile {
  constructor(file: TextFile, path: readonly string[], reason: string) {
    const { line, column } = file.problem ? { line: 1, column: 1 } : file.find(path, false);
    super(file.name, reason);
    this.message = `Cannot apply the overlay ${file.name}:${line}:${column}: ${reason}`;
    this.hint = 'Correct the overlay. It follows the Overlay Specification 1.0 or 1.1.';
  }
}

/**
 * Applies overlays to the value of a file, in order.
 *
 * @returns findings about actions without effect
 * @throws UnreadableFile for an overlay that is not valid or does not fit
 */
export function applyOverlays(file: TextFile, overlays: readonly OverlayText[]): Finding[] {
  if (overlays.length === 0 || file.problem) return [];
  const target = new Overlaid(file, file.value);
  const findings: Finding[] = [];
  for (const { name, text } of overlays)
    for (const finding of applyOne(target, new TextFile(name, text))) findings.push(finding);
  file.overlaid = target;
  return findings;
}

function applyOne(target: Target, file: TextFile): Finding[] {
  const { value, problem } = file;
  if (problem) throw new OverlayProblem(file, [], `${file.syntax.toUpperCase()}: ${problem.message}`);
  if (!isObject(value) || typeof value.overlay !== 'string' || !/^1\.[01]\.\d+$/.test(value.overlay))
    throw new OverlayProblem(file, ['overlay'], 'it is no overlay of version 1.0 or 1.1');
  if (!Array.isArray(value.actions)) throw new OverlayProblem(file, ['actions'], 'it has no list of actions');
  return value.actions.flatMap((action: unknown, index) => {
    const path = ['actions', String(index)];
    if (!isObject(action)) throw new OverlayProblem(file, path, 'an action must be an object');
    if (applyAction(target, { file, path, action })) return [];
    const place = file.find([...path, 'target'], false);
    const message = 'The target of this action selects nothing in the description';
    return [{ file: file.name, ...place, level: 'warning', rule: 'overlay', message } as const];
  });
}

interface Action {
  file: TextFile;
  path: readonly string[];
  action: Record<string, unknown>;
}

/** @returns whether its target selects anything */
function applyAction(target: Target, each: Action): boolean {
  const { file, path, action } = each;
  const paths = select(target, each, 'target');
  if (action.remove === true) {
    if (paths.some(({ length }) => length === 0))
      throw new OverlayProblem(file, path, 'the whole description cannot be removed');
    for (const one of paths.toSorted(fromTheEnd)) target.remove(one);
    return paths.length > 0;
  }
  if (action.update !== undefined && action.copy !== undefined)
    throw new OverlayProblem(file, path, 'an action cannot have both "update" and "copy"');
  if (action.update === undefined && action.copy === undefined)
    throw new OverlayProblem(file, path, 'an action needs "update", "copy" or "remove: true"');
  const { value, origin } = sourceOf(target, each);
  const found = paths.map((one) => ({ path: one, kind: kindOf(target.at(one)) }));
  if (new Set(found.map(({ kind }) => kind)).size > 1)
    throw new OverlayProblem(file, [...path, 'target'], 'the target selects values of different kinds');
  for (const one of found) update(target, each, one.path, { value, origin });
  return paths.length > 0;
}

/** What an action adds, and where it is written. */
function sourceOf(target: Target, each: Action): { value: unknown; origin: Origin<TextFile> } {
  const { file, path, action } = each;
  if (action.copy === undefined) return { value: action.update, origin: { source: file, path: [...path, 'update'] } };
  const [source, ...others] = select(target, each, 'copy');
  if (source === undefined || others.length > 0) {
    throw new OverlayProblem(
      file,
      [...path, 'copy'],
      `"copy" must select one value, not ${others.length + (source ? 1 : 0)}`,
    );
  }
  return { value: structuredClone(target.at(source)), origin: target.originOf(source) };
}

/** Sets a value, merges objects, or adds to a list. */
function update(
  target: Target,
  each: Action,
  path: readonly string[],
  { value, origin, isInner = false }: { value: unknown; origin: Origin<TextFile>; isInner?: boolean },
): void {
  const current = target.at(path);
  const kind = kindOf(current);
  if (Array.isArray(current) && (!isInner || Array.isArray(value))) {
    const items = Array.isArray(value)
      ? value.map((item: unknown, index) => ({ item, inner: [String(index)] }))
      : [{ item: value, inner: [] }];
    for (const [index, { item, inner }] of items.entries()) {
      target.set([...path, String(current.length + index)], item, { ...origin, path: [...origin.path, ...inner] });
    }
    return;
  }
  if (kindOf(value) !== kind) {
    const reason = `${kindOf(value)} cannot be merged into ${kind} at ${pointerTo(path) || 'the root'}`;
    throw new OverlayProblem(each.file, [...each.path, each.action.copy === undefined ? 'update' : 'copy'], reason);
  }
  if (!isObject(value) || !isObject(current)) return target.set(path, value, origin);
  for (const key of Object.keys(value)) {
    const below = { ...origin, path: [...origin.path, key] };
    const isMerged = Object.hasOwn(current, key);
    if (isMerged) update(target, each, [...path, key], { value: value[key], origin: below, isInner: true });
    else target.set([...path, key], value[key], below);
  }
}

function kindOf(value: unknown): 'a list' | 'an object' | 'a single value' {
  if (Array.isArray(value)) return 'a list';
  return isObject(value) ? 'an object' : 'a single value';
}

/** The paths of the values that an expression selects, each once. */
function select(target: Target, { file, path, action }: Action, field: 'target' | 'copy'): string[][] {
  const expression = action[field];
  if (typeof expression !== 'string') throw new OverlayProblem(file, path, `"${field}" must be a JSONPath expression`);
  const paths = new Map<string, string[]>();
  try {
    // Documents are JSON, as the library requires.
    exec(target.value as Parameters<typeof exec>[0], expression, (_, keys) => {
      const plain = keys.map((key) => (typeof key === 'number' ? String(key) : unescapeKey(key)));
      paths.set(pointerTo(plain), plain);
    });
  } catch (error) {
    throw new OverlayProblem(file, [...path, field], `"${expression}" is not JSONPath (RFC 9535): ${messageOf(error)}`);
  }
  return [...paths.values()];
}

/** A key as it is written in a normalized path: with escapes as in JSON, and of the single quote. */
const unescapeKey = (key: string): string =>
  key.includes('\\') ? String(JSON.parse(`"${key.replaceAll("\\'", "'").replaceAll('"', String.raw`\"`)}"`)) : key;

/** Values before what holds them, and later items of a list first: so the other paths stay right. */
function fromTheEnd(a: readonly string[], b: readonly string[]): number {
  const indexOf = (path: readonly string[]) => (/^\d+$/.test(path.at(-1) ?? '') ? Number(path.at(-1)) : -1);
  return b.length - a.length || indexOf(b) - indexOf(a);
}
