import * as z from 'zod/mini';
import { roles } from './access.ts';
import { dateTime, flags, lazy, text } from './schema.ts';

/** Roles, from most to least. */
export const Role = lazy(() => z.enum(roles.toReversed()));

/** A role, or null for a guest. */
export const RoleOrGuest = lazy(() => z.nullable(Role()));

export const order = (description = 'Newest first (desc) or oldest first (asc).') =>
  z._default(z.enum(['asc', 'desc']).check(z.describe(description)), 'desc');

export const User = lazy(() =>
  z.object({
    object: z.literal('user'),
    id: z.string(),
    displayName: z.string(),
    email: z.optional(z.string()),
    photoURL: z.optional(z.string()),
    urls: z.object({ location: z.string() }),
  }),
);

/** A place before or after a neighbour; the end when neither is given. */
export const position = <S extends z.ZodMiniType>(pointer: () => S) =>
  z
    .object({ before: z.optional(pointer()), after: z.optional(pointer()) })
    .check(z.describe('Directly before or after this sibling (default: at the end).'));

export { dateTime, flags, lazy, text };
