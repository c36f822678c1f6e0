import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { isObject } from '../shared/is-object.ts';
import { assetName, fontNames, readAsset } from './assets.ts';
import type { ExportForm, SiteAsset } from './model.ts';

/**
 * What the document that draws diagrams may load and do. Mermaid measures texts with styles that it writes into the
 * page, so it draws in a separate frame, where inline styles are allowed and nothing can be sent anywhere. The page
 * shows the result as a picture, in which no script runs, and keeps its strict policy.
 */
const framePolicy =
  "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'";

const frameDocument = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${framePolicy}" />
    <title>Diagrams</title>
    <script type="module" src="frame.js"></script>
  </head>
  <body></body>
</html>
`;

const entryFile = 'mermaid.esm.min.mjs';
const chunkFolder = 'chunks/mermaid.esm.min';

/** The files that draw diagrams in the browser: those of the package `mermaid`, and our own. */
export class DiagramFiles {
  /** The folder in addresses, which changes with the version. */
  readonly folder: string;
  readonly #package: string;
  readonly #own: ReadonlyMap<string, string | Uint8Array>;

  /** @param packageFolder the real path of the package */
  constructor(packageFolder: string, version: string) {
    this.#package = packageFolder;
    this.#own = new Map<string, string | Uint8Array>([
      ['draw.js', readAsset('diagrams.js')],
      ['frame.js', readAsset('diagram-frame.js')],
      ['frame.html', frameDocument],
    ]);
    const hash = createHash('sha256').update(version);
    for (const content of this.#own.values()) hash.update(content);
    hash.update(readFileSync(join(packageFolder, 'dist', entryFile)));
    this.folder = `mermaid-${hash.digest('hex').slice(0, 10)}`;
  }

  /** The script for pages with diagrams, below the folder of the assets. */
  get script(): string {
    return `${this.folder}/draw.js`;
  }

  /** All files, below the folder of the assets. */
  get paths(): string[] {
    const chunks = join(this.#package, 'dist', chunkFolder);
    const names = existsSync(chunks) ? readdirSync(chunks).filter((name) => name.endsWith('.mjs')) : [];
    const license = ['LICENSE', 'LICENSE.md'].find((name) => existsSync(join(this.#package, name)));
    return [
      ...this.#own.keys(),
      `package/${entryFile}`,
      ...names.toSorted().map((name) => `package/${chunkFolder}/${name}`),
      ...(license === undefined ? [] : [`package/${license}`]),
    ].map((path) => `${this.folder}/${path}`);
  }

  /** @param path one of `paths` */
  file(path: string): SiteAsset | undefined {
    if (!path.startsWith(`${this.folder}/`)) return undefined;
    const name = path.slice(this.folder.length + 1);
    const own = this.#own.get(name);
    const bytes = own === undefined ? this.#packageFile(name) : Buffer.from(own);
    if (!bytes) return undefined;
    const policy = name === 'frame.html' ? `${framePolicy}; frame-ancestors 'self'` : undefined;
    return { name: path, contentType: contentTypeOf(name), bytes, policy };
  }

  #packageFile(name: string): Uint8Array | undefined {
    const match =
      /^package\/(?:(mermaid\.esm\.min\.mjs|chunks\/mermaid\.esm\.min\/[\w.-]+\.mjs)|(LICENSE(?:\.md)?))$/.exec(name);
    if (!match) return undefined;
    const file = join(this.#package, ...(match[1] === undefined ? [match[2] ?? ''] : ['dist', match[1]]));
    if (!existsSync(file)) return undefined;
    // Links in the package must not lead out of it.
    return realpathSync(file).startsWith(this.#package + sep) ? readFileSync(file) : undefined;
  }
}

const contentTypeOf = (name: string): string =>
  name.endsWith('.html')
    ? 'text/html; charset=utf-8'
    : /\.m?js$/.test(name)
      ? 'text/javascript; charset=utf-8'
      : 'text/plain; charset=utf-8';

/** How long to wait before looking again. If you install the package during a preview, diagrams appear soon. */
const notFoundMs = 2000;

const known = new Map<string, { files: DiagramFiles | undefined; atMs: number }>();

/**
 * The package `mermaid`, an optional peer dependency: as the given folder, the working directory or docsctl itself
 * would import it. Undefined if it is not installed; it is looked for again the next time, since it may be by then.
 */
export function findDiagrams(folder?: string): DiagramFiles | undefined {
  const places = [...(folder === undefined ? [] : [folder]), process.cwd(), dirname(import.meta.filename)];
  for (const place of places) {
    const files = packageAt(place);
    if (files) return files;
  }
  return undefined;
}

/** The files that a script or style sheet loads, below `ownPath`, for exports. */
export function loadedByAsset(path: string, { hasSystemFonts }: ExportForm, folder?: string): string[] {
  if (path === `assets/${assetName('site.css')}` && !hasSystemFonts) return fontNames().map((name) => `assets/${name}`);
  if (!path.startsWith('assets/mermaid-')) return [];
  return (findDiagrams(folder)?.paths ?? []).map((name) => `assets/${name}`);
}

function packageAt(place: string): DiagramFiles | undefined {
  const before = known.get(place);
  const now = Date.now();
  if (before && (before.files || now - before.atMs < notFoundMs)) return before.files;
  const files = readPackage(place);
  known.set(place, { files, atMs: now });
  return files;
}

function readPackage(place: string): DiagramFiles | undefined {
  try {
    const description = realpathSync(createRequire(join(place, 'package.json')).resolve('mermaid/package.json'));
    return new DiagramFiles(dirname(description), versionIn(readFileSync(description, 'utf8')));
  } catch {
    // Not installed there, or without the bundle for browsers.
    return undefined;
  }
}

function versionIn(text: string): string {
  const description: unknown = JSON.parse(text);
  return isObject(description) && typeof description.version === 'string' ? description.version : '';
}
