import type { Reference } from '../../openapi/reference/index.ts';
import { rankPages } from '../../shared/search/rank-pages.ts';
import { searchedText, TextSource } from '../../shared/search/source.ts';
import type { SearchAnswer, SearchResult } from '../model.ts';
import { DrawTools, type ReferenceAddresses } from './tools.ts';

const maxResults = 30;

/** Finds operations and schemas by their names, paths and IDs. */
export async function searchReference(
  reference: Reference,
  query: string,
  addresses: ReferenceAddresses,
): Promise<SearchAnswer> {
  const results = resultsIn(reference, addresses);
  const texts = results.map(({ result: { title, description = '' }, id }, index) => {
    return [`${index}`, searchedText({ title, headings: `${description} ${id}`, text: '' })] as const;
  });
  const { pages, suggestion } = await rankPages(new TextSource(new Map(texts)), query);
  const best = pages.toSorted((a, b) => b.score - a.score || Number(a.page) - Number(b.page)).slice(0, maxResults);
  return { suggestion, results: best.flatMap(({ page }) => results[Number(page)]?.result ?? []) };
}

function resultsIn(reference: Reference, addresses: ReferenceAddresses): { result: SearchResult; id: string }[] {
  const tools = new DrawTools(reference, addresses);
  const operations = reference.operations.flatMap((operation) => {
    const { title, method, path, group, node } = operation;
    const href = tools.operationHref(operation);
    if (href === undefined) return [];
    const id = typeof node.operationId === 'string' ? node.operationId : '';
    const description = `${method.toUpperCase()} ${path}`;
    return [{ result: { title, href, trail: [group.title], description, sections: [] }, id }];
  });
  const schemas = [...reference.schemas.values()].flatMap(({ name }) => {
    const href = tools.schemaHref(name);
    return href === undefined ? [] : [{ result: { title: name, href, trail: ['Schemas'], sections: [] }, id: '' }];
  });
  return [...operations, ...schemas];
}
