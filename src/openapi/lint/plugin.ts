import type { Plugin, RawUniversalConfig } from '@redocly/openapi-core';
import { arrayItems, fileParameter, oneBody } from './rules/swagger.ts';
import {
  fullVersion,
  noNullable,
  pathParameterRequired,
  securitySchemeDefined,
  validDefaults,
} from './rules/required.ts';

type Severity = 'error' | 'warn' | 'off';
type Rules = Record<string, Severity>;

/** What the specification forbids or makes useless, and the library has no rule for. */
const ours: Record<'oas2' | 'oas3_0' | 'oas3_1' | 'oas3_2', Rules> = {
  oas2: {
    'docsctl/one-body': 'error',
    'docsctl/file-parameter': 'error',
    'docsctl/array-items': 'error',
    'docsctl/path-parameter-required': 'error',
    'docsctl/security-scheme-defined': 'error',
    'docsctl/valid-defaults': 'warn',
  },
  oas3_0: {
    'docsctl/full-version': 'error',
    'docsctl/array-items': 'error',
    'docsctl/path-parameter-required': 'error',
    'docsctl/security-scheme-defined': 'error',
    'docsctl/valid-defaults': 'warn',
  },
  oas3_1: {
    'docsctl/full-version': 'error',
    'docsctl/path-parameter-required': 'error',
    'docsctl/security-scheme-defined': 'error',
    'docsctl/no-nullable': 'warn',
    'docsctl/valid-defaults': 'warn',
  },
  oas3_2: {
    'docsctl/full-version': 'error',
    'docsctl/path-parameter-required': 'error',
    'docsctl/security-scheme-defined': 'error',
    'docsctl/no-nullable': 'warn',
    'docsctl/valid-defaults': 'warn',
  },
};

/** Not forbidden by the specification, although the library's preset of that name has them as errors. */
const onlyDoubtful = new Set(['nullable-type-sibling', 'spec-ref-siblings', 'spec-strict-refs']);
/** Forbidden by the specification, although the preset does not have them. */
const forbidden = new Set(['security-scopes-defined']);

const sections = ['rules', 'oas2Rules', 'oas3_0Rules', 'oas3_1Rules', 'oas3_2Rules'] as const;
type Preset = Partial<Record<(typeof sections)[number], Record<string, unknown>>>;

/**
 * Our rules, and the presets `docsctl/default` (used where no redocly.yaml says what to extend) and `docsctl/required`
 * (our own rules, used always).
 */
export function pluginOf(library: Plugin): Plugin {
  const { spec = {}, recommended = {} } = library.configs ?? {};
  const checkExamples = library.rules?.oas3?.['no-invalid-schema-examples'];
  if (!checkExamples) throw new Error('The library has no rule for examples.');
  const ofAll = {
    'docsctl/path-parameter-required': pathParameterRequired,
    'docsctl/security-scheme-defined': securitySchemeDefined,
    'docsctl/array-items': arrayItems,
    'docsctl/valid-defaults': validDefaults(checkExamples),
  };
  return {
    id: 'docsctl',
    rules: {
      oas2: { ...ofAll, 'docsctl/one-body': oneBody, 'docsctl/file-parameter': fileParameter },
      oas3: { ...ofAll, 'docsctl/full-version': fullVersion, 'docsctl/no-nullable': noNullable },
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
