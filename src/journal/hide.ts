import { createHash } from 'node:crypto';
import { createRedactor, secretsIn } from '../client/secrets.ts';

/** A text that replaces a secret. Equal secrets have equal texts, so that an object can still be found by it. */
export const hiddenText = (secret: string): string =>
  `[hidden ${createHash('sha256').update(secret).digest('hex').slice(0, 16)}]`;

export const isHidden = (text: string): boolean => /\[hidden(?: [0-9a-f]{16})?\]/.test(text);

const secretName = /token|secret|password|passphrase|credential|api-?key|private-?key|signature|^sig$|share-?key/i;
const address = /^[a-z][a-z0-9+.-]*:\/\//i;

/** A copy without secrets, which are recognized by the names of members and in addresses. */
export function withoutSecrets(value: unknown, name = ''): unknown {
  if (typeof value === 'string') {
    if (value === '') return value;
    return secretName.test(name) ? hiddenText(value) : withoutCredentials(value);
  }
  if (Array.isArray(value)) return value.map((item: unknown) => withoutSecrets(item, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withoutSecrets(member, key)]));
}

/** An address without the user's name and password, and without the secrets of its query. */
function withoutCredentials(text: string): string {
  if (!address.test(text) || !URL.canParse(text)) return text;
  const url = new URL(text);
  const secrets = [...url.searchParams].filter(([name, value]) => value !== '' && secretName.test(name));
  if (url.password === '' && url.username === '' && secrets.length === 0) return text;
  let plain = text.replace(/\/\/[^/?#]*@/, '//[hidden]@');
  for (const [, value] of secrets)
    for (const spelling of [value, encodeURIComponent(value)]) plain = plain.replaceAll(spelling, '[hidden]');
  return plain;
}

const header = /^[\w-]+:/;

/** Anyone with the ID of an invite link can join. */
const linkId = /^[A-Za-z0-9]{10,}$/;
const linkAddress = /(?<=\binvites\/)[A-Za-z0-9]{10,}/;

export const withoutLinkIds = (path: string): string => path.replace(linkAddress, hiddenText);

/**
 * The words of a command line without the secrets in headers, in addresses, and after flags or names of secrets, and
 * without the IDs of invite links.
 */
export function commandWithoutSecrets(words: readonly string[]): string[] {
  const hasLinks = words.includes('links') && words.includes('invites');
  return words.map((word, index) => {
    if (hasLinks && linkId.test(word)) return hiddenText(word);
    if (linkAddress.test(word)) return withoutLinkIds(word);
    const before = words[index - 1] ?? '';
    if (before === '-H' || before === '--header' || /^(?:-H|--header=)/.test(word)) return headerWithoutSecrets(word);
    const [, name = '', value = ''] = /^([^=\s]+)=(.*)$/s.exec(word) ?? [];
    if (name !== '' && value !== '') return `${name}=${String(withoutSecrets(value, name))}`;
    if (before.startsWith('--') && !before.includes('=') && secretName.test(before)) return hiddenText(word);
    return jsonWithoutSecrets(word) ?? withoutCredentials(word);
  });
}

function headerWithoutSecrets(word: string): string {
  const text = word.replace(/^(?:-H|--header=)/, '');
  if (!header.test(text)) return word;
  const [name = '', ...rest] = text.split(':');
  return createRedactor(secretsIn({ [name.toLowerCase()]: rest.join(':').trim() })).text(word);
}

function jsonWithoutSecrets(word: string): string | undefined {
  if (!/^[[{]/.test(word)) return undefined;
  try {
    return JSON.stringify(withoutSecrets(JSON.parse(word)));
  } catch {
    return undefined;
  }
}
