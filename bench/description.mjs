import { writeFile } from 'node:fs/promises';

const types = ['string', 'integer', 'boolean', 'number'];

/** An object schema with so many levels below it. */
function objectSchema(n, depth) {
  const properties = {};
  for (let p = 0; p < 12; p++) {
    properties[`field_${n}_${p}`] =
      depth > 0 && p < 2
        ? objectSchema(n + p, depth - 1)
        : {
            type: types[(n + p) % types.length],
            description: 'What a client reads of this field, in some words, as descriptions of real services say it.',
            ...(p === 3 && { nullable: true }),
          };
  }
  return { type: 'object', required: [`field_${n}_0`], properties };
}

function operation(n, method, isChanged) {
  const answer = { $ref: `#/components/schemas/Thing${n % 500}` };
  const parameter = (name, place) => ({
    name,
    in: place,
    description: 'Which of the things is meant.',
    required: place === 'path' || (isChanged && n % 100 === 0),
    schema: { type: 'string', ...(name === 'sort' && { enum: ['created', 'updated'] }) },
  });
  return {
    operationId: `${method}-thing-${n}`,
    summary: `Thing ${n}`,
    description: 'Works on one of the things that an organization has. '.repeat(4),
    tags: [`Group ${n % 40}`],
    parameters: [parameter('id', 'path'), parameter('sort', 'query'), parameter('cursor', 'query')],
    ...(method === 'post' && { requestBody: { content: { 'application/json': { schema: objectSchema(n, 1) } } } }),
    responses: {
      200: { description: 'The thing.', content: { 'application/json': { schema: answer } } },
      404: { description: 'There is none.', content: { 'application/json': { schema: objectSchema(n, 0) } } },
    },
  };
}

/** A description of OpenAPI 3.0 of 13 MB. @param isChanged whether it is a later version, with breaking changes */
export async function makeDescription(file, { isChanged = false } = {}) {
  const paths = {};
  for (let n = 0; n < 500; n++)
    paths[`/things-${n}/{id}`] = { get: operation(n, 'get', isChanged), post: operation(n, 'post', isChanged) };
  const schemas = {};
  for (let n = 0; n < 500; n++) if (!isChanged || n % 100 !== 99) schemas[`Thing${n}`] = objectSchema(n, 1);
  if (isChanged) for (let n = 99; n < 500; n += 100) schemas[`Thing${n}`] = objectSchema(n + 1, 1);
  const document = {
    openapi: '3.0.3',
    info: { title: 'Things', version: isChanged ? '2.0.0' : '1.0.0', description: 'All things of an organization.' },
    security: [{ token: [] }],
    servers: [{ url: 'https://api.bench.example' }],
    tags: Array.from({ length: 40 }, (_, n) => ({ name: `Group ${n}` })),
    paths,
    components: { schemas, securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
  };
  await writeFile(file, JSON.stringify(document, null, 2));
}
