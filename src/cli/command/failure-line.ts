import { failureJson, failureOf, failureText } from '../program/failure.ts';
import { visibleLines } from '../output/index.ts';
import type { Invocation } from './command.ts';

/** The failure of one of several objects, as it is reported. */
export function failureLine(error: unknown, id: string, { globals, flagOf }: Invocation): string {
  const failure = failureOf(error);
  if (globals.output === 'json' || globals.output === 'jsonl') return failureJson({ ...failure, item: id });
  return visibleLines(failureText(failure, flagOf).replace(/^error: /, () => `error: ${id}: `));
}
