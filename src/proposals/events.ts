import * as z from 'zod/mini';

/** What a user did with a proposal. Each is a comment: the service reports its author, and nobody else can edit it. */
const Event = z.discriminatedUnion('docsctl', [
  z.strictObject({ docsctl: z.literal('approved'), hash: z.string(), digest: z.string() }),
  z.strictObject({ docsctl: z.literal('rejected'), reason: z.optional(z.string()) }),
  z.strictObject({ docsctl: z.literal('outdated'), hash: z.string(), changed: z.array(z.string()) }),
  z.strictObject({ docsctl: z.literal('started'), hash: z.string(), host: z.string(), claim: z.string() }),
  z.strictObject({
    docsctl: z.literal('ended'),
    hash: z.string(),
    status: z.number(),
    error: z.optional(z.string()),
    /** How many changing requests succeeded. */
    changes: z.number(),
    /** How many comments contain the journal; 0 if it is not kept. */
    journalParts: z.number(),
    journalHash: z.string(),
    pullRequest: z.optional(z.string()),
  }),
  z.strictObject({ docsctl: z.literal('journal'), part: z.number(), data: z.string() }),
  z.strictObject({ docsctl: z.literal('reverted'), status: z.number(), error: z.optional(z.string()) }),
]);
export type ProposalEvent = z.output<typeof Event>;

/** An event, and who posted it when. */
export interface PostedEvent {
  id: string;
  user: { id: string; displayName: string; email?: string | undefined };
  at: string;
  event: ProposalEvent;
}

const sentences: Readonly<Record<ProposalEvent['docsctl'], string>> = {
  approved: 'Approved.',
  rejected: 'Rejected.',
  outdated: 'Outdated: an object that it affects has changed.',
  started: 'Applying.',
  ended: 'Applied.',
  journal: 'What was changed, for a revert.',
  reverted: 'Reverted.',
};

/** The text of a comment. Its JSON is one line, so that no text in it can end the block. */
export const commentText = (event: ProposalEvent): string =>
  [sentences[event.docsctl], '', '```json', JSON.stringify(event), '```', ''].join('\n');

/** The event in a comment; undefined for other comments. */
export function eventIn(markdown: string): ProposalEvent | undefined {
  const lines = markdown.split('\n').map((line) => line.trim());
  const start = lines.indexOf('```json');
  if (start < 0 || lines[start + 2] !== '```') return undefined;
  try {
    return Event.safeParse(JSON.parse(lines[start + 1] ?? '')).data;
  } catch {
    return undefined;
  }
}
