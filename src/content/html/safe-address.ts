/** Schemes allowed in links. None of them runs code. */
export const schemes = ['http', 'https', 'mailto', 'tel', 'sms', 'ftp', 'irc', 'ircs', 'xmpp'];

/** Whether an address runs no code. Browsers strip spaces and control characters before they read the scheme. */
export function isSafeAddress(address: string, isImage = false): boolean {
  const plain = withoutControls(address);
  if (isImage) return isLocalImage(plain);
  const scheme = /^([^/?#:]*):/.exec(plain)?.[1]?.toLowerCase();
  return scheme === undefined || schemes.includes(scheme);
}

/** Whether an image is in the site or in the page itself. Nothing is loaded from other hosts. */
export function isLocalImage(address: string): boolean {
  const plain = withoutControls(address);
  return /^data:image\/(?:png|jpeg|gif|webp|avif|svg\+xml)[;,]/i.test(plain) || !isRemote(plain);
}

/** Whether an address has a host or a scheme. Browsers treat `\` like `/`. */
export function isRemote(address: string): boolean {
  const plain = withoutControls(address).replaceAll('\\', '/');
  return plain.startsWith('//') || /^[^/?#:]*:/.test(plain);
}

const withoutControls = (address: string): string => address.replaceAll(/[\u0000-\u0020]/g, '');
