import type { Tone } from './options.ts';

export type Paint = (text: string, tone: Tone | 'head') => string;

const plain: Paint = (text) => text;

export async function loadPaint(color: boolean): Promise<Paint> {
  if (!color) return plain;
  const { Chalk } = await import('chalk');
  const chalk = new Chalk({ level: 1 });
  const tones = { good: chalk.green, bad: chalk.red, warn: chalk.yellow, dim: chalk.dim, head: chalk.bold };
  return (text, tone) => (text === '' ? '' : tones[tone](text));
}
