import type { Plugin, RawUniversalConfig } from '@redocly/openapi-core';
import { arrayItems, fileParameter, multiParameter, oneBody } from './rules/swagger.ts';
import {
  exampleOrExamples,
  fullVersion,
  noNullable,
  pathParameterRequired,
  pathParametersUnique,
  securitySchemeDefined,
  statusCode,
  validDefaults,
} from './rules/required.ts';
import { spectralRule } from './spectral.ts';
import { nestedEncoding, parameterFields, xmlNodeType } from './rules/serialization.ts';

type Severity = 'error' | 'warn' | 'off';
type Rules = Record<string, Severity>;

/** What the specification forbids or makes useless, and the library has no rule for. */
const ofAll: Rules = {
  'docsctl/path-parameter-required': 'error',
  // 3.0 and 3.1 do not say that it is forbidden.
  'docsctl/path-parameters-unique': 'warn',
  'docsctl/security-scheme-defined': 'error',
  'docsctl/status-code': 'error',
  'docsctl/valid-defaults': 'warn',
  [spectralRule]: 'error',
};
const of3: Rules = { ...ofAll, 'docsctl/full-version': 'error', 'docsctl/example-or-examples': 'error' };
const of31: Rules = { ...of3, 'docsctl/no-nullable': 'warn', 'docsctl/parameter-fields': 'error' };
const ours: Record<'oas2' | 'oas3_0' | 'oas3_1' | 'oas3_2', Rules> = {
  oas2: {
    ...ofAll,
    'docsctl/path-parameters-unique': 'error',
    'docsctl/one-body': 'error',
    'docsctl/file-parameter': 'error',
    'docsctl/multi-parameter': 'error',
    'docsctl/array-items': 'error',
  },
  // Its text does not say what its JSON Schema forbids.
  oas3_0: { ...of3, 'docsctl/array-items': 'error', 'docsctl/parameter-fields': 'warn' },
  oas3_1: of31,
  oas3_2: {
    ...of31,
    'docsctl/path-parameters-unique': 'error',
    'docsctl/xml-node-type': 'error',
    'docsctl/nested-encoding': 'error',
  },
};

/** Not forbidden by the specification, although the library's preset of that name has them as errors. */
const onlyDoubtful = new Set(['nullable-type-sibling', 'spec-ref-siblings', 'spec-strict-refs']);
/** Forbidden by the specification, although the preset does not have them. */
const forbidden = new Set(['security-scopes-defined', 'no-server-variables-empty-enum']);

const sections = ['rules', 'oas2Rules', 'oas3_0Rules', 'oas3_1Rules', 'oas3_2Rules'] as const;
type Preset = Partial<Record<(typeof sections)[number], Record<string, unknown>>>;

/**
 * Our rules, and the presets `docsctl/default` (used if no redocly.yaml says what to extend) and `docsctl/required`
 * (our own rules, used always).
 */
export function pluginOf(library: Plugin): Plugin {
  const { spec = {}, recommended = {} } = library.configs ?? {};
  const checkExamples = library.rules?.oas3?.['no-invalid-schema-examples'];
  if (!checkExamples) throw new Error('The library has no rule for examples.');
  const rulesOfAll = {
    'docsctl/path-parameter-required': pathParameterRequired,
    'docsctl/path-parameters-unique': pathParametersUnique,
    'docsctl/security-scheme-defined': securitySchemeDefined,
    'docsctl/status-code': statusCode,
    'docsctl/array-items': arrayItems,
    'docsctl/valid-defaults': validDefaults(checkExamples),
    // About files beside the description, which `loadConfig` looks for.
    [spectralRule]: () => ({}),
  };
  return {
    id: 'docsctl',
    rules: {
      oas2: {
        ...rulesOfAll,
        'docsctl/one-body': oneBody,
        'docsctl/file-parameter': fileParameter,
        'docsctl/multi-parameter': multiParameter,
      },
      oas3: {
        ...rulesOfAll,
        'docsctl/full-version': fullVersion,
        'docsctl/example-or-examples': exampleOrExamples,
        'docsctl/no-nullable': noNullable,
        'docsctl/parameter-fields': parameterFields,
        'docsctl/xml-node-type': xmlNodeType,
        'docsctl/nested-encoding': nestedEncoding,
      },
    },
    configs: {
      required: Object.fromEntries(Object.entries(ours).map(([version, rules]) => [`${version}Rules`, rules])),
      default: defaultPreset(spec, recommended),
    },
  };
}

/** Errors are what the specification forbids; warnings are what else is recommended. */
function defaultPreset(spec: Preset, recommended: Preset): RawUniversalConfig {
  return Object.fromEntries(
    sections.map((section) => {
      const names = new Set([...Object.keys(spec[section] ?? {}), ...Object.keys(recommended[section] ?? {})]);
      const rules = [...names].map((name) => {
        const isForbidden = isOn(spec[section]?.[name]) ? !onlyDoubtful.has(name) : forbidden.has(name);
        const isRecommended = isOn(recommended[section]?.[name]) || isOn(spec[section]?.[name]);
        return [name, isForbidden ? 'error' : isRecommended ? 'warn' : 'off'];
      });
      return [section, Object.fromEntries(rules)];
    }),
  );
}

function isOn(setting: unknown): boolean {
  const severity =
    typeof setting === 'object' && setting !== null && 'severity' in setting ? setting.severity : setting;
  return severity !== undefined && severity !== 'off';
}
