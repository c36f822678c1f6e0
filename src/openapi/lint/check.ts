import {
  type Config,
  type NormalizedNodeType,
  type NormalizedProblem,
  normalizeTypes,
  normalizeVisitors,
  type UserContext,
  walkDocument,
} from '@redocly/openapi-core';
import { dump } from 'js-yaml';
import { dirname } from 'node:path';
import { hasMembers, isObject } from '../../shared/is-object.ts';
import type { Finding } from '../finding.ts';
import type { Version } from '../identity.ts';
import { Documents, type OpenedFile } from '../parse/documents.ts';
import { syntaxFindings, type TextFile } from '../parse/files.ts';
import { fold, type Link, needsFolding, TooLargeToFold } from '../parse/fold.ts';
import { NeedsThread } from '../parse/harmless.ts';
import { mayQuote, type Place } from '../parse/place.ts';
import { isReference, splitReference } from '../parse/reference.ts';
import { loadConfig } from './config.ts';
import { foreignDialects } from './dialect.ts';
import { guarded } from './guard.ts';
import { allowsAnything, exampleType } from './likeness.ts';
import { findingsOf, positionOf } from './problems.ts';
import { References } from './references.ts';
import { pathParametersDefined } from './rules/path-parameters.ts';
import { unresolvedReferences } from './rules/references.ts';
import { libraryVersions, typesOf } from './types.ts';

export interface Checked {
  findings: Finding[];
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
  for (const finding of findingsOf(problemsOf(subject), references)) findings.push(finding);
  for (const document of documents.all()) {
    if (!document.file) continue;
    for (const finding of syntaxFindings(document.file, mayQuote(document.root))) findings.push(finding);
  }
  if (!needsFolding(links) || !documents.areRead) return { findings, document: file.value, text: file.text };
  try {
    fold(root, version, links, documents);
  } catch (error) {
    if (!(error instanceof TooLargeToFold)) throw error;
    const message = `With the files it refers to, it would be ${error.message}`;
    findings.push({ ...positionOf(root.root), level: 'error', message, rule: 'not-checked' });
    return { findings, document: file.value, text: file.text };
  }
  return { findings, document: file.value, text: write(file) };
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
  // The types are made anew for each check, and refer to each other: so they are changed in place.
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

/** The values of examples are visited at any depth, too, where references are in them. */
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
      // A reference itself is visited by the library where it does not take it for data.
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
  return found.map((link) => ({
    ...link,
    target: references.documents.resolve(link.reference, link.place.document),
  }));
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
      // From 3.1 on, a schema may be just true or false, and may have keywords of its own dialect.
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
