import { stringify } from 'yaml';

/** The YAML of a value: the same text for the same value, long texts in one line, members that are undefined left out. */
export const writeYaml = (value: unknown): string =>
  stringify(value, { lineWidth: 0, aliasDuplicateObjects: false, keepUndefined: false });
