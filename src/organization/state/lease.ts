import { isObject } from '../../shared/is-object.ts';
import { linesIn } from './state.ts';

/** Who is applying files to the organization. */
export interface Lease {
  /** Random, because one person can run several applies. */
  id: string;
  /** The user. */
  holder: string;
  host: string;
  /** ISO 8601, by the clock of the service. */
  since: string;
  expires: string;
}

export const leasePage = 'Lease';

/** How long a lease lasts after it was taken or renewed. */
export const leaseMs = 10 * 60_000;

/**
 * The text of the page. It is a single line, so that two change requests that write it always conflict, and a new one each
 * time, so that they never agree by chance.
 */
export const leaseText = (lease: Lease | undefined, nonce: string): string =>
  ['```json', JSON.stringify({ ...(lease ?? { free: true }), nonce }), '```', ''].join('\n');

/** The lease in the text of the page; undefined if nobody holds it. */
export function readLease(text: string | undefined): Lease | undefined {
  if (text === undefined) return undefined;
  const [value] = linesIn(leasePage, text);
  if (!isObject(value)) return undefined;
  const { id, holder, host, since, expires } = value;
  const texts = [id, holder, host, since, expires].filter((each) => typeof each === 'string');
  if (texts.length < 5) return undefined;
  return { id, holder, host, since, expires } as Lease;
}

export const isExpired = ({ expires }: Lease, now: number): boolean => !(Date.parse(expires) > now);
