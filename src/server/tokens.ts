// Loaded when a token is at hand: a call in-process needs none.
const crypto = () => process.getBuiltinModule('node:crypto');

/** Tokens are kept as this only: who reads the file learns none. */
export const hashToken = (token: string) => crypto().createHash('sha256').update(token).digest('hex');

/** A fresh token: a prefix that secret scanners can find, and 192 bits. */
export const newToken = () => `docsctl_${crypto().randomBytes(24).toString('base64url')}`;
