import { fstatSync } from 'node:fs';
import { showsLinks } from './hyperlink.ts';

export interface Terminal {
  /** Whether standard output is a terminal. */
  terminal: boolean;
  color: boolean;
  /** Whether texts may lead to addresses. */
  links?: boolean;
  /** In terminal columns: of COLUMNS, else of the terminal; Infinity if standard output is none. */
  width: number;
}

/** What is asked of the system; tests replace it. */
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
  const hasTerminal = isTerminal(1);
  const color = hasColor(env, hasTerminal);
  return {
    terminal: hasTerminal,
    color,
    links: hasTerminal && color && showsLinks(env),
    width: widthOf(env, hasTerminal ? columns(1) : Number.POSITIVE_INFINITY),
  };
}

/** Whether standard error can show colours. */
export const errorColor = ({ env, isTerminal }: Probe = system): boolean => hasColor(env, isTerminal(2));

/** Whether standard error can show an animation: a terminal that can redraw, and not in CI. */
export function canAnimate({ env, isTerminal, columns }: Probe = system): boolean {
  if (env.TERM === 'dumb' || isSet(env.CI) || !isTerminal(2)) return false;
  // Some terminals, often in containers, report no width: ora would then clear lines without end.
  return (columns(2) ?? 0) > 0;
}

function hasColor(env: Probe['env'], isTerminal: boolean): boolean {
  if (env.FORCE_COLOR !== undefined) return !['0', 'false'].includes(env.FORCE_COLOR);
  return isTerminal && !env.NO_COLOR && env.TERM !== 'dumb';
}

function widthOf(env: Probe['env'], columns: number | undefined): number {
  const fromEnvironment = /^\d+$/.test(env.COLUMNS ?? '') ? Number(env.COLUMNS) : 0;
  // A terminal that reports no width, or 0, is taken to have the usual width.
  return fromEnvironment || columns || 80;
}

function isSet(variable: string | undefined): boolean {
  return variable !== undefined && !['', '0', 'false'].includes(variable);
}

/** For a pipe, a file or /dev/null, the common cases, node:tty is not loaded. */
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
