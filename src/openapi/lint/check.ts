import { dirname } from 'node:path';
import {
  type Config,
  type NormalizedNodeType,
  type NormalizedProblem,
  type UserContext,
  normalizeTypes,
  normalizeVisitors,
  walkDocument,
} from '@redocly/openapi-core';
import { dump } from 'js-yaml';
import { hasMembers, isObject } from '../../shared/is-object.ts';
import { pointerTo } from '../../shared/json-pointer.ts';
import { nearest } from '../../shared/suggest.ts';
import type { Finding } from '../finding.ts';
import type { Version } from '../identity.ts';
import { Documents, type OpenedFile } from '../parse/documents.ts';
import { type TextFile, syntaxFindings } from '../parse/files.ts';
import { type Link, TooLargeToFold, fold, needsFolding } from '../parse/fold.ts';
import { NeedsThread } from '../parse/harmless.ts';
import { type Document, type Place, mayQuote, pathOf, pointerOf } from '../parse/place.ts';
import { isReference, splitReference } from '../parse/reference.ts';
import { loadConfig } from './config.ts';
import { allowsAnything, exampleType } from './likeness.ts';
import { SlowPattern } from './limited-patterns.ts';
import { References, pathOfPointer } from './references.ts';
import { pathParametersDefined } from './rules/path-parameters.ts';
import { unresolvedReferences } from './rules/references.ts';
import { libraryVersions, typesOf } from './types.ts';

export interface Checked {
  findings: Finding[];
  /** How many findings the ignore file of Redocly accepts. */
  ignored: number;
  /** The document with the files that it refers to folded in, and its text. */
  document: unknown;
  text: string;
}

type Types = Record<string, NormalizedNodeType>;

interface Subject {
  references: References;
  types: Types;
  version: Version;
  config: Config;
}

/** Checks a document whose version is known, with the documents that it refers to. */
export async function check(opened: OpenedFile, version: Version): Promise<Checked> {
  const { file, address, directory } = opened;
  const isFile = opened.roots !== undefined && address !== opened.folder;
  const folder = isFile ? dirname(address) : directory;
  const { config, findings, isOwn } = await loadConfig(address, folder, directory, opened.roots);
  // Its rules may have patterns.
  if (isOwn && opened.onlyHarmless) throw new NeedsThread();
  const { documents, root } = await Documents.open(opened);
  const references = new References(documents, root);
  const subject = { references, types: walkedTypes(version, config), version, config };
  const links = refersToFiles(documents) ? linksOf(subject) : [];
  // Not spread into a call: there may be more findings than a call takes arguments.
  const problems = problemsOf(subject);
  const ignored = problems.filter((problem) => problem.ignored).length;
  for (const finding of findingsOf(problems, references)) findings.push(finding);
  for (const document of documents.all()) {
    if (!document.file) continue;
    for (const finding of syntaxFindings(document.file, mayQuote(document.root))) findings.push(finding);
  }
  const text = file.overlaid && !file.problem ? write(file) : file.text;
  if (!needsFolding(links) || !documents.areRead) return { findings, ignored, document: file.value, text };
  try {
    fold(root, version, links, documents);
  } catch (error) {
    if (!(error instanceof TooLargeToFold)) throw error;
    const message = `With the files it refers to, it would be ${error.message}`;
    findings.push({ ...positionOf(root.root), level: 'error', message, rule: 'not-checked' });
    return { findings, ignored, document: file.value, text };
  }
  return { findings, ignored, document: file.value, text: write(file) };
}

/**
 * The types of a version, with references at any depth below extensions: the library visits those of extensions themselves
 * only. Its type of all extensions is one object that other checks use too, so ours takes its place.
 */
function walkedTypes(version: Version, config: Config): Types {
  const types = normalizeTypes(config.extendTypes(typesOf(version), libraryVersions[version]), config);
  const anyDepth = (value: unknown) => (hasMembers(value) ? extension : null);
  const extension: NormalizedNodeType = {
    name: 'SpecExtension',
    properties: {},
    additionalProperties: anyDepth,
    items: anyDepth,
  };
  // The types are created for each check and refer to each other, so they are changed in place.
  for (const type of Object.values(types)) {
    const { extensionsPrefix: prefix, additionalProperties: others } = type;
    if (prefix === undefined || type.name === 'SpecExtension') continue;
    delete type.extensionsPrefix;
    type.additionalProperties = (value: unknown, key: string) => {
      if (key.startsWith(prefix)) return extension;
      return typeof others === 'function' ? others(value, key) : others;
    };
  }
  for (const name of ['Example', 'MediaType', 'Parameter', 'Header', 'Schema']) walkExamples(types[name]);
  return { ...types, SpecExtension: extension };
}

/** The values of examples are visited at any depth, too, if references are in them. */
function walkExamples(type: NormalizedNodeType | undefined): void {
  if (!type) return;
  const within = (value: unknown) => (hasReference(value) ? inExample : null);
  const inExample: NormalizedNodeType = {
    name: exampleType,
    properties: {},
    additionalProperties: within,
    items: within,
  };
  for (const key of ['value', 'example']) {
    const plain = type.properties[key];
    if (plain === undefined) continue;
    type.properties[key] = (value: unknown, name: string) => {
      const expected = typeof plain === 'function' ? plain(value, name) : plain;
      // A reference itself is visited by the library if it does not take it for data.
      const isVisited = isReference(value) && !(expected && 'resolvable' in expected && expected.resolvable === false);
      return !isVisited && hasReference(value) ? inExample : expected;
    };
  }
}

function hasReference(value: unknown): boolean {
  if (!hasMembers(value)) return false;
  return isReference(value) || Object.keys(value).some((key) => hasReference(value[key]));
}

const refersToFiles = (documents: Documents) =>
  documents.all().some(({ references }) => [...references].some((reference) => splitReference(reference)[0] !== ''));

/** The references of a description. Leaves out what leads to values that are no parts of one. */
function linksOf(subject: Subject): Link[] {
  const { references } = subject;
  const found: Omit<Link, 'target'>[] = [];
  const add = (place: Place | undefined, reference: string, type: string | undefined) => {
    if (place) found.push({ place, reference, type });
  };
  walk(subject, [
    {
      ruleId: 'references',
      severity: 'error',
      visitor: {
        ref: {
          enter({ $ref }: { $ref: string }, { location, type }: UserContext) {
            references.checkContent($ref, location, type);
            const isValue = type.name === 'scalar' || type.name === exampleType;
            add(references.placeOf(location), $ref, isValue ? undefined : type.name);
          },
        },
        Example(node: unknown, { location }: UserContext) {
          if (!isObject(node) || typeof node.externalValue !== 'string' || typeof node.$ref === 'string') return;
          add(references.placeOf(location.child('externalValue')), node.externalValue, undefined);
        },
      },
    },
  ]);
  return found.map((link) => ({ ...link, target: references.documents.resolve(link.reference, link.place.document) }));
}

interface ActiveRule {
  ruleId: string;
  severity: 'error' | 'warn';
  message?: string | undefined;
  visitor: object;
}

function problemsOf(subject: Subject): NormalizedProblem[] {
  const problems = walk(subject, activeRules(subject));
  // With errors of structure, that rules fail is their consequence.
  const isBroken = problems.some(({ ruleId }) => ruleId === 'struct' || ruleId === 'docsctl/full-version');
  return problems.flatMap((problem) => {
    if (problem.ruleId !== failedRule) return [problem];
    return isBroken ? [] : [{ ...problem, ruleId: 'not-checked' }];
  });
}

/** Stands for the findings of rules that fail. */
const failedRule = 'failed';

function walk({ references, types, version, config }: Subject, rules: readonly ActiveRule[]): NormalizedProblem[] {
  const problems: NormalizedProblem[] = [];
  const { Root: rootType } = types;
  if (!rootType) throw new Error(`OpenAPI ${version} has no type "Root".`);
  walkDocument({
    document: references.root,
    rootType,
    // The library types the visitors of each format by themselves.
    normalizedVisitors: normalizeVisitors(rules as never, types),
    resolvedRefMap: references.map,
    ctx: { problems, specVersion: libraryVersions[version], config, visitorsData: {} },
  });
  return problems.map((problem) => config.addProblemToIgnore(problem));
}

/** Values of these types belong to schemas. */
const schemaTypes =
  /^(?:Schema|SchemaProperties|AllOf|AnyOf|OneOf|PatternProperties|DependentRequired|Discriminator|DiscriminatorMapping|Xml|SchemaMap|SchemaList)$/;

function activeRules({ references, version, config }: Subject): ActiveRule[] {
  const { documents, root } = references;
  const isJsonSchema = version !== '2.0' && version !== '3.0';
  const isForeign = isJsonSchema ? foreignDialects(root.parsed, documents.all()) : () => false;
  const skips =
    (rule: string) =>
    (node: unknown, { type, location }: UserContext) => {
      // Any value is valid in an extension.
      if (type.name !== 'scalar' && allowsAnything(type)) return rule === 'struct' || rule === 'spec-strict-refs';
      if (!isJsonSchema || !schemaTypes.test(type.name)) return false;
      // From 3.1 on, a schema may be true or false, and may have keywords of its dialect.
      return typeof node === 'boolean' || isForeign(() => references.placeOf(location) ?? documents.root);
    };
  const failed = (rule: string) => (context: UserContext, reason: string | undefined) =>
    context.report({
      ruleId: failedRule,
      forceSeverity: 'error',
      message: `The rule ${rule} could not be applied to this value${reason === undefined ? '' : `: ${reason}`}`,
    });
  const specVersion = libraryVersions[version];
  const major = version === '2.0' ? 'oas2' : 'oas3';
  const sets = config.plugins.flatMap(({ rules }) => Object.entries(rules?.[major] ?? {}));
  const replacements: Record<string, (settings: object) => object> = {
    'no-unresolved-refs': unresolvedReferences(references),
    'path-parameters-defined': pathParametersDefined,
  };
  return sets.flatMap(([ruleId, rule]) => {
    const settings = config.getRuleSettings(ruleId, specVersion);
    const { severity, message } = settings;
    if (severity === 'off') return [];
    const make = replacements[ruleId] ?? rule;
    const guards = { skips: skips(ruleId), failed: failed(ruleId) };
    return [make(settings)].flat().map((visitor) => ({ ruleId, severity, message, visitor: guarded(visitor, guards) }));
  });
}

function write({ syntax, value }: TextFile): string {
  return syntax === 'json' ? `${JSON.stringify(value, null, 2)}\n` : dump(value, { noRefs: true, lineWidth: -1 });
}

/**
 * From 3.1 on, a document or a schema may name its dialect. Rules know only the one of OpenAPI.
 *
 * @returns whether a schema at a place is in another dialect
 */
function foreignDialects(root: unknown, documents: readonly Document[]): (place: () => Place) => boolean {
  if (isObject(root) && isForeign(root.jsonSchemaDialect)) return () => true;
  if (!documents.some(({ dialects }) => [...dialects].some(isForeign))) return () => false;
  return (placeOf) => {
    for (let current: Place | undefined = placeOf(); current; current = current.parent) {
      if (isObject(current.node) && isForeign(current.node.$schema)) return true;
    }
    return false;
  };
}

const supported = /^https:\/\/(?:spec\.openapis\.org\/oas\/|json-schema\.org\/draft\/2020-12\/)/;
const isForeign = (dialect: unknown) => typeof dialect === 'string' && !supported.test(dialect);

type Visit = (node: unknown, context: UserContext, ...more: unknown[]) => unknown;

interface Guards {
  /** Whether a rule does not apply to a value. */
  skips(node: unknown, context: UserContext): boolean;
  /** A rule has failed at a value. @param reason for users, if there is one */
  failed(context: UserContext, reason: string | undefined): void;
}

/**
 * A rule's visitor that goes on if the rule fails: the rules of the library take for granted that the structure is
 * right, and an error of one would end the whole check.
 */
function guarded(visitor: unknown, guards: Guards): Record<string, unknown> {
  if (!isObject(visitor)) return {};
  return Object.fromEntries(
    Object.keys(visitor).map((key) => {
      const value = visitor[key];
      if (typeof value === 'function' && key !== 'skip') return [key, guardedVisit(value.bind(visitor), guards, key)];
      return [key, isObject(value) ? guarded(value, guards) : value];
    }),
  );
}

function guardedVisit(visit: Visit, guards: Guards, key: string): Visit {
  return (node, context, ...more) => {
    if (key !== 'ref' && 'location' in context && guards.skips(node, context)) return undefined;
    try {
      return visit(node, context, ...more);
    } catch (error) {
      // Too little stack is a matter of the whole walk, not of the rule.
      if (error instanceof RangeError) throw error;
      return guards.failed(context, error instanceof SlowPattern ? error.message : undefined);
    }
  };
}

/** Rules whose messages repeat values of the schema that a reference leads to. */
const quotesSchemas =
  /^(?:no-invalid-(?:media-type|parameter|schema)-examples|no-enum-type-mismatch|docsctl\/valid-defaults)$/;

/** The findings of the library, with their places in the files. */
function findingsOf(problems: readonly NormalizedProblem[], references: References): Finding[] {
  return withoutRepeated(problems).map((problem) => {
    const {
      ruleId,
      severity,
      reference,
      location: [location],
    } = problem;
    const rule = {
      level: severity === 'warn' ? 'warning' : 'error',
      rule: ruleId,
      ...(reference ? { help: reference } : {}),
    } as const;
    const place = location && references.placeOf(location);
    if (!location || !place) return { ...rule, ...positionOf(references.documents.root), message: textOf(problem) };
    const path = pathWritten(ruleId, pathOfPointer(location.pointer));
    const { file, address } = place.document;
    const position = file?.placeOf(path, location.reportOnKey ?? false) ?? { file: address, line: 1, column: 1 };
    const isQuoted = mayQuote(place) && !(references.isDoubtful && quotesSchemas.test(ruleId));
    return {
      ...rule,
      ...position,
      pointer: pointerTo(path),
      message: isQuoted
        ? textOf(problem, location.reportOnKey ? path.at(-1) : place.node)
        : 'This is not valid here; its text is not repeated, because the file may be no description',
    };
  });
}

/** The place of a value, or of the reference to it. */
function positionOf(place: Place) {
  const { file, address } = place.document;
  return {
    ...(file?.placeOf(pathOf(place), false) ?? { file: address, line: 1, column: 1 }),
    pointer: pointerOf(place),
  };
}

/** @param word what was written where one of the suggestions is expected */
function textOf({ message, suggest }: NormalizedProblem, word: unknown = ''): string {
  const text = message.replaceAll('\n', ' ').replace(/\.$/, '');
  const near = typeof word === 'string' ? nearest(word, suggest) : undefined;
  return near ? `${text}: did you mean "${near}"?` : text;
}

/** The library names the place of a duplicate operationId by its value instead of by its key. */
function pathWritten(rule: string, path: string[]): string[] {
  return rule === 'operation-operationId-unique' ? [...path.slice(0, -1), 'operationId'] : path;
}

/** That a security scheme is not defined is reported by two rules: as an error by ours. */
function withoutRepeated(problems: readonly NormalizedProblem[]): NormalizedProblem[] {
  const isOurs = problems.some(({ ruleId }) => ruleId === 'docsctl/security-scheme-defined');
  return problems.filter(
    ({ ruleId, message, ignored }) =>
      !ignored && !(isOurs && ruleId === 'security-defined' && message.startsWith('There is no ')),
  );
}
