// Loaded on first use: a call in this process needs no token.
const crypto = () => process.getBuiltinModule('node:crypto');

const cache = new Map<string, string>();
const maxCached = 100;
const maxCachedLength = 200;

/** Only the hash of a token is stored, so that the database does not contain tokens. */
export function hashToken(token: string): string {
  // A caller sends the same token with every request.
  const cached = cache.get(token);
  if (cached !== undefined) return cached;
  const hash = crypto().hash('sha256', token);
  if (cache.size >= maxCached) cache.clear();
  // A very long value is no token of ours, and would only take memory.
  if (token.length <= maxCachedLength) cache.set(token, hash);
  return hash;
}

/** A new token: a prefix that secret scanners can find, then 192 random bits. */
export const newToken = () => `docsctl_${crypto().randomBytes(24).toString('base64url')}`;
