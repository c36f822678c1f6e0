import { readYaml } from '../../shared/yaml.ts';
import { joinPath } from '../markdown/links.ts';
import { isHidden, isMarkdown } from './file-names.ts';

/** A settings file names a folder that must not be used: using another one could publish what was not meant. */
export class SettingsFault extends Error {}

const settingsFiles = ['.docsctl.yaml', '.docsctl.yml', '.gitbook.yaml', '.gitbook.yml'];

export interface FolderSettings {
  root: string;
  summary: string;
  readme: string;
}

interface ReadSettings extends FolderSettings {
  problems: { file: string; message: string }[];
}

/**
 * Where the docs lie, from `.docsctl.yaml` or `.gitbook.yaml`: `root`, `structure.summary`, `structure.readme`.
 *
 * @throws SettingsFault for a root outside of the folder or in a hidden one
 */
export function readSettings(folder: ReadonlyMap<string, Uint8Array>): ReadSettings {
  const settings: ReadSettings = { root: '', summary: 'SUMMARY.md', readme: 'README.md', problems: [] };
  const file = settingsFiles.find((name) => folder.has(name));
  if (!file) return settings;
  let value: unknown;
  try {
    value = readYaml(Buffer.from(folder.get(file)!).toString());
  } catch {
    settings.problems.push({ file, message: 'The settings are not YAML and are not used.' });
    return settings;
  }
  const { root, structure } = (value ?? {}) as Record<string, unknown>;
  const { summary, readme } = (structure ?? {}) as Record<string, unknown>;
  if (typeof root === 'string') {
    const path = pathIn(root);
    if (path === undefined) throw new SettingsFault(`${file}: root "${root}" leads out of the folder.`);
    if (path !== '' && isHidden(`${path}/x`)) throw new SettingsFault(`${file}: root "${root}" is a hidden folder.`);
    settings.root = path;
  }
  const pageFile = (member: string, given: unknown, usual: string) => {
    if (typeof given !== 'string') return usual;
    const path = pathIn(given);
    if (path !== undefined && isMarkdown(path) && !isHidden(path)) return path;
    const fault = path === undefined ? 'leads out of the folder' : 'is no Markdown file that pages can be in';
    settings.problems.push({ file, message: `structure.${member} "${given}" ${fault} and is not used.` });
    return usual;
  };
  settings.summary = pageFile('summary', summary, settings.summary);
  settings.readme = pageFile('readme', readme, settings.readme);
  return settings;
}

const pathIn = (given: string) => joinPath('', given.replaceAll('\\', '/'))?.join('/');
