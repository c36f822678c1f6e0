import { UsageError } from '../../cli/program/failure.ts';
import type { Docs } from '../../sync/local-folder.ts';
import type { Preference, Side } from '../../sync/preference.ts';

export const conflictFlags = [
  {
    flags: '--on-conflict <what>',
    description: 'if both sides changed the same lines: stop (default), mark them in the files, or use app or folder',
    choices: ['stop', 'mark', 'app', 'folder'] as const,
  },
  { flags: '--prefer <side>', description: 'side that wins conflicts: app, folder, or for some pages app:a.md,b.md' },
] as const;

export interface ConflictFlags {
  onConflict?: 'stop' | 'mark' | Side | undefined;
  prefer?: string | undefined;
  overwrite?: boolean | undefined;
}

/** The side that wins conflicts, from the flags. @throws UsageError */
export function preferenceOf({ onConflict, prefer, overwrite }: ConflictFlags, folders: readonly Docs[]): Preference {
  const given = prefer === undefined ? '--on-conflict' : '--prefer';
  if (overwrite && (prefer !== undefined || onConflict !== undefined)) {
    throw new UsageError(
      `--overwrite and ${given} cannot be combined.`,
      `--overwrite overwrites everything; ${given} only decides conflicts.`,
    );
  }
  const side = onConflict === 'app' || onConflict === 'folder' ? onConflict : undefined;
  if (prefer === undefined) return { prefer: side };
  const [, preferred, list] = /^(app|folder)(?::(.*))?$/.exec(prefer) ?? [];
  if (!isSide(preferred)) {
    throw new UsageError(
      `--prefer: "${prefer}" is not a side.`,
      'Use app, folder, or a side with files: app:a.md,b.md.',
    );
  }
  if (list === undefined) {
    if (onConflict === undefined || onConflict === preferred) return { prefer: preferred };
    throw new UsageError(
      `--prefer ${preferred} and --on-conflict ${onConflict} contradict each other.`,
      `Name the files for --prefer, such as --prefer ${preferred}:a.md.`,
    );
  }
  const [docs, ...others] = folders;
  if (!docs || others.length > 0) throw new UsageError('--prefer with a list of files takes one folder.', 'Name it.');
  const prefix = `${docs.name.replace(/^\.\/|\/$/g, '')}/`;
  const names = list.split(',').map((name) => name.trim().replace(/^\.\//, ''));
  const files = names.flatMap((name) => {
    if (name === '') return [];
    return name.startsWith(prefix) ? name.slice(prefix.length) : name;
  });
  if (files.length === 0) throw new UsageError('--prefer: the list of files is empty.', 'Separate files with commas.');
  return { prefer: side, preferFor: { side: preferred, files } };
}

const isSide = (text: string | undefined): text is Side => text === 'app' || text === 'folder';
