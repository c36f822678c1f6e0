import { type ChangeLevel, changeRules } from '../../src/openapi/index.ts';

const levels: [ChangeLevel, string][] = [
  ['breaking', 'Breaking changes'],
  ['warning', 'Warnings'],
  ['info', 'Other changes'],
];

const introduction = `# Changes of OpenAPI descriptions

\`docsctl openapi diff <old> <new>\` compares two descriptions, and \`docsctl openapi publish --fail-on breaking\` compares a
description with the published one. Each change has a rule and a level:

| level | meaning | status 9 |
|---|---|---|
| breaking | a request that was accepted may now be refused, or a response may contain something new | by default |
| warning | the descriptions do not tell, or most clients cope | with \`--fail-on warning\` |
| info | anything else that users of the API may want to know | never |

Different notations with the same meaning are not changes: another name of a component, \`$ref\` or \`allOf\` instead of its
content, \`nullable\` instead of a list of types, another order, other descriptions, or a base path that moved from the URLs of
the servers into the paths. A change in a component is listed once,
with all operations that use it.

In a callback or a webhook, the API sends the request. The rules for responses therefore apply to its body and parameters, and
the rules for requests apply to its responses.

## Compare

\`\`\`sh
docsctl openapi diff old.yaml new.yaml                     # files, or addresses
docsctl openapi diff git:main:openapi/pets.yaml pets.yaml  # a file of a branch, tag or commit
docsctl openapi diff pets pets.yaml                        # the latest published version of a slug
docsctl openapi diff pets@<version> pets@<version>         # two published versions
\`\`\`

Versions 2.0, 3.0 and 3.1 can be compared with each other. The descriptions are not validated otherwise. Broken references,
and schemas with too many combinations of alternatives to compare, are reported as \`error\`: a check that could not be made
does not pass, except with \`--fail-on none\`.

## Publish

\`docsctl openapi publish\` validates a description, bundles the files it refers to into one document, and sends it unless it is
already published; \`--force\` sends it anyway. With errors, it sends nothing and exits with status 9; \`--fail-on none\` sends
the description unchanged. \`--fail-on breaking\` also refuses breaking changes, in a dry run, too. Changes that may break
clients are listed as warnings and do not stop it. The result is \`none\`, \`warnings\` or, if there is no version to compare
with, \`no-earlier-version\`.

If somebody else publishes between the comparison and the upload, docsctl compares again and ends with status 6. \`--rebase\`
publishes if nothing breaks the version that was published in between, and otherwise ends with status 9. On \`docsctl serve\`
and other services with ETags, nothing is sent in either case. On services without them, docsctl waits until the description
is processed, checks which version it replaced, and prints how to restore that version. A new slug never replaces one that
somebody else created at the same time.

Without \`--wait\`, the command ends when the service has received the document and processes it later. Earlier versions are
kept.

## References to other files

\`validate\`, \`publish\` and \`diff\` read the files and addresses that a description refers to. Files must be in the project of
the description, or in a folder of \`--ref-root\`. The project is the nearest parent folder with \`.git\`, or else the folder of
the description; for standard input, it is the working directory. For a file in a commit, referenced files are read from the
same commit. References to other files and to hidden files are errors. Addresses in private networks need \`--ref-host\`.

## Accept changes

\`--ignore <file>\` of \`diff\` and \`publish --fail-on breaking\` allows the changes listed in a YAML or JSON file:

\`\`\`yaml
- rule: parameter-removed
  path: GET /pets # optional: a path with or without a method; * matches any text
  until: 2030-01-31 # optional: the last day
  reason: The parameter had no effect.
  author: Ann # optional
\`\`\`

An expired entry has no effect and is reported as a warning (\`ignore-expired\`). An entry that matches no change is reported,
too. If a change affects several operations, it stays listed for those that no entry matches.

\`openapi diff --write-baseline <file>\` accepts all current changes at once, and \`--baseline <file>\` of \`diff\` and
\`publish\` skips them. A baseline names each change with its operations and values, so another change in the same place is
not accepted. You can add \`reason\`, \`author\` and \`until\` to its entries. One file can hold the findings of \`validate\` and
the changes of \`diff\`. Parts that could not be compared are only accepted with \`--ignore\`.

If a reference in the published description is broken, \`publish --fail-on breaking\` lists a warning and publishes the
description that repairs it.

## In a pull request

\`--format markdown\` writes a summary, \`--format github\` annotations, and \`sarif\`, \`gitlab\`, \`junit\`, \`checkstyle\` and
\`json\` formats for other tools. On GitHub Actions, docsctl always writes the summary and the annotations unless you use
\`--no-ci\`.

## Other tools

What the documentation of other tools says, in November 2026. An empty cell means that we found nothing about it.

| | docsctl | oasdiff | Redocly CLI 2.72 | bump CLI 2.11 | Optic 1.0.9 |
|---|---|---|---|---|---|
| state | 0.2 | active, most complete | \`diff\` is experimental | active | archived since January 2026 |
| compares | Swagger 2.0, OpenAPI 3.0 and 3.1, also with each other | OpenAPI 3.0 and later; Swagger 2.0 is out of scope | OpenAPI 3, AsyncAPI 3 | OpenAPI, AsyncAPI | OpenAPI 3 |
| rules | ${changeRules.size}, fixed levels | about 500 checks, each with a level that you can change | rules with an impact that you can change | breaking or not | rulesets, also your own |
| where it runs | on your machine | on your machine; a hosted review is optional | on your machine | the comparison runs in its service | on your machine |
| against the published version | yes, and publishing is conditional on it | no | no | yes | no |
| against a branch | yes, all changed descriptions; fetches missing history | yes, one description or a combined set for each call; \`--fetch\` fetches history | two files | two files | yes, all descriptions (\`diff-all\`) |
| accepted changes | by rule, path, operation and values, with reason, author and end date; unused entries are reported | files with the texts of changes, by level | rules off | | rules off |
| approvals in the pull request | no | yes, hosted | | | |
| comment on the pull request | GitHub and GitLab | GitHub | | GitHub | GitHub |
| formats | text, JSON, Markdown, SARIF, JUnit, GitLab, Checkstyle, GitHub | text, JSON, YAML, Markdown, HTML, JUnit, GitHub, own templates | | text, Markdown, HTML, JSON | text, JSON, browser |
| languages | English | four | English | English | English |
| checks that the version number fits | no | yes | yes | | |
| checks real traffic | no | no | no | no | yes |
| overlays | \`validate\`, \`check\`, \`publish\` | | \`bundle\` | yes | |

oasdiff has more rules, levels that you can change, and reviews with a button. Use it if you need those. docsctl knows what is
published and does not replace anything that it has not compared.

oasdiff's own tests (commit 4553c69d) compare 44 pairs of unchanged files that it calls an error. docsctl calls 40 of them breaking
and 4 a warning; none is silent. The four warnings: an alternative of \`anyOf\` or of \`oneOf\` was removed but another one accepts the
same values, a member of \`allOf\` was added that repeats the others, and the default of a required path parameter changed, which no
request uses.
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
