import { relative, resolve, sep } from 'node:path';
import { projectRoot, resolveInside } from '../../shared/project-root.ts';

type Location = { path: string; refusal?: undefined } | { path?: undefined; refusal: string };

const outside = 'leads outside of the project; --ref-root allows a further folder';
const hidden = 'leads to a hidden file or folder, and those are not read';

/**
 * The folders whose files the references of a description may name. A pull request may have written the description:
 * without this, its references would publish any file of the machine that checks it.
 */
export class ReferenceRoots {
  readonly #project: string;
  readonly #roots: readonly string[];
  readonly #locations = new Map<string, Location>();

  /**
   * @param folder The real path of the description's own folder.
   * @param further Folders beyond the project that are allowed too.
   */
  constructor(folder: string, further: readonly string[]) {
    this.#project = projectRoot(folder);
    // A description may itself be in a hidden folder, such as `.github`, together with its parts.
    this.#roots = [this.#project, folder, ...further];
  }

  /** The folders from this one up to that of the project or, if that is farther up, to the working directory. */
  foldersAbove(folder: string, directory: string): string[] {
    const inside = [this.#project, directory]
      .map((top) => (folder === top ? [] : namesBelow(top, folder)))
      .reduce((longest, names) => (names.length > longest.length ? names : longest));
    return [folder, ...inside.map((_, index) => resolve(folder, ...Array<string>(index + 1).fill('..')))];
  }

  /** The real path of a file that may be read, or why it may not. Does not check whether it exists. */
  locate(path: string): Location {
    let location = this.#locations.get(path);
    if (!location) {
      location = this.#find(path);
      this.#locations.set(path, location);
    }
    return location;
  }

  #find(path: string): Location {
    const paths = this.#roots.map((root) => resolveInside(root, path));
    const real = paths.find((inside) => inside !== undefined);
    if (real === undefined) return { refusal: outside };
    const isOpen = this.#roots.some((root, index) => paths[index] !== undefined && !isHidden(root, real));
    const isGit = namesBelow(this.#project, real).some((name) => name.toLowerCase() === '.git');
    return isOpen && !isGit ? { path: real } : { refusal: hidden };
  }
}

function isHidden(root: string, path: string): boolean {
  return namesBelow(root, path).some((name) => name.startsWith('.'));
}

/** Empty if the path is not below. */
function namesBelow(root: string, path: string): string[] {
  const names = relative(root, path).split(sep);
  return names[0] === '..' ? [] : names;
}
