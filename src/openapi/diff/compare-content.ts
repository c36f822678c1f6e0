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
    const other = match === undefined ? undefined : after.content.get(match);
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
    const rule = isWiderResponse(type, before.content, direction) ? 'response-media-type-removed' : undefined;
    collector.add(rule ?? `${direction}-media-type-added`, use, `${type} was added`, place, { node: media.node });
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

/** A range takes all its types; in a response, it says less than one of them. */
function matchingType(type: string, content: Map<string, Media>, isRequest: boolean): string | undefined {
  if (content.has(type)) return type;
  const [plain = ''] = type.split(';');
  const [main] = type.split('/');
  const ranges = [plain, `${main}/*`, '*/*'];
  const others = [...content.keys()];
  const wider = isRequest || type.includes('*') ? ranges.find((name) => content.has(name)) : undefined;
  if (wider !== undefined) return wider;
  if (type.includes('*') && !isRequest) {
    return others.find((name) => type === '*/*' || name.startsWith(`${main}/`));
  }
  // A type with other parameters, such as a version or a profile.
  return others.find((name) => name.split(';')[0] === plain);
}

/** Whether a range in a response holds types that were not there. */
const isWiderResponse = (type: string, before: Map<string, Media>, direction: string): boolean =>
  direction === 'response' && type.includes('*') && before.size > 0;
