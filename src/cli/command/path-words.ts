/** Names of arguments and placeholders of flags whose value is a path. */
export const pathWords: Readonly<Record<string, 'files' | 'folders'>> = {
  file: 'files',
  'file-or-url': 'files',
  source: 'files',
  certificate: 'files',
  folder: 'folders',
};
