import { randomUUID } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import { onTestFinished } from 'vitest';
import { completionFiles } from '../../src/describe/completions.ts';
import { bin, type Home, root } from '../support/cli.ts';
import { showing } from '../terminal/screen.ts';

const timeoutMs = 15_000;

export type ShellName = 'bash' | 'zsh' | 'fish';

/** How each shell begins without anybody's settings, and takes the script. */
const starts: Record<ShellName, { command: string; take: (script: string) => string }> = {
  bash: { command: 'bash --norc --noprofile', take: (script) => `source '${script}'` },
  zsh: { command: 'zsh -f', take: (script) => `autoload -Uz compinit; compinit -D; source '${script}'` },
  fish: { command: 'fish --no-config', take: (script) => `source '${script}'` },
};

export function isInstalled(shell: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${shell} && command -v tmux`]);
    return true;
  } catch {
    return false;
  }
}

export interface Shell {
  text(): Promise<string>;
  shows(expected: RegExp | string): Promise<string>;
  type(text: string): Promise<void>;
  press(...keys: string[]): Promise<void>;
  /** An empty line on an empty screen. */
  clear(): Promise<void>;
  /** The folder it is in. */
  dir: string;
}

/** A shell in a terminal, with the committed completion script and `docsctl` on its path. */
export async function openShell(home: Home, shell: ShellName, env: Record<string, string> = {}): Promise<Shell> {
  const dir = join(home.dir, 'work');
  const path = join(home.dir, 'path');
  await mkdir(dir, { recursive: true });
  await mkdir(path, { recursive: true });
  await writeFile(join(path, 'docsctl'), `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`);
  await chmod(join(path, 'docsctl'), 0o755);
  const name = randomUUID();
  const tmux = (...args: string[]) => execa('tmux', ['-L', name, '-f', '/dev/null', ...args]);
  onTestFinished(async () => {
    await tmux('kill-server').catch(() => {});
  });
  const variables = {
    ...home.env,
    ...env,
    PATH: `${path}:${home.env.PATH}`,
    TERM: 'screen',
    LANG: 'C.UTF-8',
    PS1: '> ',
  };
  const settings = Object.entries(variables).map(([key, value]) => `${key}='${value}'`);
  await tmux(
    'new-session',
    '-d',
    '-x',
    '150',
    '-y',
    '50',
    '-c',
    dir,
    `exec env -i ${settings.join(' ')} ${starts[shell].command}`,
  );

  const text = async () => (await tmux('capture-pane', '-p', '-J')).stdout;
  const shows = showing(shell, text);
  const type = async (typedText: string) => void (await tmux('send-keys', '-l', typedText));
  const press = async (...keys: string[]) => void (await tmux('send-keys', ...keys));
  const clear = async () => {
    await press('C-u', 'C-l');
    for (const until = Date.now() + timeoutMs; (await text()).trim().split('\n').length > 1; await sleep(25)) {
      if (Date.now() > until) throw new Error(`${shell} never cleared its screen:\n${await text()}`);
    }
  };
  // What is typed before a shell is ready may be lost.
  await type(`${starts[shell].take(join(root, 'completions', completionFiles[shell]))}; echo rea''dy`);
  await press('Enter');
  await shows(/^ready/m);
  await clear();
  return { text, shows, type, press, clear, dir };
}
