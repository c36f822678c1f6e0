import type { Collector, SchemaUse } from './collector.ts';
import { isSameText, type Media } from './operations.ts';

interface WithContent {
  node: object;
  content: Map<string, Media>;
}

/** Compares a body by its media types. */
export function compareContent(collector: Collector, use: SchemaUse, before: WithContent, after: WithContent): void {
  const { direction } = use;
  const matched = new Set<string>();
  for (const [type, media] of before.content) {
    const match = matchingType(type, after.content, direction === 'request');
    const other = after.content.get(match ?? '');
    if (match === undefined || !other) {
      const place = { node: after.node, key: 'content' };
      collector.add(`${direction}-media-type-removed`, use, `${type} was removed`, { node: media.node }, place);
      continue;
    }
    matched.add(match);
    const where = before.content.size > 1 ? `${use.where} (${type})` : use.where;
    compareMedia(collector, { ...use, where, isXml: /[/+]xml\b/.test(type), isText: isFormType(type) }, media, other);
  }
  for (const [type, media] of after.content) {
    if (matched.has(type)) continue;
    const place = { node: before.node, key: 'content' };
    // A new range in a response includes types that were not there before.
    const isWider = direction === 'response' && type.includes('*') && before.content.size > 0;
    const rule = isWider ? 'response-media-type-removed' : (`${direction}-media-type-added` as const);
    collector.add(rule, use, `${type} was added`, place, { node: media.node });
  }
}

const isFormType = (type: string): boolean =>
  type === 'application/x-www-form-urlencoded' || type.startsWith('multipart/');

function compareMedia(collector: Collector, use: SchemaUse, before: Media, after: Media): void {
  collector.compare(before.schema, after.schema, use);
  for (const name of new Set([...Object.keys(before.encoding), ...Object.keys(after.encoding)])) {
    const [old, now] = [before.encoding[name], after.encoding[name]];
    if (isSameText(old, now)) continue;
    const where = `${use.where} /${name}`;
    const places = [
      { node: before.node, key: 'encoding' },
      { node: after.node, key: 'encoding' },
    ] as const;
    collector.add('encoding-changed', { ...use, where }, 'encoding changed', ...places);
  }
}

/** A range includes all its types. In a response, it promises less than a single type. */
function matchingType(type: string, content: Map<string, Media>, isRequest: boolean): string | undefined {
  if (content.has(type)) return type;
  const [plain = ''] = type.split(';');
  const [main] = type.split('/');
  const isRange = type.includes('*');
  const wider = isRequest || isRange ? [plain, `${main}/*`, '*/*'].find((name) => content.has(name)) : undefined;
  if (wider !== undefined) return wider;
  const names = content.keys();
  if (isRange && !isRequest) return names.find((name) => type === '*/*' || name.startsWith(`${main}/`));
  // The same type with other parameters, such as a version or a profile.
  return names.find((name) => name.split(';')[0] === plain);
}
