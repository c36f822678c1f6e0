const reasons: Record<string, string> = {
  EACCES: 'you may not',
  EPERM: 'the system does not allow it',
  EISDIR: 'it is a folder',
  ENOTDIR: 'what stands before a slash in it is no folder',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'its links lead in a circle',
  ENOSPC: 'the disk is full',
  EDQUOT: 'your quota is used up',
  EROFS: 'the disk is read-only',
  EMFILE: 'too many files are open',
  EEXIST: 'there is a file of that name',
};

/**
 * Why the system refused a file, in words that end a sentence.
 *
 * @param missing what is not there where something is missing: for a file to be written, its folder
 */
export function fileReason(error: unknown, missing: 'file' | 'folder' = 'file'): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return `there is no such ${missing}`;
  return reasons[code] ?? message.replace(/\.$/, '');
}
