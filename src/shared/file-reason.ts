import { codeOf, messageOf } from './error-text.ts';

const reasons: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is not a folder',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'symbolic link loop',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the disk is read-only',
  EMFILE: 'too many files are open',
  EEXIST: 'a file of that name exists',
  // SQLite's message for a full disk: the lock of the settings is a database.
  'database or disk is full': 'the disk is full',
};

/**
 * Why the system refused a file, in words that end a sentence.
 *
 * @param missing what does not exist at ENOENT: for a file to be written, its folder
 */
export function fileReason(error: unknown, missing: 'file' | 'folder' = 'file'): string {
  const code = codeOf(error);
  if (code === 'ENOENT') return `there is no such ${missing}`;
  const message = messageOf(error);
  return reasons[code] ?? reasons[message] ?? message.replace(/\.$/, '');
}
