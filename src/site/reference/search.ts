import type { Reference } from '../../openapi/reference/index.ts';
import type { SearchAnswer, SearchResult } from '../model.ts';
import { DrawTools, type ReferenceAddresses } from './tools.ts';

const maxResults = 30;

/** Finds operations and schemas whose names and paths contain all words of a query. */
export function searchReference(reference: Reference, query: string, addresses: ReferenceAddresses): SearchAnswer {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 10);
  if (words.length === 0) return { results: [] };
  const fits = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const tools = new DrawTools(reference, addresses);
  const results: SearchResult[] = [];
  for (const operation of reference.operations) {
    const { title, method, path, group, node } = operation;
    const id = typeof node.operationId === 'string' ? node.operationId : '';
    const href = tools.operationHref(operation);
    if (href === undefined || !fits(`${title} ${method} ${path} ${id}`)) continue;
    results.push({ title, href, trail: [group.title], description: `${method.toUpperCase()} ${path}`, sections: [] });
    if (results.length >= maxResults) return { results };
  }
  for (const { name } of reference.schemas.values()) {
    const href = tools.schemaHref(name);
    if (href === undefined || !fits(name)) continue;
    results.push({ title: name, href, trail: ['Schemas'], sections: [] });
    if (results.length >= maxResults) break;
  }
  return { results };
}
