import { type Dirent, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, matchesGlob, normalize } from 'node:path';
import { EngineError } from '../shared/engine-error.ts';
import { fileReason } from '../shared/file-reason.ts';
import { hasDescriptionName, isLikelyDescription } from './likely-description.ts';
import { maxBytes } from './parse/parse.ts';

/** Whether a source is an http or https address and not a path. */
export const isAddress = (source: string): boolean => /^https?:\/\//i.test(source);

/**
 * Replaces folders by all descriptions below them, and patterns such as `apis/**` by the descriptions that match. Folders
 * named `node_modules` and hidden ones are skipped.
 *
 * @throws EngineError if one has none
 */
export function expandSources(words: readonly string[]): string[] {
  const sources = words.flatMap((word) => {
    if (word === '-' || isAddress(word)) return [word];
    const stats = statSync(word, { throwIfNoEntry: false });
    if (stats?.isDirectory()) return allBelow(word, word);
    if (stats || !isPattern(word)) return [word];
    const pattern = normalize(word);
    return allBelow(fixedPart(pattern), word, (path) => matchesGlob(path, pattern));
  });
  return [...new Set(sources)];
}

/** Whether a path is one that the words name, is below one, or matches one. It need not exist. */
export function isSelected(path: string, words: readonly string[]): boolean {
  const name = normalize(path);
  return words.some((word) => {
    const selected = normalize(word).replace(/\/$/, '');
    if (selected === '.' || name === selected || name.startsWith(`${selected}/`)) return true;
    return isPattern(word) && matchesGlob(name, selected);
  });
}

const isPattern = (word: string): boolean => /[*?[{]/.test(word);

/** The folder in which all matches of a pattern are. */
function fixedPart(pattern: string): string {
  const parts = pattern.split('/');
  const index = parts.findIndex(isPattern);
  return parts.slice(0, index).join('/') || (pattern.startsWith('/') ? '/' : '.');
}

function allBelow(folder: string, word: string, isWanted: (path: string) => boolean = () => true): string[] {
  const paths = filesBelow(folder, word).filter((path) => isWanted(path) && isDescription(path));
  if (paths.length > 0) return paths.toSorted();
  throw new EngineError('usage', `Cannot read ${word}: it contains no OpenAPI descriptions.`, {
    hint: 'Name a file, a folder or a pattern of descriptions.',
  });
}

function filesBelow(folder: string, word: string): string[] {
  const files: string[] = [];
  const folders = [folder];
  for (const next of folders) {
    for (const entry of entriesIn(next, word)) {
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      const path = join(next, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile() && hasDescriptionName(path)) files.push(path);
    }
  }
  return files;
}

function entriesIn(folder: string, word: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    throw new EngineError('usage', `${word} cannot be searched: ${folder}: ${fileReason(error, 'folder')}.`);
  }
}

function isDescription(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && stats.size <= maxBytes && isLikelyDescription(readFileSync(path, 'utf8'));
}
