import { joinPath } from '../../content/markdown/links.ts';
import { isObject } from '../../shared/is-object.ts';
import { readYamlTexts, UnreadableYaml } from '../../shared/yaml.ts';
import type { FolderProblem } from './problem.ts';
import { trimSlashes } from '../../shared/trim-slashes.ts';

export const siteFileNames = ['docs.yaml', 'docs.yml'];

/** A space of a site in the file. */
export interface SpaceEntry {
  title: string;
  /** Its part of the address; "" for the default space. */
  path: string;
  /** Relative to the folder of the site. */
  directory: string;
  language?: string;
}

export interface SectionEntry {
  title: string;
  path: string;
  icon?: string;
  description?: string;
  isHidden: boolean;
  /** The groups above it, outermost first. */
  groups: { title: string; icon?: string }[];
  /** The default one first. */
  spaces: SpaceEntry[];
}

/** A site of several folders in `docs.yaml`. */
export interface SiteFile {
  title?: string;
  /** The default one first, with the path "". */
  sections: SectionEntry[];
}

/** Reads a `docs.yaml`; undefined if it does not describe a site. */
export function readSiteFile(file: string, text: string, problems: FolderProblem[]): SiteFile | undefined {
  let value: unknown;
  try {
    value = readYamlTexts(text);
  } catch (error) {
    if (!(error instanceof UnreadableYaml)) throw error;
    problems.push({
      file,
      ...(error.line === undefined ? {} : { line: error.line }),
      rule: 'settings',
      level: 'error',
      message: `The file is not valid YAML: ${error.message}.`,
    });
    return undefined;
  }
  const site = isObject(value) && isObject(value.site) ? value.site : undefined;
  if (!Array.isArray(site?.structure)) return undefined;
  const sections = sectionsIn(site.structure, [], (level, message) =>
    problems.push({ file, rule: 'settings', level, message }),
  );
  if (sections.length === 0) return undefined;
  return { ...(typeof site.title === 'string' ? { title: site.title } : {}), sections: withDefault(sections) };
}

/** Reports a problem of the settings. */
type Report = (level: FolderProblem['level'], message: string) => void;

function sectionsIn(
  entries: readonly unknown[],
  groups: SectionEntry['groups'],
  report: Report,
): Placed<SectionEntry>[] {
  const sections: Placed<SectionEntry>[] = [];
  const loose: Placed<SpaceEntry>[] = [];
  for (const entry of entries) {
    if (!isObject(entry)) continue;
    const children: unknown[] = Array.isArray(entry.children) ? entry.children : [];
    const icon = typeof entry.icon === 'string' ? { icon: entry.icon } : {};
    if (entry.type === 'section-group') {
      const group = { title: nameOf(entry), ...icon };
      for (const section of sectionsIn(children, [...groups, group], report)) sections.push(section);
    } else if (entry.type === 'section') {
      const spaces = children.flatMap((child) => spaceOf(child, report) ?? []);
      if (spaces.length > 0) sections.push(sectionOf(entry, groups, spaces));
    } else {
      const space = spaceOf(entry, report);
      if (space) loose.push(space);
    }
  }
  // Spaces outside sections are the variants of one section.
  if (loose.length > 0) {
    const [first] = loose;
    const section = {
      title: first?.value.title ?? '',
      path: '',
      isHidden: false,
      groups,
      spaces: withDefault(loose),
    };
    sections.push({ value: section, isDefault: sections.length === 0 });
  }
  return sections;
}

function isLanguage(language: unknown, report: Report): language is string {
  if (language === undefined) return false;
  try {
    return Intl.getCanonicalLocales(String(language)).length > 0;
  } catch {
    report('warning', `The language "${String(language)}" is not a code such as "en" or "pt-br" and is ignored.`);
    return false;
  }
}

/** Undefined for a space that is not in this folder. */
function spaceOf(entry: unknown, report: Report): Placed<SpaceEntry> | undefined {
  if (!isObject(entry) || entry.type !== 'space' || !isObject(entry.content)) return undefined;
  const { directory, language } = entry.content;
  if (typeof directory !== 'string') return undefined;
  const segments = joinPath('', directory.replaceAll('\\', '/'));
  if (!segments) {
    report('error', `The directory "${directory}" is outside the folder and is ignored.`);
    return undefined;
  }
  return {
    value: {
      title: nameOf(entry),
      path: pathOf(entry),
      directory: segments.join('/'),
      ...(isLanguage(language, report) ? { language } : {}),
    },
    isDefault: isTrue(entry.default),
  };
}

interface Placed<T> {
  value: T;
  isDefault: boolean;
}

function sectionOf(
  entry: Record<string, unknown>,
  groups: SectionEntry['groups'],
  spaces: readonly Placed<SpaceEntry>[],
): Placed<SectionEntry> {
  const { icon, description } = entry;
  return {
    value: {
      title: nameOf(entry),
      path: pathOf(entry),
      ...(typeof icon === 'string' ? { icon } : {}),
      ...(typeof description === 'string' ? { description } : {}),
      isHidden: isTrue(entry.hidden) || isTrue(entry.draft),
      groups,
      spaces: withDefault(spaces),
    },
    isDefault: isTrue(entry.default),
  };
}

/** YAML values are read as texts. */
const isTrue = (value: unknown): boolean => value === 'true' || value === 'True' || value === 'TRUE';

/** The default has no part in addresses. */
function withDefault<T extends { path: string }>(entries: readonly Placed<T>[]): T[] {
  const chosen = entries.find(({ isDefault }) => isDefault) ?? entries[0];
  return entries.map((entry) => (entry === chosen ? { ...entry.value, path: '' } : entry.value));
}

const nameOf = ({ title, key }: Record<string, unknown>): string =>
  typeof title === 'string' ? title : typeof key === 'string' ? key : 'Untitled';

const pathOf = (entry: Record<string, unknown>): string =>
  typeof entry.path === 'string' ? trimSlashes(entry.path) : '';
