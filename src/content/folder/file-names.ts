import { hiddenCharacters } from '../../shared/file-name.ts';

/** Folders of tools and packages, which contain their own Markdown. */
export const toolFolders: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', 'node_modules']);

const maxPathLength = 1_000;
const maxNameBytes = 255;

// slow-regexp: one character class
const notShown = new RegExp(`[${hiddenCharacters}\\u061c\\u200e\\u200f]`);

/**
 * Why a path is not a valid file in a folder, as a phrase after "The name". Undefined if it is valid. Everyone with write
 * access to the space can set paths: in a layout, a file name or the address of a page.
 */
export function pathProblem(path: unknown, platform: string = process.platform): string | undefined {
  if (typeof path !== 'string' || path === '') return 'is not a path';
  if (path.length > maxPathLength) return 'is too long';
  if (/[\\:]/.test(path)) return 'contains a colon or a backslash';
  if (notShown.test(path)) return 'contains invisible characters';
  for (const name of path.split('/')) {
    if (name === '' || name === '.' || name === '..') return 'leads out of the folder';
    if (Buffer.byteLength(name) > maxNameBytes) return 'is too long';
    const folded = foldName(name);
    if (toolFolders.has(folded)) return `is in ${folded}`;
    // Windows also gives files short names: GIT~1 is .git.
    if (/^[^.~]{1,7}~\d{1,6}(?:\.[^.]{0,3})?$/.test(folded)) return 'looks like a short name on Windows';
    if (platform === 'win32' && !isNameOnWindows(name)) return 'is not allowed on Windows';
  }
  return undefined;
}

/**
 * Folds a name like file systems that ignore case, invisible characters (HFS+) or trailing dots (Windows).
 */
function foldName(name: string): string {
  const folded = visible(name).normalize('NFKC').toLowerCase();
  let end = folded.length;
  while (end > 0 && (folded[end - 1] === '.' || folded[end - 1] === ' ')) end--;
  return folded.slice(0, end);
}

const visible = (name: string) => name.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '');

function isNameOnWindows(name: string): boolean {
  return !/[<>"|?*]|[. ]$|^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³])(?:[. ]|$)/i.test(name);
}

const media =
  /\.(?:png|jpe?g|gif|webp|svg|avif|ico|bmp|tiff?|heic|mp4|mov|webm|mp3|ogg|wav|pdf|docx?|xlsx?|pptx|od[tsp])$/i;

/** GitBook's folder for images and files. */
const docsFolder = '.gitbook';

export const isInToolFolder = (path: string) => path.split('/').some((name) => toolFolders.has(foldName(name)));

/**
 * Whether a file is a dot file, or in a dot folder or the folder of a tool. These contain settings and secrets. Images and
 * documents in `.gitbook` are not hidden.
 */
export function isHidden(path: string): boolean {
  if (isInToolFolder(path)) return true;
  const names = path.split('/').map(visible);
  if (names.at(-1)?.startsWith('.')) return true;
  return names.some((name) => name.startsWith('.') && name !== docsFolder) && !media.test(path);
}

/** File names that programs look for, in lower case. `isDocsFile` protects existing files with other names. */
const programNames = new Set(
  [
    // Build and task runners.
    'makefile gnumakefile bsdmakefile justfile rakefile gemfile gemfile.lock guardfile capfile vagrantfile procfile',
    'brewfile podfile fastfile dangerfile berksfile jenkinsfile taskfile.yml taskfile.yaml cmakelists.txt configure',
    'meson.build build workspace sconstruct sconscript wscript build.xml pom.xml gradlew mvnw gradle.properties build.sbt',
    'earthfile tiltfile tsconfig.json jsconfig.json deno.json deno.jsonc nx.json turbo.json lerna.json package.swift',
    // Packages and lock files: installing them runs code.
    'package.json package-lock.json npm-shrinkwrap.json pnpm-lock.yaml pnpm-workspace.yaml yarn.lock bun.lock bun.lockb',
    'composer.json composer.lock cargo.toml cargo.lock build.rs go.mod go.sum go.work mix.exs rebar.config stack.yaml',
    'pyproject.toml setup.py setup.cfg pipfile pipfile.lock poetry.lock uv.lock environment.yml tox.ini pytest.ini',
    'noxfile.py fabfile.py tasks.py conftest.py manage.py conf.py __init__.py __main__.py sitecustomize.py',
    'usercustomize.py config.ru nuget.config global.json',
    // Containers, hosting and build servers.
    'containerfile compose.yml compose.yaml action.yml action.yaml codeowners cname _redirects _headers netlify.toml',
    'vercel.json now.json wrangler.toml wrangler.json wrangler.jsonc firebase.json serverless.yml fly.toml render.yaml',
    'app.json app.yaml cloudbuild.yaml azure-pipelines.yml appveyor.yml bitbucket-pipelines.yml codecov.yml skaffold.yaml',
    'chart.yaml kustomization.yaml ansible.cfg renovate.json renovate.json5 web.config desktop.ini autorun.inf',
    // Static site generators: their settings load plugins.
    '_config.yml _config.yaml mkdocs.yml mkdocs.yaml book.toml book.json config.toml hugo.toml hugo.yaml hugo.json',
    // Instructions for agents.
    'agents.md agents.override.md claude.md claude.local.md gemini.md copilot-instructions.md',
  ].flatMap((names) => names.split(' ')),
);

const programShapes = [
  /^(?:dockerfile|docker-compose)(?:\.|$)/,
  /^compose\..+\.ya?ml$/,
  /^(?:tsconfig|jsconfig)\..+\.json$/,
  /\.config\.(?:[cm]?[jt]sx?|json)$/,
  /^(?:gulpfile|gruntfile|gatsby-[a-z]+)\.[cm]?[jt]sx?$/,
  /^requirements.*\.txt$/,
  /\.(?:mk|cmake|gradle|gradle\.kts|gemspec|podspec|bzl|bazel|nix|tf|tfvars|csproj|vbproj|fsproj|sln|props|targets)$/,
  /\.(?:code-workspace|cabal|pth)$/,
  // Source code: test runners and build tools find it in any folder.
  /\.(?:sh|bash|zsh|fish|csh|ksh|awk|pyw?|pyc|pyx|rb|pl|pm|php|lua|tcl|jl|r|[cm]?[jt]sx?|mdx|vue|svelte|coffee|astro)$/,
  /\.(?:go|rs|java|kts?|scala|groovy|swift|c|cc|cpp|h|hpp|m|cs|fs|vb|exs?|erl|hs|cljs?|ml|so|dylib|jar|class|wasm)$/,
  // Run by name from the working directory, or by a double click.
  /\.(?:exe|com|bat|cmd|ps1|psm1|psd1|vbs|vbe|jse|wsf|wsh|hta|msc|msi|scr|cpl|pif|lnk|url|reg|dll|desktop|command|app)$/,
];

/** Jekyll runs every file in this folder. */
const programFolder = '_plugins';

/**
 * Whether programs run a file, or use it as configuration, because of its name. Editors of a space must not control build
 * servers, text editors and shells. No program looks into `.gitbook`.
 */
export function isProgramFile(path: string): boolean {
  if (isHidden(path)) return true;
  const names = path.split('/');
  if (names[0] === docsFolder) return false;
  const folded = names.map(foldName);
  const name = folded.at(-1) ?? '';
  return programNames.has(name) || folded.includes(programFolder) || programShapes.some((shape) => shape.test(name));
}

/** Whether a file belongs to a space even if no page refers to it: reusable texts, variables, the tags of updates. */
export const isSpaceFile = (path: string): boolean =>
  /^\.gitbook\/(?:includes\/.*\.(?:md|markdown)|[^/]*\.ya?ml)$/i.test(path) && !isHidden(path);

/** Whether a file is the page of its folder. */
export const isReadme = (path: string) => /(?:^|\/)(?:readme|index)\.[a-z]+$/i.test(path);

export const isMdx = (path: string) => /\.mdx$/i.test(path);

export const isMarkdown = (path: string) => /\.(?:md|markdown)$/i.test(path);

/**
 * Whether an existing file is certainly part of the docs: a page, an image, a document, or anything in `.gitbook`. All
 * others could be programs or configuration, and are never replaced or deleted.
 */
export function isDocsFile(path: string): boolean {
  return !isProgramFile(path) && (isMarkdown(path) || media.test(path) || path.startsWith(`${docsFolder}/`));
}

/** Whether a file in a space is internal to docsctl. Such files are not in lists, sites or PDFs. */
export function isOwnFile(name: string): boolean {
  return name.startsWith('.docsctl/');
}
