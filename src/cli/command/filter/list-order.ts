import { valueAt } from '../../../shared/value-at.ts';
import type { Call, Fields, Invocation } from '../command.ts';

/** By what the service sorts a list. */
export interface ListOrder {
  field: string;
  descending: boolean;
}

const byOrder =
  (field: string) =>
  ({ order = 'desc' }: Fields): ListOrder => ({ field, descending: order === 'desc' });
const always = (field: string, descending: boolean) => (): ListOrder => ({ field, descending });

/** The order of lists that are requested in parts or sorted again, by endpoint. */
const orders: Record<string, (query: Fields) => ListOrder> = {
  'members.list': (query) => byOrder(typeof query.sort === 'string' ? query.sort : 'joinedAt')(query),
  'members.spaces': byOrder('space.createdAt'),
  'comments.list': byOrder('postedAt'),
  'changeRequestComments.list': byOrder('postedAt'),
  'changeRequests.list': always('number', true),
  'sites.list': always('createdAt', true),
  'teams.list': always('title', false),
};

/** The order of a list; undefined if it is not that of a field. */
export const orderOf = (endpoint: string, query: Fields): ListOrder | undefined => orders[endpoint]?.(query);

/** Whether the service omits items from a list in this order: members who were never seen, or who are disabled. */
export const leavesOut = ({ endpoint, query }: Pick<Call, 'endpoint' | 'query'>): boolean =>
  endpoint.name === 'members.list' && query.sort === 'lastSeenAt';

/** Reports on standard error how many items the service leaves out of a list for its order. @param listed those in the list */
export async function noteLeftOut({ client, io }: Invocation, calls: readonly Call[], listed: number): Promise<void> {
  const service = await client();
  const counts = await Promise.all(
    calls.map(async ({ endpoint, params, query }) => {
      const count = valueAt(
        await service.call(endpoint, { params, query: { ...query, sort: undefined, limit: 0 } }),
        'count',
      );
      return typeof count === 'number' ? count : 0;
    }),
  ).catch(() => undefined);
  const hint = '"--sort-by lastSeenAt:desc" lists everyone.';
  // The list itself is printed: a failure here must not look like one of the list.
  if (counts === undefined) return io.note(`Disabled members and members who were never seen are skipped. ${hint}`);
  const missing = counts.reduce((sum, count) => sum + count, 0) - listed;
  if (missing <= 0) return;
  await io.note(
    `${missing} ${missing === 1 ? 'member is' : 'members are'} skipped because they are disabled or were never seen. ${hint}`,
  );
}
