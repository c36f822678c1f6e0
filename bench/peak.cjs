'use strict';
// Loaded before a program, to tell how much memory it took at most, in KiB.
const { readFileSync, writeFileSync } = require('node:fs');

process.on('exit', () => writeFileSync(process.env.BENCH_PEAK, String(peakKib())));

/** The platform's own figure is at least the memory of the process that started this one, on Linux. */
function peakKib() {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS;
  return /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))[1];
}
