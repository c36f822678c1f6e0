import { normalizeTypes } from '@redocly/openapi-core';
import { dump } from 'js-yaml';
import { syntaxFindings, type TextFile } from '../parse/files.ts';
import type { Finding } from '../finding.ts';
import { fold, needsFolding, TooLargeToFold, type Link } from '../parse/fold.ts';
import type { Version } from '../identity.ts';
import { Documents, type OpenedFile } from '../parse/documents.ts';
import { mayQuote, pathOf, type Document, type Place } from '../parse/place.ts';
import { checkReference, checkReferenceAsValue, checksOf, type Report } from './rules.ts';
import { typesOf } from './types.ts';
import { walk } from './walk.ts';

export interface Checked {
  findings: Finding[];
  /** The document with the local files that it refers to folded in, and its text. */
  document: unknown;
  text: string;
}

/** Checks a document whose version is known, with the files that it refers to. */
export async function check(opened: OpenedFile, version: Version): Promise<Checked> {
  const { file } = opened;
  const { documents, root } = await Documents.open(opened);
  const findings: Finding[] = [];
  const links = findProblems(root, version, documents, (place, message, { onKey, see, ...about } = {}) => {
    const also = see ? `: see ${Object.values(positionOf(see)).join(':')}` : '';
    findings.push({
      ...positionOf(place, onKey),
      severity: 'error',
      message: message + also,
      rule: 'structure',
      ...about,
    });
  });
  for (const document of documents.all()) {
    if (!document.file) continue;
    for (const finding of syntaxFindings(document.file, mayQuote(document.root))) findings.push(finding);
  }
  const isValid = findings.every(({ severity }) => severity !== 'error');
  if (!isValid || !needsFolding(links)) return { findings, document: file.value, text: file.text };
  try {
    fold(root, version, links, documents);
  } catch (error) {
    if (!(error instanceof TooLargeToFold)) throw error;
    const message = `With the files it refers to, it would be ${error.message}`;
    findings.push({ ...positionOf(root.root), severity: 'error', message, rule: 'reference' });
    return { findings, document: file.value, text: file.text };
  }
  return { findings, document: file.value, text: write(file) };
}

/** Reports what is wrong. @returns the references of the description */
function findProblems(root: Document, version: Version, documents: Documents, report: Report): Link[] {
  const { Root: rootType } = normalizeTypes(typesOf(version));
  if (!rootType) throw new Error(`OpenAPI ${version} has no type "Root".`);
  const checks = checksOf(version, root.root, documents, report);
  const links: Link[] = [];
  walk(root.root, rootType, documents, {
    node(place, type) {
      for (const checkNode of [checks.ofAll, ...(checks.byType[type.name] ?? [])]) checkNode(place, type);
    },
    reference(place, reference, type, target) {
      links.push({ place, reference, type: type?.name, target });
      if (type) checkReference(place, reference, target, report);
      else checkReferenceAsValue(place, reference, target, report);
    },
  });
  return links;
}

function positionOf(place: Place, onKey = false) {
  const { file, address } = place.document;
  return { file: file?.name ?? address, ...(file?.find(pathOf(place), onKey) ?? { line: 1, column: 1 }) };
}

function write({ syntax, value }: TextFile): string {
  return syntax === 'json' ? `${JSON.stringify(value, null, 2)}\n` : dump(value, { noRefs: true, lineWidth: -1 });
}
