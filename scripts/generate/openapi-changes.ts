import { type ChangeLevel, changeRules } from '../../src/openapi/index.ts';

const levels: [ChangeLevel, string][] = [
  ['breaking', 'Breaking changes'],
  ['warning', 'Warnings'],
  ['info', 'Other changes'],
];

const introduction = `# Changes of OpenAPI descriptions

\`docsctl openapi diff <old> <new>\` compares two descriptions, and \`docsctl openapi publish --fail-on breaking\` compares a
description with the one that is published. Each change has a rule and a level:

| level | meaning | status 9 |
|---|---|---|
| breaking | a request that was accepted may now be refused, or a response may be what it could not be before | by default |
| warning | nobody can tell from the descriptions, or most clients cope | with \`--fail-on warning\` |
| info | anything else that users of the API may want to know | never |

What is written in another way and means the same is no change: another name of a component, \`$ref\` or \`allOf\` for what
stood there, \`nullable\` for a list of types, another order, other texts for people. A change in a component is listed once,
with all operations that use it.

In a callback or a webhook, the API sends the request. So the rules for responses are those for its body and parameters, and
the rules for requests are those for its responses.

## What is compared

\`\`\`sh
docsctl openapi diff old.yaml new.yaml                     # files, or addresses
docsctl openapi diff git:main:openapi/pets.yaml pets.yaml  # a file of a branch, tag or commit
docsctl openapi diff pets pets.yaml                        # what is published under a slug
docsctl openapi diff pets@<version> pets@<version>         # two published versions
\`\`\`

Both descriptions are read with the files that they refer to; those of a commit are read from the same commit. A reference
that leads nowhere, or schemas with more combinations of alternatives than are compared, are reported as \`error\`: a check that
was not made does not pass, except with \`--fail-on none\`.

## Accept changes

\`--ignore <file>\` leaves out what the file lists, in YAML or JSON:

\`\`\`yaml
- rule: parameter-removed
  path: GET /pets # a path with or without its method; * stands for any text; all operations without it
  until: 2030-01-31 # the last day; without it, for ever
  reason: The parameter had no effect.
\`\`\`

An entry whose day is over has no effect and is reported as a warning (\`ignore-expired\`). Where a change is in several
operations, it stays listed for those that no entry fits.

## In a pull request

\`--format markdown\` writes a summary, \`--format github\` annotations, and \`sarif\`, \`gitlab\`, \`junit\`, \`checkstyle\` and
\`json\` what other tools read. On GitHub Actions, the summary and the annotations are written in any case, except with
\`--no-ci\`.
`;

/** The page about the rules of `openapi diff`. */
export function openapiChanges(): string {
  const sections = levels.map(([level, title]) => {
    const rules = [...changeRules].filter(([, rule]) => rule.level === level);
    return [
      `## ${title}`,
      '',
      '| rule | what changed |',
      '|---|---|',
      ...rules.map(([id, { text }]) => `| \`${id}\` | ${text} |`),
    ].join('\n');
  });
  return `${[introduction, ...sections.map((section) => `${section}\n`)].join('\n')}`;
}
