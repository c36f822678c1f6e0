import { UsageError } from '../../cli/program/failure.ts';

/** @throws UsageError */
export function wholeNumber(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new UsageError(`${flag} must be a whole number above 0, not "${text}".`);
  return Number(text);
}
