// Loaded before a program, to tell how much memory it took at most, in KiB.
process.on('exit', () => {
  require('node:fs').writeFileSync(process.env.BENCH_PEAK, String(process.resourceUsage().maxRSS));
});
