// Loaded when a token is at hand: a call in-process needs none.
const crypto = () => process.getBuiltinModule('node:crypto');

const known = new Map<string, string>();
const mostKnown = 100;

/** Tokens are kept as this only: who reads the file learns none. A caller sends the same one again and again. */
export function hashToken(token: string): string {
  const before = known.get(token);
  if (before !== undefined) return before;
  const hash = crypto().hash('sha256', token);
  if (known.size >= mostKnown) known.clear();
  // What is absurdly long is no token, and not worth the memory.
  if (token.length <= 200) known.set(token, hash);
  return hash;
}

/** A fresh token: a prefix that secret scanners can find, and 192 bits. */
export const newToken = () => `docsctl_${crypto().randomBytes(24).toString('base64url')}`;
