import { readdirSync, readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { compareDescriptions } from '../../src/openapi/index.ts';

type Fields = Record<string, unknown>;

interface Case extends Fields {
  name: string;
  before: unknown;
  after: unknown;
  openapi?: string;
  swagger?: boolean;
  oldComponents?: Fields;
  newComponents?: Fields;
  expect?: string[];
  request?: string[];
  response?: string[];
}

interface Table {
  kind: 'schema' | 'operation' | 'document';
  components?: Fields;
  cases: Case[];
}

const folder = new URL('./diff/cases/', import.meta.url);
const tables = readdirSync(folder).map((file) => [
  file,
  load(readFileSync(new URL(file, folder), 'utf8')) as Table,
]) satisfies [string, unknown][];

const responses = { 200: { description: '' } };
const securitySchemes = {
  key: { type: 'apiKey', in: 'header', name: 'key' },
  login: { type: 'oauth2', flows: {} },
};

function documentOf({ openapi = '3.1.0', swagger = false }: Case, fields: Fields): Fields {
  const version = swagger ? { swagger: '2.0' } : { openapi };
  return { ...version, info: { title: 'Pets', version: '1' }, paths: {}, ...fields };
}

function operationIn(about: Case, operation: Fields, components: Fields = {}): Fields {
  return documentOf(about, {
    paths: { '/pets/{id}': { post: { responses, ...operation } } },
    components: { securitySchemes, ...components },
  });
}

/** A schema in the body of a request or of a response. */
function schemaIn(about: Case, schema: unknown, schemas: Fields, direction: 'request' | 'response'): Fields {
  const body = { description: '', content: { 'application/json': { schema } } };
  const operation = direction === 'request' ? { requestBody: body } : { responses: { 200: body } };
  return operationIn(about, operation, { schemas });
}

function changesOf(before: Fields, after: Fields): string[] {
  return compareDescriptions({ document: before }, { document: after })
    .map(({ level, rule }) => `${level} ${rule}`)
    .toSorted();
}

const inDirection = (direction: string, rules: string[]) =>
  rules.map((rule) => rule.replace(' ', ` ${direction}-`)).toSorted();

describe.each(tables)('%s', (_, { kind, components = {}, cases }) => {
  test.each(cases.map((each) => [each.name, each] as const))('%s', (_name, each) => {
    if (kind === 'document') {
      const [before, after] = [each.before, each.after].map((fields) => documentOf(each, fields as Fields));
      expect(changesOf(before ?? {}, after ?? {})).toEqual((each.expect ?? []).toSorted());
    } else if (kind === 'operation') {
      const [before, after] = [each.before, each.after].map((fields) => operationIn(each, fields as Fields));
      expect(changesOf(before ?? {}, after ?? {})).toEqual((each.expect ?? []).toSorted());
    } else {
      for (const direction of ['request', 'response'] as const) {
        const before = schemaIn(each, each.before, { ...components, ...each.oldComponents }, direction);
        const after = schemaIn(each, each.after, { ...components, ...each.newComponents }, direction);
        expect(changesOf(before, after), direction).toEqual(inDirection(direction, each[direction] ?? []));
      }
    }
  });
});
