/** Schemes that links may have: none of them runs anything. */
export const schemes = ['http', 'https', 'mailto', 'tel', 'sms', 'ftp', 'irc', 'ircs', 'xmpp'];

/** Whether an address runs nothing; browsers remove blanks and control characters before they read its scheme. */
export function isSafeAddress(address: string, isImage = false): boolean {
  const plain = address.replaceAll(/[\u0000-\u0020]/g, '');
  const scheme = /^([^/?#:]*):/.exec(plain)?.[1]?.toLowerCase();
  if (isImage) return isLocalImage(plain);
  return scheme === undefined || schemes.includes(scheme);
}

/** Whether an image is part of the site or of the page: nothing is loaded from other hosts. */
export function isLocalImage(address: string): boolean {
  const plain = address.replaceAll(/[\u0000-\u0020]/g, '');
  return /^data:image\/(?:png|jpeg|gif|webp|avif|svg\+xml)[;,]/i.test(plain) || !isRemote(plain);
}

/** Whether an address names a host or a scheme. `\` is `/` for browsers. */
export function isRemote(address: string): boolean {
  const plain = address.replaceAll(/[\u0000-\u0020]/g, '').replaceAll('\\', '/');
  return plain.startsWith('//') || /^[^/?#:]*:/.test(plain);
}
