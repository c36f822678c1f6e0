export { breakingChanges, formatChange, type Change, type ChangeRule } from './breaking.ts';
export { UnreadableFile } from './files.ts';
export { formatFinding, type Finding, type Rule } from './finding.ts';
export { slugOf, type Version } from './identity.ts';
export { maxBytes, parseDescription, ParseFailure } from './parse.ts';
export { readDescription, type Description, type DescriptionSource } from './read.ts';
