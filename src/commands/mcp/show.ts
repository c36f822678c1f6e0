import { isObject } from '../../shared/is-object.ts';
import { valueAt } from '../../shared/value-at.ts';

const textAt = (value: unknown, path: string): string => {
  const found = valueAt(value, path);
  return typeof found === 'string' ? found : '';
};

const listAt = (value: unknown, path: string): unknown[] => {
  const found = valueAt(value, path);
  return Array.isArray(found) ? found : [];
};

/** A page and those below it, one per line. */
export function pageLines(page: unknown, depth = 0): string {
  const line = JSON.stringify({ id: textAt(page, 'id'), title: textAt(page, 'title'), path: textAt(page, 'path') });
  const below = listAt(page, 'pages').map((child) => pageLines(child, depth + 1));
  return [`${'  '.repeat(depth)}${line}`, ...below].join('\n');
}

/** A page with its text. */
export function pageText(page: unknown): string {
  if (!isObject(page)) return JSON.stringify(page);
  const { id, title, path, type, updatedAt } = page;
  const text = textAt(page, 'markdown');
  return `${JSON.stringify({ id, title, path, type, updatedAt })}\n\n${text || '(This page has no text.)'}`;
}

/** The pages of a space that a search has found, one per line. */
export function searchLines(space: unknown): string {
  const title = textAt(space, 'title');
  return listAt(space, 'pages')
    .map((page) =>
      JSON.stringify({
        space: title,
        spaceId: textAt(space, 'id'),
        id: textAt(page, 'id'),
        title: textAt(page, 'title'),
        path: textAt(page, 'path'),
        sections: listAt(page, 'sections').map((section) => ({
          title: textAt(section, 'title'),
          text: textAt(section, 'body'),
        })),
      }),
    )
    .join('\n');
}

/** A link of a space. */
export const linkLine = (link: unknown): unknown => ({
  status: textAt(link, 'status'),
  from: listAt(link, 'locationReferences').flatMap((place) => textAt(place, 'page.path') || []),
  to: textAt(link, 'targetReference.page.path') || textAt(link, 'targetReference.url') || textAt(link, 'target'),
});

/** A rehearsal without the responses of requests that succeeded. */
export function rehearsalText(rehearsal: unknown): unknown {
  if (!isObject(rehearsal)) return rehearsal;
  const requests = listAt(rehearsal, 'requests').map((request) => {
    if (!isObject(request) || typeof request.status !== 'number' || request.status >= 400) return request;
    const { answer: _, ...rest } = request;
    return rest;
  });
  return { ...rehearsal, requests };
}
