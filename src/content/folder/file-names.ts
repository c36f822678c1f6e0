import { hiddenCharacters } from '../../shared/file-name.ts';

/** Folders of tools, and of packages, which contain Markdown of their own. */
export const toolFolders: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', 'node_modules']);

const maxPathLength = 1_000;
const maxNameBytes = 255;

// slow-regexp: one character class
const notShown = new RegExp(`[${hiddenCharacters}\\u061c\\u200e\\u200f]`);

/**
 * Why a path is not that of a file inside a folder, in words that follow "The name"; undefined when it is one.
 * Everybody who can write to the space can set paths: in a layout file, a file's name, a page's address.
 */
export function pathProblem(path: unknown, platform: string = process.platform): string | undefined {
  if (typeof path !== 'string' || path === '') return 'is not a path';
  if (path.length > maxPathLength) return 'is too long';
  if (/[\\:]/.test(path)) return 'has a colon or a backslash in it';
  if (notShown.test(path)) return 'has characters in it that are not shown';
  for (const name of path.split('/')) {
    if (name === '' || name === '.' || name === '..') return 'leads out of the folder';
    if (Buffer.byteLength(name) > maxNameBytes) return 'is too long';
    const folded = foldName(name);
    if (toolFolders.has(folded)) return `is in ${folded}`;
    // Windows gives files a second, short name: GIT~1 is .git.
    if (/^[^.~]{1,7}~\d{1,6}(?:\.[^.]{0,3})?$/.test(folded)) return 'is a short name that Windows gives';
    if (platform === 'win32' && !isNameOnWindows(name)) return 'is not possible on Windows';
  }
  return undefined;
}

/**
 * The name as it is compared by file systems that ignore case, invisible characters (HFS+) or dots at the end
 * (Windows).
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

/** The folder in which GitBook keeps pictures and files. */
const docsFolder = '.gitbook';

export const isInToolFolder = (path: string) => path.split('/').some((name) => toolFolders.has(foldName(name)));

/**
 * Whether a path is that of a dot file, in a dot folder, or in a tool's folder: they contain settings and secrets.
 * Pictures and documents in a dot folder are excepted.
 */
export function isHidden(path: string): boolean {
  if (isInToolFolder(path)) return true;
  const names = path.split('/').map(visible);
  if (names.at(-1)?.startsWith('.')) return true;
  return names.some((name) => name.startsWith('.') && name !== docsFolder) && !media.test(path);
}

/** Names that programs look for, in lower case. `isDocsFile` protects existing files whose names are missing here. */
const programNames = new Set(
  [
    // Build and task runners.
    'makefile gnumakefile bsdmakefile justfile rakefile gemfile gemfile.lock guardfile capfile vagrantfile procfile',
    'brewfile podfile fastfile dangerfile berksfile jenkinsfile taskfile.yml taskfile.yaml cmakelists.txt configure',
    'meson.build build workspace sconstruct sconscript wscript build.xml pom.xml gradlew mvnw gradle.properties build.sbt',
    'earthfile tiltfile tsconfig.json jsconfig.json deno.json deno.jsonc nx.json turbo.json lerna.json package.swift',
    // Packages and their locks: installing them runs code.
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
    // Generators of sites from Markdown: their settings name plugins.
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
  // Run by their name from the working directory, or by a double click.
  /\.(?:exe|com|bat|cmd|ps1|psm1|psd1|vbs|vbe|jse|wsf|wsh|hta|msc|msi|scr|cpl|pif|lnk|url|reg|dll|desktop|command|app)$/,
];

/** Jekyll runs every file in it. */
const programFolder = '_plugins';

/**
 * Whether programs run the file, or read it as their configuration, because of its name: the editors of a space must not
 * decide what build servers, editors and shells do. No program looks into `.gitbook`.
 */
export function isProgramFile(path: string): boolean {
  if (isHidden(path)) return true;
  const names = path.split('/');
  if (names[0] === docsFolder) return false;
  const folded = names.map(foldName);
  const name = folded.at(-1) ?? '';
  return programNames.has(name) || folded.includes(programFolder) || programShapes.some((shape) => shape.test(name));
}

/** Whether a file belongs to a space though no page may name it: reusable texts, variables, the tags of updates. */
export const isSpaceFile = (path: string): boolean =>
  /^\.gitbook\/(?:includes\/.*\.(?:md|markdown)|[^/]*\.ya?ml)$/i.test(path) && !isHidden(path);

/** Whether a page's file is the page of its folder. */
export const isReadme = (path: string) => /(?:^|\/)(?:readme|index)\.[a-z]+$/i.test(path);

export const isMdx = (path: string) => /\.mdx$/i.test(path);

export const isMarkdown = (path: string) => /\.(?:md|markdown)$/i.test(path);

/**
 * Whether an existing file can only be part of the docs: a page, a picture, a document, anything in `.gitbook`. Any
 * other may be a program or configuration, whatever its name is, and is neither replaced nor removed.
 */
export function isDocsFile(path: string): boolean {
  return !isProgramFile(path) && (isMarkdown(path) || media.test(path) || path.startsWith(`${docsFolder}/`));
}
