import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

function mount(folder: string, megabytes: number) {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'pipe' });
}

export interface SmallDisk {
  path: string;
  /** Takes all the room that is left. */
  fill(): void;
  makeRoom(): void;
  makeReadOnly(): void;
}

/** A disk of its own, of a few megabytes, until the test is over. */
export function smallDisk(megabytes: number): SmallDisk {
  const path = mkdtempSync(join(tmpdir(), 'docsctl-disk-'));
  mount(path, megabytes);
  onTestFinished(() => {
    execFileSync('umount', ['--lazy', path]);
    rmSync(path, { recursive: true });
  });
  const filler = join(path, 'filler');
  return {
    path,
    fill() {
      writeFileSync(filler, '');
      for (const size of [65_536, 4096, 1]) {
        try {
          for (;;) appendFileSync(filler, Buffer.alloc(size));
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
        }
      }
    },
    makeRoom: () => rmSync(filler),
    makeReadOnly: () => void execFileSync('mount', ['-o', 'remount,ro', path]),
  };
}
