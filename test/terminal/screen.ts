import { bin, type Home } from '../support/cli.ts';
import { openTerminal, type Terminal } from './terminal.ts';

export type Screen = Terminal;

/** Starts the built program, or another one, in a terminal of its own. */
export async function openScreen(
  home: Home,
  words: string[],
  {
    width = 80,
    height = 40,
    env = {},
    program = [process.execPath, bin],
  }: { width?: number; height?: number; env?: Record<string, string>; program?: string[] } = {},
): Promise<Screen> {
  return openTerminal([...program, ...words], {
    cwd: home.dir,
    env: { ...home.env, ...env },
    width,
    height,
    scrollback: 1000,
  });
}
