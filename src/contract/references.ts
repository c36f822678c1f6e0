import * as z from 'zod/mini';
import { lazy } from './common.ts';

const id = () => z.string().check(z.minLength(1));
const elsewhere = { space: z.optional(id()), page: z.optional(id()) };

/** The target of a link, relative to its page: without a space or page, it is the current one. */
export const RelativeReference = lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('url'), url: id() }),
    z.object({ kind: z.literal('file'), file: id() }),
    z.object({ kind: z.literal('page'), page: id(), space: elsewhere.space }),
    z.object({ kind: z.literal('anchor'), anchor: id(), ...elsewhere }),
    z.object({ kind: z.literal('user'), user: id() }),
    z.object({ kind: z.literal('collection'), collection: id() }),
    z.object({ kind: z.literal('space'), space: id() }),
    z.object({ kind: z.literal('reusable-content'), reusableContent: id(), space: elsewhere.space }),
    z.object({ kind: z.literal('openapi'), spec: id() }),
  ]),
);
