import type { Place } from './model.ts';

/** The rules of the check, with their descriptions. */
export const linkRules = {
  'broken-link': 'A link to a page or file that does not exist.',
  'broken-app-link': 'A link to the app whose space or page does not exist.',
  'broken-site-link': 'A link to an own site at whose address there is no page.',
  'missing-anchor': 'A link to a heading that the page does not have.',
  'missing-include': 'An included text that does not exist.',
  'missing-image': 'An image that does not exist.',
  'unknown-space': 'A link to a space that was not checked.',
  'private-link': 'A page of a public site to which only sites that are not public link.',
  'unused-include': 'A reusable text that nothing includes.',
  'too-large': 'A text that is too large to be checked to its end.',
} as const satisfies Record<string, string>;

export type LinkRule = keyof typeof linkRules;

export interface LinkFinding extends Place {
  line?: number;
  column?: number;
  /** One of `linkRules`, or a rule of `content check`. */
  rule: string;
  level: 'error' | 'warning';
  message: string;
  /** The address as it is written. */
  url?: string;
  /** The proposed address. */
  target?: string;
  /** Whether `target` is the same page or heading, so that it can be written. */
  certain?: boolean;
}
