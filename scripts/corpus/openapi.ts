/**
 * Checks public collections of OpenAPI descriptions and writes the counts into `docs/openapi-corpus.md`. It is not run in
 * CI, because the collections are not part of the project:
 *
 *     node scripts/corpus/openapi.ts FOLDER
 *
 * FOLDER has checkouts of what `sources` names; a missing one is left out and said.
 */
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { readDescription } from '../../src/openapi/index.ts';

interface Source {
  /** What it is, as the page says it. */
  title: string;
  /** Folder below FOLDER. */
  folder: string;
  files: string[];
  /** What most files are by their own project: valid or not; `any` where it does not say. */
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

/** What was found in one file: nothing, only warnings, errors, or only that a part was not checked; or the program failed. */
type Outcome = 'clean' | 'warnings' | 'errors' | 'unchecked' | 'failed';

/** Why the judgement is another, by the end of the file's name. */
const reasons: Record<string, string> = {
  'operation-object-example.yaml':
    'The path has `{id}`, the parameter is `petId`, and no security scheme is defined: the text of the specification says "MUST" for both, its JSON Schema cannot.',
  '3.1/tests/schema/pass/style-defaults.yaml':
    'A path parameter without `required: true`, which the specification demands. The same file for 3.2 has it.',
  'mega.yaml': '`defaultMapping` names a schema that does not exist: a rule of Redocly, and right.',
  'response-http-behavior.json': 'It names security schemes that it does not define.',
  'response-http-behavior.yaml': 'It names security schemes that it does not define.',
  'schema-types.json': 'Arrays without `items`, which 3.0 demands.',
  'schema-types.yaml': 'Arrays without `items`, which 3.0 demands.',
  'required-property-not-defined-definitions.yaml':
    'A required property that no schema defines: any value fits, so it is a warning.',
  'required-property-not-defined-input.yaml':
    'A required property that no schema defines: any value fits, so it is a warning.',
};

const [root] = process.argv.slice(2);
if (!root) throw new Error('Name the folder of the collections.');
const rows: string[] = [];
const differences: string[] = [];
for (const { title, folder, files, expected } of sources) {
  const base = join(root, folder);
  if (!existsSync(base)) {
    console.error(`${base} is missing: left out.`);
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
// What follows was measured by hand.
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

How \`docsctl openapi validate\` judges descriptions of other projects, with its default rules and without downloads.
Written by \`node scripts/corpus/openapi.ts\`, which says where the files come from.

| collection | files | nothing found | warnings only | errors | errors only because a part was not downloaded | program failed |
|---|---:|---:|---:|---:|---:|---:|
${rows.join('\n')}

## Where the judgement is another

Descriptions that their projects call valid and that have errors here, or the other way round. The projects test the JSON
Schema of the specification, which does not hold all that its text says; and the rules of Redocly do not hold all that the
schema says.

| collection | file | here | rules | why |
|---|---|---|---|---|
${differences.join('\n')}
`;
}
