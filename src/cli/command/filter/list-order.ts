import type { Call, Fields } from '../command.ts';

/** By what the service sorts a list. */
export interface ListOrder {
  field: string;
  descending: boolean;
}

const byOrder =
  (field: string) =>
  ({ order = 'desc' }: Fields): ListOrder => ({ field, descending: order === 'desc' });
const always = (field: string, descending: boolean) => (): ListOrder => ({ field, descending });

/** The order of lists by their endpoint: of those that are asked for in parts or sorted anew. */
const orders: Record<string, (query: Fields) => ListOrder> = {
  'members.list': (query) => byOrder(typeof query.sort === 'string' ? query.sort : 'joinedAt')(query),
  'members.spaces': byOrder('space.createdAt'),
  'comments.list': byOrder('postedAt'),
  'changeRequestComments.list': byOrder('postedAt'),
  'changeRequests.list': always('number', true),
  'sites.list': always('createdAt', true),
  'teams.list': always('title', false),
};

/** The order of a list; undefined where it is not that of a field. */
export const orderOf = (endpoint: string, query: Fields): ListOrder | undefined => orders[endpoint]?.(query);

/** Whether the service leaves items out of a list for its order: members whom nobody saw, or who are disabled. */
export const leavesOut = ({ endpoint, query }: Pick<Call, 'endpoint' | 'query'>): boolean =>
  endpoint.name === 'members.list' && query.sort === 'lastSeenAt';
