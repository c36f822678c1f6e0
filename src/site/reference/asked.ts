import { joinPath, parentPath } from '../../content/markdown/links.ts';
import { slugify } from '../../content/markdown/slug.ts';
import { readSummary, type SummaryEntry } from '../../content/folder/summary.ts';
import { readYaml, UnreadableYaml } from '../../shared/yaml.ts';
import { readReferenceRequest, type ReferenceRequest } from './mounted.ts';

/** An entry of `SUMMARY.md` with the pages of a reference below it. */
export interface AskedReference {
  kind: SummaryEntry['kind'];
  title: string;
  /** The address according to the name of its file. */
  path: string | undefined;
  request: ReferenceRequest;
}

/** The references in a `SUMMARY.md`. */
export function askedReferences(summary: string): AskedReference[] {
  const asked: AskedReference[] = [];
  const visit = ({ kind, title, target, generated, children }: SummaryEntry): void => {
    const request = generated === undefined ? undefined : requestIn(generated);
    if (request) asked.push({ kind, title, path: kind === 'page' ? pathOf(target ?? '') : undefined, request });
    children.forEach(visit);
  };
  readSummary(summary).forEach(visit);
  return asked;
}

function requestIn(yaml: string): ReferenceRequest | undefined {
  try {
    return readReferenceRequest(readYaml(yaml));
  } catch (error) {
    if (error instanceof UnreadableYaml) return undefined;
    throw error;
  }
}

function pathOf(file: string): string | undefined {
  const path = joinPath('', file)?.join('/');
  const page = path !== undefined && /(?:^|\/)readme\.md$/i.test(path) ? parentPath(path) : path?.replace(/\.md$/i, '');
  return page?.split('/').map(slugify).join('/');
}
