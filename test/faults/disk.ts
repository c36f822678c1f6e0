import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Why no disk can be mounted here; undefined where it can. */
export const cannotMount: string | undefined = tryMount();

function tryMount(): string | undefined {
  if (process.platform !== 'linux') return 'only Linux mounts a disk for a test';
  const folder = mkdtempSync(join(tmpdir(), 'docsctl-mount-'));
  try {
    mount(folder, 1);
    execFileSync('umount', [folder]);
    return undefined;
  } catch {
    return 'mounting a small disk needs to be root, in a container with that right';
  } finally {
    rmSync(folder, { recursive: true });
  }
}

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
