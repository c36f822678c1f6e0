import type { NormalizedProblem } from '@redocly/openapi-core';
import { pointerTo } from '../../shared/json-pointer.ts';
import { nearest } from '../../shared/suggest.ts';
import type { Finding } from '../finding.ts';
import { mayQuote, pathOf, type Place, pointerOf } from '../parse/place.ts';
import { pathOfPointer, type References } from './references.ts';

/** Rules whose messages repeat values of the schema that a reference leads to. */
const quotesSchemas =
  /^(?:no-invalid-(?:media-type|parameter|schema)-examples|no-enum-type-mismatch|docsctl\/valid-defaults)$/;

/** The findings of the library, with their places in the files. */
export function findingsOf(problems: readonly NormalizedProblem[], references: References): Finding[] {
  return withoutRepeated(problems).map((problem) => {
    const {
      ruleId,
      severity,
      reference,
      location: [location],
    } = problem;
    const rule = {
      level: severity === 'warn' ? 'warning' : 'error',
      rule: ruleId,
      ...(reference ? { help: reference } : {}),
    } as const;
    const place = location && references.placeOf(location);
    if (!location || !place) return { ...rule, ...positionOf(references.documents.root), message: textOf(problem) };
    const path = pathWritten(ruleId, pathOfPointer(location.pointer));
    const { file, address } = place.document;
    const position = file?.find(path, location.reportOnKey ?? false) ?? { line: 1, column: 1 };
    const isQuoted = mayQuote(place) && !(references.isDoubtful && quotesSchemas.test(ruleId));
    return {
      ...rule,
      file: file?.name ?? address,
      ...position,
      pointer: pointerTo(path),
      message: isQuoted
        ? textOf(problem, location.reportOnKey ? path.at(-1) : place.node)
        : 'This is not valid here; its text is not repeated, because the file may be no description',
    };
  });
}

/** The place of a value, or of the reference to it. */
export function positionOf(place: Place) {
  const { file, address } = place.document;
  return {
    file: file?.name ?? address,
    ...(file?.find(pathOf(place), false) ?? { line: 1, column: 1 }),
    pointer: pointerOf(place),
  };
}

/** @param word what was written where one of the suggestions is expected */
function textOf({ message, suggest }: NormalizedProblem, word: unknown = ''): string {
  const text = message.replaceAll('\n', ' ').replace(/\.$/, '');
  const near = typeof word === 'string' ? nearest(word, suggest) : undefined;
  return near ? `${text}: did you mean "${near}"?` : text;
}

/** The library names the place of a duplicate operationId by its value instead of by its key. */
function pathWritten(rule: string, path: string[]): string[] {
  return rule === 'operation-operationId-unique' ? [...path.slice(0, -1), 'operationId'] : path;
}

/** That a security scheme is not defined is reported by two rules: as an error by ours. */
function withoutRepeated(problems: readonly NormalizedProblem[]): NormalizedProblem[] {
  const isOurs = problems.some(({ ruleId }) => ruleId === 'docsctl/security-scheme-defined');
  return problems.filter(
    ({ ruleId, message, ignored }) =>
      !ignored && !(isOurs && ruleId === 'security-defined' && message.startsWith('There is no ')),
  );
}
