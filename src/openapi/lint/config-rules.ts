import type { Plugin } from '@redocly/openapi-core';
import { isObject } from '../../shared/is-object.ts';
import { nearest } from '../../shared/suggest.ts';
import type { Finding } from '../finding.ts';
import type { TextFile } from '../parse/files.ts';

/** A redocly.yaml that was read. */
export interface ConfigFile {
  path: string;
  file: TextFile;
  value: Record<string, unknown>;
}

const sections = ['rules', 'oas2Rules', 'oas3_0Rules', 'oas3_1Rules', 'oas3_2Rules'];
const severities = new Set<unknown>(['error', 'warn', 'off']);

/**
 * The configuration with our own rules, and without what names code: that is never run. What does not apply is a finding.
 *
 * @param plugins the library's and ours
 */
export function checkRules(
  { file, value }: ConfigFile,
  plugins: readonly Plugin[],
): { config: Record<string, unknown>; findings: Finding[] } {
  const findings: Finding[] = [];
  const report = (path: string[], message: string, level: Finding['level']) =>
    void findings.push({ file: file.name, ...file.find(path, true), level, rule: 'config', message });
  const { plugins: code, decorators, preprocessors, ...config } = value;
  if (Array.isArray(code) && code.length > 0) {
    report(
      ['plugins'],
      'Plugins are not run, because they are code of the project: their rules do not apply',
      'warning',
    );
  }
  for (const [key, setting] of Object.entries({ decorators, preprocessors })) {
    if (setting !== undefined) report([key], `"${key}" has no effect: the description is not changed`, 'warning');
  }
  const known = knownRules(plugins);
  for (const section of sections) {
    const rules = config[section];
    if (rules === undefined) continue;
    if (!isObject(rules)) {
      report([section], `"${section}" must be an object`, 'error');
      delete config[section];
      continue;
    }
    config[section] = Object.fromEntries(
      Object.entries(rules).filter(([name, setting]) => {
        const problem = ruleProblem(name, setting, known);
        if (problem) report([section, name], problem.message, problem.level);
        return !problem;
      }),
    );
  }
  return { config: { ...config, extends: extended(config.extends, plugins, report) }, findings };
}

function ruleProblem(name: string, setting: unknown, known: readonly string[]) {
  const severity = isObject(setting) ? (setting.severity ?? 'error') : setting;
  if (!severities.has(severity)) {
    return { message: `The severity of "${name}" must be error, warn or off`, level: 'error' } as const;
  }
  const [plugin] = name.split('/');
  if (known.includes(name) || plugin === 'rule' || name.startsWith('assert/')) return undefined;
  // A rule of a plugin that is not run: that is reported with the plugins.
  if (name.includes('/') && plugin !== 'docsctl') return undefined;
  const near = nearest(name, known);
  const hint = near ? `: did you mean "${near}"?` : '';
  return { message: `"${name}" is not a known rule${hint}`, level: 'warning' } as const;
}

/** The presets and files that a configuration extends, ours first: what it says itself counts more. */
function extended(
  value: unknown,
  plugins: readonly Plugin[],
  report: (path: string[], message: string, level: Finding['level']) => void,
): string[] {
  const presets = plugins.flatMap(({ id, configs }) =>
    Object.keys(configs ?? {}).map((name) => (id === '' ? name : `${id}/${name}`)),
  );
  if (value === undefined) return ['docsctl/required', 'docsctl/default'];
  if (!Array.isArray(value)) {
    report(['extends'], '"extends" must be a list', 'error');
    return ['docsctl/required', 'docsctl/default'];
  }
  const names = value.filter((name: unknown, index): name is string => {
    if (typeof name === 'string' && (presets.includes(name) || isFile(name))) return true;
    const isPlugins = typeof name === 'string' && /^[^./][^/]*\/[^/]+$/.test(name);
    const message = isPlugins
      ? `"${name}" is a ruleset of a plugin, and plugins are not run: its rules do not apply`
      : `This is not a known ruleset: known are ${presets.join(', ')}, and files`;
    report(['extends', String(index)], message, isPlugins ? 'warning' : 'error');
    return false;
  });
  // Without any ruleset, nothing would be checked.
  return ['docsctl/required', ...(names.length > 0 ? names : ['docsctl/default'])];
}

const isFile = (name: string) => /^https?:/i.test(name) || /\.(?:ya?ml|json)$/i.test(name);

function knownRules(plugins: readonly Plugin[]): string[] {
  const sets = plugins.flatMap(({ rules }) => Object.values(rules ?? {}));
  return [...new Set(sets.flatMap((set) => Object.keys(set ?? {})))];
}
