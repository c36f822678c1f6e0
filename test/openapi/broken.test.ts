import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { formatFinding } from '../../src/cli/report/finding.ts';
import { readErrors } from './read-errors.ts';

const folder = join(import.meta.dirname, 'broken');

/** What is found in each file of `broken/`: the place of the key or value at fault, in the file where it stands. */
const findings: Record<string, string[]> = {
  'alias-bomb.yaml': ['alias-bomb.yaml:9:38 error YAML: The aliases expand to a document that is too large (syntax)'],
  'asyncapi.yaml': ['asyncapi.yaml:2:11 error Not an OpenAPI document: it has "asyncapi" (openapi-version)'],
  'bad-indentation.yaml': ['bad-indentation.yaml:4:11 error YAML: Bad indentation of a mapping entry (syntax)'],
  'bare-version.yaml': ['bare-version.yaml:1:10 error The version must be a string: swagger: "2.0" (openapi-version)'],
  'cut-off.json': ['cut-off.json:3:22 error JSON: This string is not closed (syntax)'],
  'doubtful.yaml': [
    'doubtful.yaml:3:14 error No security scheme "key" is defined (docsctl/security-scheme-defined)',
    'doubtful.yaml:6:5 error The operation does not define the path parameter `{id}` expected by path `/pets/{id}` (path-parameters-defined)',
    'doubtful.yaml:7:35 error "http://127.0.0.1/common.yaml#/ok" is left as it is: nothing is downloaded (not-checked)',
    'doubtful.yaml:8:3 error The path already exists which differs only by path parameter name(s): `/pets/{id}` and `/pets/{name}` (no-identical-paths)',
  ],
  'duplicate-key.json': ['duplicate-key.json:3:50 error The key "title" is already in this object (duplicate-key)'],
  'duplicate-key.yaml': ['duplicate-key.yaml:6:3 error The key "/pets" is already in this object (duplicate-key)'],
  'empty.yaml': ['empty.yaml:1:1 error Not an OpenAPI document: it is empty (openapi-version)'],
  'endless-alias.yaml': ['endless-alias.yaml:5:14 error YAML: *tree is inside the value that it refers to (syntax)'],
  'missing-title.yaml': [
    'missing-title.yaml:2:1 error The field `title` must be present on this level (struct)',
    'missing-title.yaml:6:5 error The field `responses` must be present on this level (struct)',
  ],
  'no-references.yaml': [
    'no-references.yaml:7:17 error "#/components/parameters/limit" cannot be resolved (no-unresolved-refs)',
    'no-references.yaml:8:17 error "missing.yaml#/limit" leads to missing.yaml: there is no such file (no-unresolved-refs)',
    'no-references.yaml:9:17 error "parts/parameters.yaml#/offset" cannot be resolved (no-unresolved-refs)',
    'no-references.yaml:10:17 error "parts" leads to parts: it is a folder (no-unresolved-refs)',
    'no-references.yaml:20:31 error "#/constructor" cannot be resolved (no-unresolved-refs)',
    'parts/broken.yaml:2:22 error YAML: Bad indentation of a mapping entry (syntax)',
    'parts/owner.json:4:17 error Expected type `array` but got `boolean` (struct)',
    'parts/pet.yaml:3:17 error `type` can be one of the following only: "object", "array", "string", "number", "integer", "boolean" (struct)',
  ],
  'not-an-object.json': ['not-an-object.json:1:1 error Not an OpenAPI document: expected an object (openapi-version)'],
  'only-references.yaml': [
    'only-references.yaml:6:18 error "#/components/schemas/Cat" leads only to further references (no-unresolved-refs)',
    'only-references.yaml:7:18 error "#/components/schemas/Pet" leads only to further references (no-unresolved-refs)',
    'only-references.yaml:8:18 error "#/components/schemas/Dog/properties/x" leads only to further references (no-unresolved-refs)',
  ],
  'short-version.json': ['short-version.json:1:14 error Expected a full version like "3.1.0" (docsctl/full-version)'],
  'single-quotes.json': ['single-quotes.json:2:14 error JSON: Expected a value, found "\'" (syntax)'],
  'trailing-comma.json': ['trailing-comma.json:3:50 error JSON: Expected a key in double quotes, found "}" (syntax)'],
  'two-documents.yaml': ['two-documents.yaml:5:1 error YAML: Only one document may be in a file (syntax)'],
  'unclosed-list.yaml': ['unclosed-list.yaml:4:1 error YAML: Deficient indentation (syntax)'],
  'unknown-alias.yaml': ['unknown-alias.yaml:3:9 error YAML: Unidentified alias "paths" (syntax)'],
  'unknown-version.yaml': [
    'unknown-version.yaml:1:10 error Version "4.0.0" is not supported; openapi may be 3.0.x, 3.1.x and 3.2.x (openapi-version)',
  ],
  'used-twice.yaml': [
    'used-twice.yaml:9:11 error Operations must have unique `name` + `in` parameters. Repeats of `in:query` + `name:limit` (operation-parameters-unique)',
    'used-twice.yaml:13:20 error Every operation must have a unique `operationId` (operation-operationId-unique)',
    'used-twice.yaml:15:27 error A path parameter must have "required: true" (docsctl/path-parameter-required)',
  ],
  'wrong-keywords-31.yaml': [
    'wrong-keywords-31.yaml:5:28 error `type` can be one of the following only: "object", "array", "string", "number", "integer", "boolean", "null" (struct)',
    'wrong-keywords-31.yaml:5:52 error Expected type `number` but got `boolean` (struct)',
  ],
  'wrong-values.json': [
    'wrong-values.json:6:21 error Expected type `ParameterList` (array) but got `object` (struct)',
    'wrong-values.json:9:11 error The field `schema` must be present on this level (struct)',
    'wrong-values.json:10:53 error `type` can be one of the following only: "string", "number", "integer", "boolean", "array", "file" (struct)',
    'wrong-values.json:12:24 error The field `description` must be present on this level (struct)',
    'wrong-values.json:16:47 error Property `oneOf` is not expected here (struct)',
  ],
  'wrong-values.yaml': [
    'wrong-values.yaml:4:12 error Expected type `string` but got `integer` (struct)',
    'wrong-values.yaml:8:7 error Property `sumary` is not expected here: did you mean "summary"? (struct)',
    'wrong-values.yaml:9:13 error Expected type `array` but got `string` (struct)',
    'wrong-values.yaml:10:19 error Expected type `boolean` but got `string` (struct)',
    'wrong-values.yaml:17:23 error `type` can be one of the following only: "object", "array", "string", "number", "integer", "boolean": did you mean "string"? (struct)',
    'wrong-values.yaml:18:28 error The value of the minLength field must be greater than or equal to 0 (struct)',
    'wrong-values.yaml:20:9 error Property `okay` is not expected here (struct)',
    'wrong-values.yaml:21:3 error Property `pets/{id}` is not expected here (struct)',
    'wrong-values.yaml:24:10 error Expected type `Schema` (object) but got `string` (struct)',
    'wrong-values.yaml:25:29 error Expected type `string` but got `integer` (struct)',
    'wrong-values.yaml:25:39 error Expected type `array` but got `string` (struct)',
    'wrong-values.yaml:27:5 error The field `name` must be present on this level (struct)',
    'wrong-values.yaml:27:30 error `in` can be one of the following only: "query", "header", "cookie" (struct)',
    'wrong-values.yaml:28:41 error The field `flows` is not allowed here (struct)',
  ],
};

test.each(Object.entries(findings))('%s', async (path, expected) => {
  const description = await readErrors({ path }, folder);

  expect(description.findings.map(formatFinding)).toEqual(expected);
});

test('every broken file is reported', () => {
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());

  expect(files.map(({ name }) => name).toSorted()).toEqual(Object.keys(findings).toSorted());
});
