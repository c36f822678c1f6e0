import { Script } from 'node:vm';
import { codeOf } from '../../shared/error-text.ts';

/** Of one pattern, on all texts together. Short calls are not counted: they are mostly the time that the limit takes. */
const patternMs = 2_000;
/** Of all patterns together. */
const totalMs = 20_000;
/** What a call may take when the time for all patterns is used up. */
const leastMs = 20;
const uncountedMs = 10;

/** Steps that a pattern may take without a limit of time. */
const fewSteps = 1_000_000;

/**
 * Limits the time of all patterns that this thread compiles from texts: those of a description and of its redocly.yaml.
 * The library makes them with the global RegExp and has no setting for another one. A pattern that takes longer throws an
 * error, which the rule reports.
 */
export function limitPatterns(): void {
  const made = (args: unknown[]) => new LimitedPattern(...(args as ConstructorParameters<typeof RegExp>));
  // Not a class in its place: literals are to stay instances of it.
  const limited: RegExpConstructor = new Proxy(RegExp, {
    construct: (target, args, newTarget): RegExp =>
      newTarget === limited ? made(args) : Reflect.construct(target, args, newTarget),
    apply: (_, __, args) => made(args),
  });
  globalThis.RegExp = limited;
}

/** A pattern takes longer than it may. */
export class SlowPattern extends Error {}

let leftMs = totalMs;
const usedMs = new Map<string, number>();

/** `test` and the methods of strings call `exec`. */
class LimitedPattern extends RegExp {
  override exec(text: string): RegExpExecArray | null {
    const run = () => super.exec(text);
    if (takesFewSteps(this.source, text.length)) return run();
    const used = usedMs.get(this.source) ?? 0;
    if (used >= patternMs) throw tooSlow(this.source);
    const start = performance.now();
    try {
      return within(Math.max(leastMs, Math.ceil(Math.min(patternMs - used, leftMs))), run);
    } catch (error) {
      throw codeOf(error) === 'ERR_SCRIPT_EXECUTION_TIMEOUT' ? tooSlow(this.source) : error;
    } finally {
      const ms = performance.now() - start;
      if (ms > uncountedMs) {
        usedMs.set(this.source, used + ms);
        leftMs -= ms;
      }
    }
  }
}

/** The pattern is shortened, so that the message is one line. */
const tooSlow = (source: string) =>
  new SlowPattern(`the pattern ${source.length > 80 ? `${source.slice(0, 80)}…` : source} takes too long to check`);

/**
 * Whether a pattern takes few steps on any text of a length: at each of its choices there are as many ways to go on as the
 * text has characters. A group that repeats may multiply them without a bound.
 */
function takesFewSteps(source: string, length: number): boolean {
  if (/\)[*+{]/.test(source)) return false;
  const choices = source.match(/[*+?|]|,\d*\}/g)?.length ?? 0;
  return Math.max(2, length + 1) ** (choices + 1) <= fewSteps;
}

let script: Script | undefined;

/** Runs work in this thread, for as long as the limit. Only a script can be interrupted, so it calls the work. */
function within<T>(ms: number, call: () => T): T {
  let result: { value: T } | undefined;
  Object.defineProperty(globalThis, 'docsctlCall', {
    configurable: true,
    value: () => {
      result = { value: call() };
    },
  });
  script ??= new Script('docsctlCall()');
  script.runInThisContext({ timeout: ms });
  if (!result) throw new Error('The work of a limited call was not done.');
  return result.value;
}
