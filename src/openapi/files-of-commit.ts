import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { EngineError } from '../shared/engine-error.ts';
import { decodeAddress } from '../shared/decode.ts';
import { git } from '../shared/git.ts';
import { hasMembers, isObject } from '../shared/is-object.ts';
import { readYaml } from '../shared/yaml.ts';
import type { OverlayText } from './overlay/apply.ts';
import { maxBytes } from './parse/parse.ts';

/** A file of a commit and the files it refers to, in a temporary folder. */
export interface GitFiles {
  folder: string;
  /** The path of the file in the repository. */
  path: string;
  /** All files that were copied, by their paths in the repository, and those that it refers to and that do not exist. */
  paths: ReadonlySet<string>;
  /** The overlays of the same commit that exist there. */
  overlays: OverlayText[];
  remove: () => void;
}

/** More files than any description has. */
const maxFiles = 2_000;

/**
 * Copies a file of a commit, such as `git:main:openapi/pets.yaml`, into a temporary folder, and all files of the same
 * commit that it refers to, also with overlays.
 *
 * @param overlays paths in the repository
 * @throws EngineError if there is no such file
 */
export async function filesOfCommit(source: string, overlays: readonly string[] = []): Promise<GitFiles> {
  const [, commit = '', name = ''] = /^git:([^:]*):(.*)$/s.exec(source) ?? [];
  // git would read a name with a leading dash as an option.
  if (commit === '' || name === '' || commit.startsWith('-')) {
    throw new EngineError('usage', `${source} does not name a file in a commit.`, {
      hint: 'Write git:REF:path, for example git:main:pets.yaml.',
    });
  }
  const path = await pathInRepository(name);
  const folder = mkdtempSync(join(tmpdir(), 'docsctl-git-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    // This makes the folder a project, so that references cannot lead to other files on this machine.
    mkdirSync(join(folder, '.git'));
    const old = await overlaysOf(commit, overlays);
    const more = old.flatMap(({ text }) => [...referencesIn(Buffer.from(text), path)]);
    const paths = await copyAll(commit, [path, ...more], folder, source);
    return { folder, path, paths: new Set([...paths, ...overlays]), overlays: old, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** As in git, paths are relative to the repository, or with `./` to the working directory. */
async function pathInRepository(name: string): Promise<string> {
  if (!/^\.\.?\//.test(name)) return posix.normalize(name);
  const prefix = await git(['rev-parse', '--show-prefix']);
  if (typeof prefix === 'string')
    throw new EngineError('usage', `git: ${prefix}.`, { hint: 'Run the command in a repository, or name a file.' });
  const path = posix.normalize(prefix.toString('utf8').trim() + name);
  if (path.startsWith('../')) {
    throw new EngineError('usage', `${name} is outside the repository.`, {
      hint: 'Name a file inside the repository.',
    });
  }
  return path;
}

async function overlaysOf(commit: string, names: readonly string[]): Promise<OverlayText[]> {
  const texts: OverlayText[] = [];
  for (const name of names) {
    const content = await git(['cat-file', 'blob', `${commit}:${name}`], { maxOutput: maxBytes + 1_024 });
    if (typeof content !== 'string') texts.push({ name, text: content.toString('utf8') });
  }
  return texts;
}

/** @param names the file itself, and files that it refers to */
async function copyAll(commit: string, names: readonly string[], folder: string, source: string): Promise<Set<string>> {
  const [path] = names;
  const paths = new Set(names);
  // The loop adds paths to its own set.
  for (const next of paths) {
    const content = await git(['cat-file', 'blob', `${commit}:${next}`], { maxOutput: maxBytes + 1_024 });
    if (typeof content !== 'string') {
      const target = join(folder, next);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, content);
      for (const other of referencesIn(content, next)) if (paths.size < maxFiles) paths.add(other);
    } else if (next === path) {
      throw new EngineError('usage', `${source} cannot be read: ${content}.`, {
        hint: 'Write git:REF:path with a branch, tag or commit.',
      });
    }
  }
  return paths;
}

/** The files that a file refers to, by their paths in the repository. */
function referencesIn(content: Buffer, path: string): Set<string> {
  const references = new Set<string>();
  const add = (reference: unknown) => {
    const [file = ''] = typeof reference === 'string' ? reference.split('#') : [];
    if (file === '' || /^[a-z][a-z0-9+.-]+:/i.test(file)) return;
    const target = posix.join(posix.dirname(path), decodeAddress(file));
    if (!target.startsWith('../') && !target.startsWith('/') && !target.includes('\0')) references.add(target);
  };
  const waiting: unknown[] = [valueOf(content)];
  const visited = new Set<unknown>();
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (!hasMembers(value) || visited.has(value)) continue;
    visited.add(value);
    add(value.$ref);
    add(value.externalValue);
    if (isObject(value.mapping)) for (const target of Object.values(value.mapping)) add(target);
    for (const member of Object.values(value)) waiting.push(member);
  }
  return references;
}

/** Undefined if it is neither JSON nor YAML, which is reported later when it is read again. */
function valueOf(content: Buffer): unknown {
  const text = content.toString('utf8');
  try {
    return text.trimStart().startsWith('{') ? JSON.parse(text) : readYaml(text, maxBytes);
  } catch {
    return undefined;
  }
}
