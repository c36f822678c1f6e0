/**
 * Reports imports in src and bin that close a cycle or lead to a folder that theirs must not know; part of
 * `npm run lint`. The linter has a rule for cycles, but it does not see dynamic imports, and neither do its rules for
 * restricted imports. Here all imports count: static, dynamic, of types, and `require`.
 */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSync, Visitor } from 'rolldown/utils';

/** By folder of src: which other folders its files may import. `docs/architecture.md` explains them. */
const mayImport = {
  shared: [],
  contract: ['shared'],
  content: ['contract', 'shared'],
  threads: ['content', 'shared'],
  openapi: ['contract', 'shared'],
  saml: ['shared'],
  site: ['content', 'threads', 'openapi', 'contract', 'shared'],
  'site/service': ['site', 'change-requests', 'client', 'content', 'openapi', 'contract', 'shared'],
  client: ['contract', 'shared'],
  journal: ['client', 'contract', 'shared'],
  approval: ['client', 'contract', 'shared'],
  people: ['journal', 'client', 'contract', 'shared'],
  'change-requests': ['client', 'content', 'contract', 'shared'],
  sync: ['change-requests', 'client', 'content', 'threads', 'contract', 'shared'],
  organization: [
    'approval',
    'sync',
    'change-requests',
    'client',
    'content',
    'threads',
    'openapi',
    'contract',
    'shared',
  ],
  links: ['sync', 'site', 'site/service', 'change-requests', 'client', 'content', 'threads', 'contract', 'shared'],
  app: [
    'organization',
    'change-requests',
    'site',
    'site/service',
    'client',
    'content',
    'openapi',
    'contract',
    'shared',
  ],
  store: ['contract', 'shared'],
  server: ['store', 'content', 'site', 'threads', 'openapi', 'contract', 'shared'],
  rehearsal: ['organization', 'sync', 'change-requests', 'server', 'store', 'client', 'content', 'contract', 'shared'],
  mcp: ['shared'],
  proposals: ['approval', 'rehearsal', 'organization', 'sync', 'journal', 'client', 'contract', 'shared'],
  cli: ['approval', 'journal', 'client', 'content', 'contract', 'shared'],
  commands: [
    'cli',
    'mcp',
    'approval',
    'journal',
    'people',
    'client',
    'content',
    'change-requests',
    'sync',
    'organization',
    'rehearsal',
    'proposals',
    'links',
    'app',
    'site',
    'site/service',
    'threads',
    'openapi',
    'saml',
    'contract',
    'shared',
  ],
};

/** These commands run the local instance itself, or write one. */
const mayImportServer = ['src/commands/init/', 'src/commands/serve/'];

const files = globSync(['src/**/*.ts', 'bin/*.js']).toSorted();
const importsOf = new Map(files.map((file) => [file, importsIn(file)]));
const findings = [
  ...files.flatMap((file) => importsOf.get(file).flatMap((target) => layerFinding(file, target) ?? [])),
  ...cycles().map((cycle) => `import cycle: ${[...cycle, cycle[0]].join(' -> ')}`),
];
for (const finding of findings) console.error(finding);
console.log(`Found ${findings.length} problems in the imports of ${files.length} files.`);
process.exitCode = findings.length > 0 ? 1 : 0;

/** The files of src and bin that a file imports. */
function importsIn(file) {
  const targets = new Set();
  const add = (source) => {
    if (source?.type === 'Literal' && String(source.value).startsWith('.'))
      targets.add(join(dirname(file), source.value));
  };
  const { program } = parseSync(file, readFileSync(file, 'utf8'));
  new Visitor({
    ImportDeclaration: ({ source }) => add(source),
    ExportNamedDeclaration: ({ source }) => add(source),
    ExportAllDeclaration: ({ source }) => add(source),
    ImportExpression: ({ source }) => add(source),
    TSImportType: ({ source }) => add(source),
    CallExpression: ({ callee, arguments: [source] }) => callee.name === 'require' && add(source),
  }).visit(program);
  return [...targets].filter((target) => files.includes(target));
}

function layerFinding(file, target) {
  const [from, to] = [file, target].map(folderOf);
  // Files at the top, such as main.ts, connect the folders.
  if (/\.[jt]s$/.test(from)) return undefined;
  if (from === to) return from === 'commands' ? commandFinding(file, target) : undefined;
  const allowed = mayImport[from] ?? [];
  if (allowed.includes(to)) return undefined;
  if (['server', 'store'].includes(to) && mayImportServer.some((folder) => file.startsWith(folder))) return undefined;
  return `${file} imports ${target}: src/${from} may import ${allowed.join(', ') || 'nothing'} only`;
}

/** A command uses the code of another one only from commands/shared. */
function commandFinding(file, target) {
  const [word, other] = [file, target].map((path) => path.split('/')[2]);
  if (word === other || word === 'index.ts' || other === 'shared') return undefined;
  return `${file} imports ${target}: move what both need to src/commands/shared, or to an engine`;
}

/** The folder of src, or the one inside it that may import other folders. */
function folderOf(path) {
  const [, folder, inner] = path.split('/');
  return Object.hasOwn(mayImport, `${folder}/${inner}`) ? `${folder}/${inner}` : folder;
}

/** One cycle for each file that is part of one and of none that was found before. */
function cycles() {
  const found = [];
  const done = new Set();
  const path = [];
  const visit = (file) => {
    const start = path.indexOf(file);
    if (start >= 0) return void found.push(path.slice(start));
    if (done.has(file)) return;
    path.push(file);
    for (const target of importsOf.get(file)) visit(target);
    path.pop();
    done.add(file);
  };
  files.forEach(visit);
  return found;
}
