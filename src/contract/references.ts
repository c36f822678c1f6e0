import * as z from 'zod/mini';
import { lazy } from './common.ts';

const id = () => z.string().check(z.minLength(1));
const elsewhere = { space: z.optional(id()), page: z.optional(id()) };

/** What a link points at, seen from where it stands: a missing space or page is the current one. */
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
