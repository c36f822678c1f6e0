import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import {
  BaseResolver,
  type Config,
  type Document,
  type IgnoreConfig,
  type Plugin,
  ResolveError,
  Source,
  createConfig,
  isAbsoluteUrl,
} from '@redocly/openapi-core';
import { messageOf } from '../../shared/error-text.ts';
import { hasMembers, isObject } from '../../shared/is-object.ts';
import { nearest } from '../../shared/suggest.ts';
import type { Finding } from '../finding.ts';
import { TextFile, UnreadableFile, readText } from '../parse/files.ts';
import { ReferenceRoots } from '../parse/reference-roots.ts';
import { pluginOf } from './plugin.ts';
import { spectralFindings, spectralRule } from './spectral.ts';

const configName = 'redocly.yaml';
/** Names that Redocly had until version 2. */
const formerNames = ['redocly.yml', '.redocly.yaml', '.redocly.yml'];
const ignoreName = '.redocly.lint-ignore.yaml';
/** The library looks for code to run beside its configuration. There is no folder of this name. */
const nowhere = '/\0/redocly.yaml';

export interface LoadedConfig {
  config: Config;
  /** What of the configuration does not apply. */
  findings: Finding[];
  /** Whether the project has its own. */
  isOwn: boolean;
}

/**
 * The configuration that applies to a description: the `redocly.yaml` in its folder or in the nearest one above it, up to
 * its project and the working directory. No code of it is run, nothing is downloaded for it, and it reads no file that a description may not read.
 *
 * @param folder the real path of the description's folder
 * @param directory file names of findings are relative to it
 */
export async function loadConfig(
  address: string,
  folder: string,
  directory: string,
  roots = new ReferenceRoots(folder, []),
): Promise<LoadedConfig> {
  const loaded = await loadRedocly(address, folder, directory, roots);
  const { severity } = loaded.config.getRuleSettings(spectralRule, 'oas3_0');
  if (severity === 'off') return loaded;
  const level = severity === 'warn' ? 'warning' : 'error';
  const spectral = await spectralFindings(roots.foldersAbove(folder, directory), directory, level);
  return { ...loaded, findings: [...loaded.findings, ...spectral] };
}

async function loadRedocly(
  address: string,
  folder: string,
  directory: string,
  roots: ReferenceRoots,
): Promise<LoadedConfig> {
  const library = await libraryPlugin();
  const plugins = [pluginOf(library)];
  const found = roots.foldersAbove(folder, directory).find((each) => existsSync(join(each, configName)));
  const ignore = await readIgnored(found ?? folder, directory);
  const fallback = async (findings: Finding[]) => ({
    config: await createConfig(
      { extends: ['docsctl/required', 'docsctl/default'] },
      { configPath: nowhere, plugins, ignore: ignore.ignored },
    ),
    findings: [...ignore.findings, ...findings],
    isOwn: found !== undefined,
  });
  if (found === undefined) return fallback(formerFindings(roots.foldersAbove(folder, directory), directory));
  const file = await readConfig(join(found, configName), directory);
  if ('problem' in file) return fallback([file.problem]);
  const known = [library, ...plugins];
  const resolver = new ConfigResolver(file.path, directory, roots, known);
  try {
    const checked = checkConfig(file, known);
    const config = await createConfig(checked.config, {
      configPath: nowhere,
      externalRefResolver: resolver,
      plugins,
      ignore: ignore.ignored,
    });
    const findings = [...ignore.findings, ...checked.findings, ...resolver.findings];
    return { config: config.forAlias(aliasOf(checked.config, found, address)), findings, isOwn: true };
  } catch (error) {
    // The library colours some of its messages.
    const reason = messageOf(error)
      .replaceAll(/\u001b\[\d*m/g, '')
      .split('\n')[0];
    return fallback([configFinding(file, [], `This is no configuration that can be used: ${reason}`)]);
  }
}

/** A configuration under a former name. */
function formerFindings(folders: readonly string[], directory: string): Finding[] {
  const paths = folders.flatMap((folder) => formerNames.map((name) => join(folder, name)));
  const path = paths.find((each) => existsSync(each));
  if (path === undefined) return [];
  const message = `Its rules do not apply, because Redocly reads only ${configName}: rename it`;
  return [{ file: relative(directory, path), line: 1, column: 1, level: 'error', rule: 'config', message }];
}

async function libraryPlugin(): Promise<Plugin> {
  const { plugins } = await createConfig({}, { configPath: nowhere });
  const library = plugins.find(({ id }) => id === '');
  if (!library) throw new Error('The library has no rules.');
  return library;
}

/** The name of the API whose root is the description. It may have its own rules. */
function aliasOf({ apis }: Record<string, unknown>, folder: string, address: string): string | undefined {
  if (!isObject(apis)) return undefined;
  return Object.keys(apis).find((name) => {
    const api = apis[name];
    const root = isObject(api) ? api.root : undefined;
    return typeof root === 'string' && (root === address || resolve(folder, root) === address);
  });
}

async function readConfig(path: string, directory: string): Promise<ConfigFile | { problem: Finding }> {
  const name = relative(directory, path);
  const problem = (message: string, place = { line: 1, column: 1 }): { problem: Finding } => ({
    problem: { file: name, ...place, level: 'error', rule: 'config', message },
  });
  try {
    const file = new TextFile(name, await readText(path, name));
    if (file.problem) return problem(`YAML: ${file.problem.message}`, file.find([], false));
    if (!isObject(file.value)) return problem('This configuration is not an object');
    return { path, file, value: file.value };
  } catch (error) {
    if (error instanceof UnreadableFile) return problem(`${name} cannot be read: ${error.reason}`);
    throw error;
  }
}

/** Findings that are accepted, by the real path of the file and the rule. */
async function readIgnored(folder: string, directory: string): Promise<{ ignored: IgnoreConfig; findings: Finding[] }> {
  const path = join(folder, ignoreName);
  if (!existsSync(path)) return { ignored: {}, findings: [] };
  const file = await readConfig(path, directory);
  if ('problem' in file) return { ignored: {}, findings: [file.problem] };
  const entries = Object.entries(file.value).map(([name, rules]) => [
    isAbsoluteUrl(name) ? name : resolve(folder, name),
    Object.fromEntries(
      Object.entries(isObject(rules) ? rules : {}).map(([rule, pointers]) => [
        rule,
        new Set((Array.isArray(pointers) ? pointers : []).map(String)),
      ]),
    ),
  ]);
  return { ignored: Object.fromEntries(entries), findings: [] };
}

/** Gives the library the files that a configuration extends, without what they would run. */
class ConfigResolver extends BaseResolver {
  readonly findings: Finding[] = [];
  readonly #path: string;
  readonly #directory: string;
  readonly #roots: ReferenceRoots;
  readonly #plugins: readonly Plugin[];

  constructor(path: string, directory: string, roots: ReferenceRoots, plugins: readonly Plugin[]) {
    super();
    this.#plugins = plugins;
    this.#path = path;
    this.#directory = directory;
    this.#roots = roots;
  }

  override resolveExternalRef(base: string | null, ref: string): string {
    if (isAbsoluteUrl(ref)) return ref;
    return resolve(dirname(base === null || base === nowhere ? this.#path : base), ref);
  }

  // The type of the document is the caller's to know, as in the library.
  override async resolveDocument<T>(base: string | null, ref: string): Promise<Document<T>> {
    const address = this.resolveExternalRef(base, ref);
    if (isAbsoluteUrl(address)) throw this.#refused(ref, 'is not downloaded');
    const location = this.#roots.locate(address);
    if (location.path === undefined) throw this.#refused(ref, location.refusal);
    const name = relative(this.#directory, location.path);
    try {
      const file = new TextFile(name, await readText(location.path, name));
      if (file.problem || !isObject(file.value)) throw this.#refused(ref, 'is no configuration');
      const checked = checkRules({ file, value: file.value }, [], this.#plugins);
      for (const finding of checked.findings) this.findings.push(finding);
      const parsed = withoutPlugins(checked.config) as T;
      return { source: new Source(location.path, file.text), parsed };
    } catch (error) {
      if (error instanceof UnreadableFile) throw this.#refused(ref, `cannot be read: ${error.reason}`);
      throw error;
    }
  }

  #refused(ref: string, reason: string): ResolveError {
    const message = `${JSON.stringify(ref)} ${reason}: its rules do not apply`;
    const file = relative(this.#directory, this.#path);
    this.findings.push({ file, line: 1, column: 1, level: 'error', rule: 'config', message });
    return new ResolveError(new Error(message));
  }
}

/** A configuration without the code that it names. */
function withoutPlugins(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPlugins);
  if (!hasMembers(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, child]) => (key === 'plugins' ? [] : [[key, withoutPlugins(child)]])),
  );
}

function configFinding({ file }: Pick<ConfigFile, 'file'>, path: string[], message: string): Finding {
  return { file: file.name, ...file.find(path, true), level: 'error', rule: 'config', message };
}

/** A redocly.yaml that was read. */
interface ConfigFile {
  path: string;
  file: TextFile;
  value: Record<string, unknown>;
}

const sections = ['rules', 'oas2Rules', 'oas3_0Rules', 'oas3_1Rules', 'oas3_2Rules'];
const severities = new Set<unknown>(['error', 'warn', 'off']);

type Report = (path: string[], message: string, level?: Finding['level']) => void;

interface CheckedConfig {
  config: Record<string, unknown>;
  findings: Finding[];
}

/**
 * A configuration with our own rules, and without what names code: that is never run. What does not apply is a finding.
 *
 * @param plugins the library's and ours
 */
function checkConfig(file: ConfigFile, plugins: readonly Plugin[]): CheckedConfig {
  const { config, findings } = checkRules(file, [], plugins);
  const rulesets = Array.isArray(config.extends) && config.extends.length > 0 ? config.extends : ['docsctl/default'];
  const { apis } = config;
  if (isObject(apis)) {
    config.apis = Object.fromEntries(
      Object.entries(apis).map(([name, api]) => {
        if (!isObject(api)) return [name, api];
        const checked = checkRules({ ...file, value: api }, ['apis', name], plugins);
        for (const finding of checked.findings) findings.push(finding);
        return [name, checked.config];
      }),
    );
  }
  // Without any ruleset, nothing would be checked.
  return { config: { ...config, extends: ['docsctl/required', ...rulesets] }, findings };
}

/** @param path of the value in its file */
function checkRules(
  { file, value }: Pick<ConfigFile, 'file' | 'value'>,
  path: readonly string[],
  plugins: readonly Plugin[],
): CheckedConfig {
  const findings: Finding[] = [];
  const report: Report = (inner, message, level = 'error') => {
    const place = file.find([...path, ...inner], true);
    findings.push({ file: file.name, ...place, level, rule: 'config', message });
  };
  const { plugins: code, decorators, preprocessors, ...config } = value;
  const hasCode = code !== undefined && !(Array.isArray(code) && code.length === 0);
  if (hasCode)
    report(['plugins'], 'Plugins are not run, because they are code of the project: their rules do not apply');
  for (const [key, setting] of Object.entries({ decorators, preprocessors })) {
    if (setting !== undefined) report([key], `"${key}" has no effect: the description is not changed`, 'warning');
  }
  const known = knownRules(plugins);
  for (const section of sections) {
    const rules = config[section];
    if (rules === undefined) continue;
    if (!isObject(rules)) {
      report([section], `"${section}" must be an object`);
      delete config[section];
      continue;
    }
    config[section] = Object.fromEntries(
      Object.entries(rules).filter(([name, setting]) => {
        const problem = ruleProblem(name, setting, known);
        // Rules of plugins are reported with these.
        if (problem !== undefined && !(hasCode && isOfPlugin(name))) report([section, name], problem);
        return problem === undefined;
      }),
    );
  }
  if (config.extends !== undefined) config.extends = extended(config.extends, plugins, report);
  return { config, findings };
}

function ruleProblem(name: string, setting: unknown, known: readonly string[]): string | undefined {
  const severity = isObject(setting) ? (setting.severity ?? 'error') : setting;
  if (!severities.has(severity)) return `The severity of "${name}" must be error, warn or off`;
  if (known.includes(name) || /^(?:rule|assert)\//.test(name)) return undefined;
  if (isOfPlugin(name)) return `"${name}" is a rule of a plugin, and plugins are not run: it does not apply`;
  const near = nearest(name, known);
  return `"${name}" is not a known rule${near ? `: did you mean "${near}"?` : ''}`;
}

const isOfPlugin = (name: string) => name.includes('/') && !/^(?:docsctl|rule|assert)\//.test(name);

/** The presets and files that a configuration extends. */
function extended(value: unknown, plugins: readonly Plugin[], report: Report): string[] {
  const presets = plugins.flatMap(({ id, configs }) =>
    Object.keys(configs ?? {}).map((name) => (id === '' ? name : `${id}/${name}`)),
  );
  if (!Array.isArray(value)) {
    report(['extends'], '"extends" must be a list');
    return [];
  }
  return value.filter((name: unknown, index): name is string => {
    if (typeof name === 'string' && (presets.includes(name) || isFile(name))) return true;
    const isPlugins = typeof name === 'string' && /^[^./][^/]*\/[^/]+$/.test(name);
    const message = isPlugins
      ? `"${name}" is a ruleset of a plugin, and plugins are not run: its rules do not apply`
      : `This is not a known ruleset: known are ${presets.join(', ')}, and files`;
    report(['extends', String(index)], message);
    return false;
  });
}

const isFile = (name: string) => /^https?:/i.test(name) || /\.(?:ya?ml|json)$/i.test(name);

function knownRules(plugins: readonly Plugin[]): string[] {
  const sets = plugins.flatMap(({ rules }) => Object.values(rules ?? {}));
  return [...new Set(sets.flatMap((set) => Object.keys(set ?? {})))];
}
