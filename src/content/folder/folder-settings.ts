import { conflictLine, conflictMessage, conflictRule } from '../../shared/conflict-marks.ts';
import { isObject } from '../../shared/is-object.ts';
import { readYaml, UnreadableYaml } from '../../shared/yaml.ts';
import { joinPath } from '../markdown/links.ts';
import { isHidden, isMarkdown } from './file-names.ts';
import type { Problem } from './folder.ts';

/** The settings file sets a folder that must not be used. Falling back to another one could publish private files. */
export class SettingsError extends Error {}

export const settingsFiles: readonly string[] = ['.docsctl.yaml', '.docsctl.yml', '.gitbook.yaml', '.gitbook.yml'];

export interface FolderSettings {
  root: string;
  summary: string;
  readme: string;
}

/**
 * Reads `root`, `structure.summary` and `structure.readme` from `.docsctl.yaml` or `.gitbook.yaml`.
 *
 * @throws SettingsError if the root is outside of the folder or hidden
 */
export function readSettings(folder: ReadonlyMap<string, Uint8Array>): FolderSettings & { problems: Problem[] } {
  const defaults: FolderSettings = { root: '', summary: 'SUMMARY.md', readme: 'README.md' };
  const file = settingsFiles.find((name) => folder.has(name));
  if (file === undefined) return { ...defaults, problems: [] };
  const text = Buffer.from(folder.get(file) ?? '').toString();
  const line = conflictLine(text);
  if (line !== undefined)
    return { ...defaults, problems: [{ file, line, rule: conflictRule, message: conflictMessage }] };
  let value: unknown;
  try {
    value = readYaml(text);
  } catch (error) {
    if (!(error instanceof UnreadableYaml)) throw error;
    return { ...defaults, problems: [{ file, message: 'The settings are not valid YAML and are ignored.' }] };
  }
  const { root, structure } = isObject(value) ? value : {};
  const { summary, readme } = isObject(structure) ? structure : {};
  const problems: Problem[] = [];
  const pageFile = (member: 'summary' | 'readme', setting: unknown) => {
    if (typeof setting !== 'string') return defaults[member];
    const path = pathIn(setting);
    if (path !== undefined && isMarkdown(path) && !isHidden(path)) return path;
    const reason = path === undefined ? 'leads out of the folder' : 'is not a Markdown file for pages';
    problems.push({ file, message: `structure.${member} "${setting}" ${reason} and is ignored.` });
    return defaults[member];
  };
  return {
    root: typeof root === 'string' ? rootFrom(root, file) : defaults.root,
    summary: pageFile('summary', summary),
    readme: pageFile('readme', readme),
    problems,
  };
}

/** @throws SettingsError */
function rootFrom(root: string, file: string): string {
  const path = pathIn(root);
  if (path === undefined) throw new SettingsError(`${file}: root "${root}" leads out of the folder.`);
  if (path !== '' && isHidden(`${path}/x`)) throw new SettingsError(`${file}: root "${root}" is a hidden folder.`);
  return path;
}

const pathIn = (setting: string) => joinPath('', setting.replaceAll('\\', '/'))?.join('/');
