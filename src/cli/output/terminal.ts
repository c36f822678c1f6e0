import { fstatSync } from 'node:fs';

export interface Terminal {
  /** Whether standard output is a terminal. */
  terminal: boolean;
  color: boolean;
  /** In terminal columns: of COLUMNS, else of the terminal; Infinity where standard output is none. */
  width: number;
}

/** What a probe of the system finds; tests put their own in its place. */
export interface Probe {
  env: Record<string, string | undefined>;
  isTerminal: (fd: 1 | 2) => boolean;
  columns: (fd: 1 | 2) => number | undefined;
}

const system: Probe = {
  env: process.env,
  isTerminal,
  columns: (fd) => (fd === 1 ? process.stdout : process.stderr).columns,
};

// Major number of /dev/null, /dev/zero and their like on Linux.
const memoryDevices = 1;

/** How results can be shown. FORCE_COLOR goes before NO_COLOR, and both before what the terminal is. */
export function terminal({ env, isTerminal, columns }: Probe = system): Terminal {
  const isOne = isTerminal(1);
  return {
    terminal: isOne,
    color: hasColor(env, isOne),
    width: widthOf(env, isOne ? columns(1) : Number.POSITIVE_INFINITY),
  };
}

/** Whether something that moves can be shown on standard error: a terminal that can redraw, with somebody before it. */
export function canAnimate({ env, isTerminal, columns }: Probe = system): boolean {
  if (env.TERM === 'dumb' || isSet(env.CI) || !isTerminal(2)) return false;
  // Where a terminal tells no width (in a container, often) ora would clear lines without end.
  return (columns(2) ?? 0) > 0;
}

function hasColor(env: Probe['env'], isOne: boolean): boolean {
  if (env.FORCE_COLOR !== undefined) return !['0', 'false'].includes(env.FORCE_COLOR);
  return isOne && !env.NO_COLOR && env.TERM !== 'dumb';
}

function widthOf(env: Probe['env'], columns: number | undefined): number {
  const named = /^\d+$/.test(env.COLUMNS ?? '') ? Number(env.COLUMNS) : 0;
  // A terminal that does not tell (or tells 0) is taken for one of the usual width.
  return named || columns || 80;
}

function isSet(variable: string | undefined): boolean {
  return variable !== undefined && !['', '0', 'false'].includes(variable);
}

/** Most often a pipe, a file or /dev/null: then there is no need for the module that can tell terminals from the rest. */
export function isTerminal(fd: number): boolean {
  return mayBeTerminal(fd) && process.getBuiltinModule('node:tty').isatty(fd);
}

function mayBeTerminal(fd: number): boolean {
  try {
    const stats = fstatSync(fd);
    return stats.isCharacterDevice() && !(process.platform === 'linux' && stats.rdev >> 8 === memoryDevices);
  } catch {
    return false;
  }
}
