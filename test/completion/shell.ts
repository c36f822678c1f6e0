import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bin, type Home, root } from '../support/cli.ts';
import { openTerminal, type Terminal } from '../terminal/terminal.ts';

export type ShellName = 'bash' | 'zsh' | 'fish';

/** How each shell starts without anybody's settings and loads its script in `completions/`. */
const starts: Record<ShellName, { command: string; script: string; take: (script: string) => string }> = {
  bash: { command: 'bash --norc --noprofile', script: 'docsctl.bash', take: (script) => `source '${script}'` },
  zsh: {
    command: 'zsh -f',
    script: '_docsctl',
    take: (script) => `autoload -Uz compinit; compinit -D; source '${script}'`,
  },
  fish: { command: 'fish --no-config', script: 'docsctl.fish', take: (script) => `source '${script}'` },
};

export interface Shell extends Terminal {
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
  const terminal = openTerminal(starts[shell].command.split(' '), {
    cwd: dir,
    env: { ...home.env, ...env, PATH: `${path}:${home.env.PATH}`, PS1: '> ' },
    width: 150,
    height: 50,
    scrollback: 0,
  });
  const clear = async () => {
    await terminal.press('C-u', 'C-l');
    await terminal.becomes('empty', (text) => text.trim().split('\n').length <= 1);
  };
  // What is typed before a shell is ready may be lost.
  await terminal.type(`${starts[shell].take(join(root, 'completions', starts[shell].script))}; echo rea''dy`);
  await terminal.press('Enter');
  await terminal.shows(/^ready/m);
  await clear();
  return { ...terminal, clear, dir };
}
