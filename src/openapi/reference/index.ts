export { valueText } from '../fields.ts';
export { exampleOf } from './example.ts';
export { groupMarkdown, operationMarkdown, overviewMarkdown, schemaMarkdown, schemasMarkdown } from './markdown.ts';
export {
  type Body,
  type Callback,
  type CodeSample,
  type Content,
  type OperationView,
  type Parameter,
  parameterPlaces,
  readOperation,
  type Response,
} from './operation.ts';
export { type NamedSchema, type Operation, type OperationGroup, pathAnchor, Reference } from './reference.ts';
export { fixedVariables, originsOf } from './origins.ts';
export { baseOf, isJson, preferredContent, requestOf, type SampleRequest, usualBody } from './request.ts';
export { sampleLanguages, samplesOf } from './samples/index.ts';
export {
  type Alternatives,
  type Property,
  readSchema,
  type SchemaNode,
  type SchemaView,
  type TypePart,
} from './schema.ts';
export { type SecurityChoice, type SecurityScheme, securitySchemes } from './security.ts';
export { type Server, serversOf } from './servers.ts';
export { descriptionText } from './text.ts';
export { firstVariant, isChoice, type Variant, variantsOf } from './variants.ts';
