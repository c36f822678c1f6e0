export {
  changeText,
  compareDescriptions,
  isNotCompared,
  isUnresolvedBefore,
  mayBreak,
  type Change,
} from './diff/compare.ts';
export type { OverlayText } from './overlay/apply.ts';
export { UnreadableFile } from './parse/files.ts';
export { type Finding, unreadRules } from './finding.ts';
export { slugOf } from './identity.ts';
export type { Download } from './parse/documents.ts';
export { limitPatterns } from './lint/limited-patterns.ts';
export { NeedsThread } from './parse/harmless.ts';
export { maxBytes, parseDescription, ParseFailure } from './parse/parse.ts';
export { readDescription, type Description, type DescriptionSource } from './read.ts';
export { type Level as ChangeLevel, rules as changeRules } from './diff/rules.ts';
export {
  compareOpened,
  openDescription,
  type PlacedChange,
  type DescriptionPlace,
  type DescriptionProblem,
  type OpenedDescription,
} from './open-description.ts';
export { hasDescriptionName, isLikelyDescription } from './likely-description.ts';
