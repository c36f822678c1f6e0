import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { formatFinding, readDescription } from '../../src/openapi/index.ts';

const folder = join(import.meta.dirname, 'broken');

/** What is found in each file of `broken/`: the place of the key or value at fault, in the file where it stands. */
const findings: Record<string, string[]> = {
  'alias-bomb.yaml': ['alias-bomb.yaml:9:38 error YAML: The aliases expand to a document that is too large (syntax)'],
  'asyncapi.yaml': ['asyncapi.yaml:2:11 error Not an OpenAPI document: it has "asyncapi" (openapi-version)'],
  'bad-indentation.yaml': ['bad-indentation.yaml:4:11 error YAML: Bad indentation of a mapping entry (syntax)'],
  'bare-version.yaml': ['bare-version.yaml:1:10 error The version must be a string: swagger: "2.0" (openapi-version)'],
  'cut-off.json': ['cut-off.json:3:22 error JSON: This string is not closed (syntax)'],
  'doubtful.yaml': [
    'doubtful.yaml:3:14 warning No security scheme "key" is defined (security-defined)',
    'doubtful.yaml:5:3 warning {id} is not declared as a path parameter of GET (path-parameter)',
    'doubtful.yaml:7:35 warning "https://example.com/common.yaml#/ok" is left as it is: nothing is downloaded (remote-reference)',
    'doubtful.yaml:8:3 warning "/pets/{name}" is the same path as "/pets/{id}" (path-unique)',
  ],
  'duplicate-key.json': ['duplicate-key.json:3:50 error The key "title" is already in this object (duplicate-key)'],
  'duplicate-key.yaml': ['duplicate-key.yaml:6:3 error The key "/pets" is already in this object (duplicate-key)'],
  'empty.yaml': ['empty.yaml:1:1 error Not an OpenAPI document: it is empty (openapi-version)'],
  'endless-alias.yaml': ['endless-alias.yaml:5:14 error YAML: *tree stands inside what it refers to (syntax)'],
  'missing-title.yaml': [
    'missing-title.yaml:2:1 error "title" is missing in this info (structure)',
    'missing-title.yaml:6:5 error "responses" is missing in this operation (structure)',
  ],
  'no-references.yaml': [
    'no-references.yaml:7:17 error "#/components/parameters/limit" leads nowhere (reference)',
    'no-references.yaml:8:17 error "missing.yaml#/limit" leads to missing.yaml: there is no such file (reference)',
    'no-references.yaml:9:17 error "parts/parameters.yaml#/offset" leads nowhere (reference)',
    'no-references.yaml:10:17 error "parts" leads to parts: it is a folder (reference)',
    'no-references.yaml:20:31 error "#/constructor" leads nowhere (reference)',
    'parts/broken.yaml:2:22 error YAML: Bad indentation of a mapping entry (syntax)',
    'parts/owner.json:4:17 error Expected an array, found true (structure)',
    'parts/pet.yaml:3:17 error "text" is not one of "object", "array", "string", "number", "integer", "boolean" (structure)',
  ],
  'not-an-object.json': ['not-an-object.json:1:1 error Not an OpenAPI document: expected an object (openapi-version)'],
  'only-references.yaml': [
    'only-references.yaml:6:18 error "#/components/schemas/Cat" leads only to further references (reference)',
    'only-references.yaml:7:18 error "#/components/schemas/Pet" leads only to further references (reference)',
    'only-references.yaml:8:18 error "#/components/schemas/Dog/properties/x" leads only to further references (reference)',
  ],
  'short-version.json': ['short-version.json:1:14 error Expected a full version like "3.1.0" (openapi-version)'],
  'single-quotes.json': ['single-quotes.json:2:14 error JSON: Expected a value, found "\'" (syntax)'],
  'trailing-comma.json': ['trailing-comma.json:3:50 error JSON: Expected a key in double quotes, found "}" (syntax)'],
  'two-documents.yaml': ['two-documents.yaml:5:1 error YAML: Only one document may be in a file (syntax)'],
  'unclosed-list.yaml': ['unclosed-list.yaml:4:1 error YAML: Deficient indentation (syntax)'],
  'unknown-alias.yaml': ['unknown-alias.yaml:3:9 error YAML: Unidentified alias "paths" (syntax)'],
  'unknown-version.yaml': [
    'unknown-version.yaml:1:10 error Version "4.0.0" is not supported; openapi may be 3.0.x, 3.1.x and 3.2.x (openapi-version)',
  ],
  'used-twice.yaml': [
    'used-twice.yaml:9:11 error The query parameter "limit" is already in this list: see used-twice.yaml:8:11 (parameter-unique)',
    'used-twice.yaml:13:20 error operationId "listPets" is already used: see used-twice.yaml:6:20 (operation-id-unique)',
    'used-twice.yaml:15:27 error A path parameter must have "required: true" (structure)',
  ],
  'wrong-keywords-31.yaml': [
    'wrong-keywords-31.yaml:5:28 error "nil" is not one of "object", "array", "string", "number", "integer", "boolean", "null" (structure)',
    'wrong-keywords-31.yaml:5:52 error Expected a number, found true (structure)',
  ],
  'wrong-values.json': [
    'wrong-values.json:6:21 error Expected an array, found an object (structure)',
    'wrong-values.json:9:11 error "schema" is missing in this parameter (structure)',
    'wrong-values.json:10:53 error "int" is not one of "string", "number", "integer", "boolean", "array", "file" (structure)',
    'wrong-values.json:12:24 error "description" is missing in this response (structure)',
    'wrong-values.json:16:47 error "oneOf" is not known in this schema (structure)',
  ],
  'wrong-values.yaml': [
    'wrong-values.yaml:4:12 error Expected a string, found the number 1: put it in quotes (structure)',
    'wrong-values.yaml:8:7 error "sumary" is not known in this operation: did you mean "summary"? (structure)',
    'wrong-values.yaml:9:13 error Expected an array, found "pets" (structure)',
    'wrong-values.yaml:10:19 error Expected a boolean, found "no" (structure)',
    'wrong-values.yaml:17:23 error "strnig" is not one of "object", "array", "string", "number", "integer", "boolean" (structure)',
    'wrong-values.yaml:18:28 error Expected at least 0, found -1 (structure)',
    'wrong-values.yaml:20:9 error "okay" is not a status: expected one like "200" or "4XX", or "default" (structure)',
    'wrong-values.yaml:21:3 error A path must begin with "/", found "pets/{id}" (structure)',
    'wrong-values.yaml:24:10 error Expected an object, found "Cat" (structure)',
    'wrong-values.yaml:25:29 error Expected a string, found the number 5: put it in quotes (structure)',
    'wrong-values.yaml:25:39 error Expected an array, found "Fido" (structure)',
    'wrong-values.yaml:27:5 error "name" is missing in this security scheme (structure)',
    'wrong-values.yaml:27:30 error "body" is not one of "query", "header", "cookie" (structure)',
    'wrong-values.yaml:28:41 error "flows" cannot be combined with the other fields here (structure)',
  ],
};

test.each(Object.entries(findings))('%s', async (path, expected) => {
  const description = await readDescription({ path }, folder);

  expect(description.findings.map(formatFinding)).toEqual(expected);
});

test('every broken file is reported', () => {
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());

  expect(files.map(({ name }) => name).toSorted()).toEqual(Object.keys(findings).toSorted());
});
