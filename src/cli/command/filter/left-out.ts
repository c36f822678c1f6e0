import { valueAt } from '../../../shared/value-at.ts';
import type { Call, Invocation } from '../command.ts';

/** Says on standard error how many items the service leaves out of a list for its order. @param listed those in the list */
export async function tellLeftOut({ client, io }: Invocation, calls: readonly Call[], listed: number): Promise<void> {
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
  if (counts === undefined) return io.note(`Disabled members and members who were never seen are left out. ${hint}`);
  const missing = counts.reduce((sum, count) => sum + count, 0) - listed;
  if (missing <= 0) return;
  await io.note(
    `${missing} ${missing === 1 ? 'member is' : 'members are'} left out because they are disabled or were never seen. ${hint}`,
  );
}
