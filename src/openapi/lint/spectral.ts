import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { isObject } from '../../shared/is-object.ts';
import type { Finding } from '../finding.ts';
import { TextFile, UnreadableFile, readText } from '../parse/files.ts';

/** The rule whose severity in redocly.yaml is that of the finding. */
export const spectralRule = 'docsctl/spectral-ruleset';

const names = ['.spectral.yaml', '.spectral.yml', '.spectral.json', '.spectral.js'];

/** Rules of Spectral's ruleset `spectral:oas` that we have under another or the same name; `docs/openapi-rules.md` lists them. */
export const equivalentRules: Readonly<Record<string, string>> = {
  'array-items': 'docsctl/array-items',
  'duplicated-entry-in-enum': 'no-duplicated-enum-values',
  'info-contact': 'info-contact',
  'info-license': 'info-license',
  'license-url': 'info-license-strict',
  'no-$ref-siblings': 'spec-ref-siblings',
  'no-eval-in-markdown': 'no-unsafe-markdown',
  'no-script-tags-in-markdown': 'no-unsafe-markdown',
  'oas2-operation-security-defined': 'security-defined',
  'oas2-parameter-description': 'parameter-description',
  'oas2-schema': 'struct',
  'oas2-unused-definition': 'no-unused-components',
  'oas2-valid-media-example': 'no-invalid-media-type-examples',
  'oas2-valid-schema-example': 'no-invalid-schema-examples',
  'oas3-api-servers': 'no-empty-servers',
  'oas3-examples-value-or-externalValue': 'no-example-value-and-externalValue',
  'oas3-operation-security-defined': 'security-defined',
  'oas3-parameter-description': 'parameter-description',
  'oas3-schema': 'struct',
  'oas3-server-not-example.com': 'no-server-example.com',
  'oas3-server-trailing-slash': 'no-server-trailing-slash',
  'oas3-server-variables': 'no-undefined-server-variable',
  'oas3-unused-component': 'no-unused-components',
  'oas3-valid-media-example': 'no-invalid-media-type-examples',
  'oas3-valid-schema-example': 'no-invalid-schema-examples',
  'openapi-tags-alphabetical': 'tags-alphabetical',
  'openapi-tags-uniqueness': 'no-duplicated-tag-names',
  'operation-description': 'operation-description',
  'operation-operationId': 'operation-operationId',
  'operation-operationId-unique': 'operation-operationId-unique',
  'operation-operationId-valid-in-url': 'operation-operationId-url-safe',
  'operation-parameters': 'operation-parameters-unique',
  'operation-singular-tag': 'operation-singular-tag',
  'operation-success-response': 'operation-2xx-response',
  'operation-tag-defined': 'operation-tag-defined',
  'path-declarations-must-exist': 'path-declaration-must-exist',
  'path-keys-no-trailing-slash': 'no-path-trailing-slash',
  'path-not-include-query': 'path-not-include-query',
  'path-params': 'path-parameters-defined',
  'tag-description': 'tag-description',
  'typed-enum': 'no-enum-type-mismatch',
};

/** Longer lists are cut in messages. */
const maxNames = 10;

/**
 * That the ruleset of Spectral in the nearest of these folders is not run, and what it would be in redocly.yaml. Running it
 * takes libraries of half the size of docsctl, which turn the expressions in it into code.
 */
export async function spectralFindings(
  folders: readonly string[],
  directory: string,
  level: Finding['level'],
): Promise<Finding[]> {
  const paths = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  const path = paths.find((each) => existsSync(each));
  if (path === undefined) return [];
  const name = relative(directory, path);
  const conversion = path.endsWith('.js') ? '' : await conversionOf(path, name);
  const message = `Spectral rulesets are not run, so its rules do not apply. ${conversion || 'Write them into redocly.yaml'}`;
  return [{ file: name, line: 1, column: 1, level, rule: spectralRule, message }];
}

/** The content for redocly.yaml; empty if the file cannot be read. */
async function conversionOf(path: string, name: string): Promise<string> {
  try {
    const { value } = new TextFile(name, await readText(path, name));
    return isObject(value) ? converted(value) : '';
  } catch (error) {
    if (error instanceof UnreadableFile) return '';
    throw error;
  }
}

function converted({ extends: bases, rules }: Record<string, unknown>): string {
  const extended = (Array.isArray(bases) ? bases : [bases]).flat().filter((each) => typeof each === 'string');
  const others = extended.filter((each) => !['spectral:oas', 'all', 'off', 'recommended'].includes(each));
  const settings = Object.entries(isObject(rules) ? rules : {});
  const known = new Map(
    settings.flatMap(([rule, setting]) => {
      const equivalent = Object.hasOwn(equivalentRules, rule) ? equivalentRules[rule] : undefined;
      return equivalent === undefined ? [] : [[equivalent, severityOf(setting)] as const];
    }),
  );
  const unknown = settings.map(([rule]) => rule).filter((rule) => !Object.hasOwn(equivalentRules, rule));
  const parts = [
    ...(extended.includes('spectral:oas') ? ['extends: [recommended]'] : []),
    ...(known.size > 0 ? [`rules: { ${list([...known].map(([rule, severity]) => `${rule}: ${severity}`))} }`] : []),
  ];
  return [
    ...(parts.length > 0 ? [`In redocly.yaml, they are "${parts.join(', ')}"`] : []),
    ...(unknown.length > 0 ? [`Without an equivalent: ${list(unknown)}`] : []),
    ...(others.length > 0 ? [`Not read: ${list(others)}`] : []),
  ].join('. ');
}

function list(words: readonly string[]): string {
  const more = words.length - maxNames;
  return [...words.slice(0, maxNames), ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}

/** The severity in redocly.yaml, which has fewer. */
function severityOf(setting: unknown): 'error' | 'warn' | 'off' {
  const severity = isObject(setting) ? setting.severity : setting;
  if (severity === 'error' || severity === 0) return 'error';
  return severity === 'off' || severity === false || severity === -1 ? 'off' : 'warn';
}
