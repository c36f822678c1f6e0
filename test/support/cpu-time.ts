import { readFile } from 'node:fs/promises';

/** Time that a process has computed; Linux counts hundredths of a second. */
export async function cpuMs(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\) /, '').split(' ');
  return Number(fields[11]) * 10;
}
