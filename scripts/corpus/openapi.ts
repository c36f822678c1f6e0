/**
 * Checks public collections of OpenAPI descriptions and writes the counts to `docs/openapi-corpus.md`. CI does not run
 * it, because the collections are not part of the project:
 *
 *     node scripts/corpus/openapi.ts FOLDER
 *
 * FOLDER contains checkouts of the projects in `sources`. A missing one is reported and skipped.
 */
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { readDescription } from '../../src/openapi/index.ts';

interface Source {
  /** Name of the collection on the page. */
  title: string;
  /** Folder below FOLDER. */
  folder: string;
  files: string[];
  /** What the project itself says of most files; `any` if it does not say. */
  expected: 'valid' | 'invalid' | 'any';
}

const sources: Source[] = [
  {
    title: 'OpenAPI Specification 3.0, examples that pass',
    folder: 'OAI/3.1',
    files: ['_archive_/schemas/v3.0/pass/*.yaml'],
    expected: 'valid',
  },
  {
    title: 'OpenAPI Specification 3.1, pass',
    folder: 'OAI/3.1',
    files: ['tests/schema/pass/*.yaml'],
    expected: 'valid',
  },
  {
    title: 'OpenAPI Specification 3.1, fail',
    folder: 'OAI/3.1',
    files: ['tests/schema/fail/*.yaml'],
    expected: 'invalid',
  },
  {
    title: 'OpenAPI Specification 3.2, pass',
    folder: 'OAI/3.2',
    files: ['tests/schema/pass/*.yaml'],
    expected: 'valid',
  },
  {
    title: 'OpenAPI Specification 3.2, fail',
    folder: 'OAI/3.2',
    files: ['tests/schema/fail/*.yaml'],
    expected: 'invalid',
  },
  {
    title: 'swagger-parser, valid',
    folder: 'swagger-parser',
    files: ['test/specs/validate-{spec,schema}/valid/*.yaml'],
    expected: 'valid',
  },
  {
    title: 'swagger-parser, invalid',
    folder: 'swagger-parser',
    files: ['test/specs/validate-{spec,schema}/invalid/*.yaml', 'test/specs/invalid/*.yaml'],
    expected: 'invalid',
  },
  {
    title: '@readme/oas-examples',
    folder: 'oas-examples',
    files: ['{2.0,3.0,3.1}/**/*.{json,yaml}'],
    expected: 'valid',
  },
  {
    title: 'Redocly CLI, descriptions of its tests',
    folder: 'redocly-cli',
    files: ['tests/e2e/**/{openapi,swagger,museum,pet}*.{json,yaml}'],
    expected: 'any',
  },
];

/** The result for one file. `unchecked`: the only errors are that a part was not checked. `failed`: docsctl crashed. */
type Outcome = 'clean' | 'warnings' | 'errors' | 'unchecked' | 'failed';

/** Reasons for differences from the project's own result, by the end of the file's path. */
const reasons: Record<string, string> = {
  'operation-object-example.yaml':
    'The path has `{id}` but the parameter is `petId`, and no security scheme is defined. The text of the specification says "MUST" for both; a JSON Schema cannot express it.',
  '3.1/tests/schema/pass/style-defaults.yaml':
    'A path parameter lacks `required: true`, which the specification requires. The same file for 3.2 has it.',
  'mega.yaml': '`defaultMapping` names a schema that does not exist. A rule of Redocly reports it, correctly.',
  'response-http-behavior.json': 'It refers to security schemes that it does not define.',
  'response-http-behavior.yaml': 'It refers to security schemes that it does not define.',
  'schema-types.json': 'Arrays lack `items`, which 3.0 requires.',
  'schema-types.yaml': 'Arrays lack `items`, which 3.0 requires.',
  'required-property-not-defined-definitions.yaml':
    'No schema defines a required property. Any value is valid, so this is a warning.',
  'required-property-not-defined-input.yaml':
    'No schema defines a required property. Any value is valid, so this is a warning.',
};

const [root] = process.argv.slice(2);
if (!root) throw new Error('Pass the folder of the collections.');
const rows: string[] = [];
const differences: string[] = [];
for (const { title, folder, files, expected } of sources) {
  const base = join(root, folder);
  if (!existsSync(base)) {
    console.error(`${base} is missing, skipped.`);
    continue;
  }
  const counts: Record<Outcome, number> = { clean: 0, warnings: 0, errors: 0, unchecked: 0, failed: 0 };
  const names = files
    .flatMap((pattern) => globSync(pattern, { cwd: base }))
    .filter((name) => existsSync(join(base, name)))
    .toSorted();
  for (const name of names) {
    const { outcome, rules } = await check(join(base, name));
    counts[outcome] += 1;
    const differs = expected === 'valid' ? outcome === 'errors' : expected === 'invalid' && outcome !== 'errors';
    if (differs || outcome === 'failed') {
      const file = relative(base, join(base, name));
      const reason = Object.entries(reasons).find(([end]) => `${folder}/${file}`.endsWith(end))?.[1] ?? '';
      differences.push(`| ${title} | ${file} | ${outcome} | ${rules} | ${reason} |`);
    }
  }
  const { clean, warnings, errors, unchecked, failed } = counts;
  rows.push(`| ${title} | ${names.length} | ${clean} | ${warnings} | ${errors} | ${unchecked} | ${failed} |`);
}
const file = 'docs/openapi-corpus.md';
// The rest of the page was measured by hand.
const [, bundling = ''] = readFileSync(file, 'utf8').split('\n## Bundling');
writeFileSync(file, `${page()}\n## Bundling${bundling}`);

async function check(path: string): Promise<{ outcome: Outcome; rules: string }> {
  try {
    const { findings } = await readDescription({ path });
    const errors = findings.filter(({ level }) => level === 'error');
    const isUnchecked = errors.length > 0 && errors.every(({ rule }) => rule === 'not-checked');
    const worst = isUnchecked ? 'unchecked' : 'errors';
    const outcome = errors.length > 0 ? worst : findings.length > 0 ? 'warnings' : 'clean';
    return { outcome, rules: [...new Set((errors.length > 0 ? errors : findings).map(({ rule }) => rule))].join(', ') };
  } catch (error) {
    return { outcome: 'failed', rules: error instanceof Error ? error.name : String(error) };
  }
}

function page(): string {
  return `# Public collections of OpenAPI descriptions

Results of \`docsctl openapi validate\` on the descriptions of other projects, with default rules and without downloads.
\`node scripts/corpus/openapi.ts\` generates this page. The script lists the sources of the files.

| collection | files | no findings | only warnings | errors | errors only because a part was not downloaded | crashed |
|---|---:|---:|---:|---:|---:|---:|
${rows.join('\n')}

## Differences from the projects' own results

Descriptions that docsctl rejects although their projects call them valid, or the other way round. The projects test against
the JSON Schema of the specification, which does not cover every rule in its text. Redocly's rules, in turn, do not cover
everything in the schema.

| collection | file | docsctl | rules | reason |
|---|---|---|---|---|
${differences.join('\n')}
`;
}
