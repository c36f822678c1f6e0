import * as z from 'zod/mini';
import { code, ProtocolError, type Request } from './messages.ts';

/** The revision whose requests describe themselves in `_meta`. */
const modernVersion = '2026-07-28';

/** Revisions that begin with `initialize`, newest first. What docsctl uses is the same in both. */
const legacyVersions = ['2025-11-25', '2025-06-18'] as const;

export const supportedVersions: readonly string[] = [modernVersion, ...legacyVersions];

/** The rules that a request follows: of a revision with `initialize`, or of the stateless one. */
export type Era = 'legacy' | 'modern';

const versionKey = 'io.modelcontextprotocol/protocolVersion';
const capabilitiesKey = 'io.modelcontextprotocol/clientCapabilities';

const Meta = z.object({
  [versionKey]: z.string(),
  [capabilitiesKey]: z.record(z.string(), z.unknown()),
});

/** Requests of clients that begin with `initialize`, which may precede it. */
const beforeInitialize = new Set(['initialize', 'ping']);

/** Methods of the stateless revision alone. */
const modernMethods = new Set(['server/discover', 'subscriptions/listen']);

/**
 * The rules for a request. A server of both eras looks at each request: those that name their version are stateless.
 *
 * @param isInitialized whether a client has begun with `initialize`
 * @throws ProtocolError for a request that follows neither
 */
export function eraOf({ method, params = {} }: Request, isInitialized: boolean): Era {
  const { _meta: meta } = params;
  const isModern = typeof meta === 'object' && meta !== null && versionKey in meta;
  if (!isModern) {
    if ((isInitialized && !modernMethods.has(method)) || beforeInitialize.has(method)) return 'legacy';
    throw new ProtocolError(
      code.invalidParams,
      `"_meta" must have "${versionKey}" and "${capabilitiesKey}"; clients of ${legacyVersions[0]} send "initialize" first.`,
    );
  }
  const requested = z.looseObject({ [versionKey]: z.string() }).safeParse(meta);
  if (requested.success && requested.data[versionKey] !== modernVersion)
    throw new ProtocolError(code.unsupportedProtocolVersion, 'Unsupported protocol version', {
      supported: supportedVersions,
      requested: requested.data[versionKey],
    });
  const complete = Meta.safeParse(meta);
  if (!complete.success)
    throw new ProtocolError(code.invalidParams, `"_meta" must have "${versionKey}" and "${capabilitiesKey}".`);
  return 'modern';
}

/** The version for a client that asks for one with `initialize`: the same if possible, else the newest. */
export function negotiated(params: Request['params']): string {
  const { protocolVersion } = params ?? {};
  if (typeof protocolVersion !== 'string')
    throw new ProtocolError(code.invalidParams, '"params" must have "protocolVersion".');
  return legacyVersions.find((version) => version === protocolVersion) ?? legacyVersions[0];
}
