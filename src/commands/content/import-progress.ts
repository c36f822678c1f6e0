import { createProgress } from '../../cli/output/index.ts';
import type { Io } from '../../cli/program/io.ts';
import type { ImportState } from '../../contract/instance.ts';

/** How often a terminal shows what arrives, and how often a log gets a line. */
const screenMs = 1_000;
const logMs = 30_000;

/**
 * Shows how an import goes on: on a terminal in one line that changes, elsewhere now and then in a further line.
 *
 * @param read the state of the import, where the service tells it
 */
export function showProgress(
  io: Io,
  read: (() => Promise<ImportState | undefined>) | undefined,
): { stop(): Promise<void> } {
  const started = Date.now();
  const isScreen = io.canAnimate;
  const progress = createProgress('Importing', { animated: isScreen });
  let isStopped = false;
  let shown = Promise.resolve();
  const show = async () => {
    const state = await read?.();
    if (isStopped) return;
    const text = progressText(state, Math.round((Date.now() - started) / 1000));
    if (isScreen) progress.say(text);
    else await io.note(`${text}.`);
  };
  const timer = setInterval(() => (shown = shown.then(show, () => {})), isScreen ? screenMs : logMs);
  return {
    async stop() {
      isStopped = true;
      clearInterval(timer);
      progress.stop();
      await shown.catch(() => {});
    },
  };
}

export function progressText(state: ImportState | undefined, seconds: number): string {
  const time = seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  if (state?.step === 'fetching' && state.found > 0) {
    return `Importing: ${state.fetched} of ${state.found} pages found so far are fetched, ${time}`;
  }
  if (state?.step === 'reading') return `Importing: reading ${state.fetched} pages, ${time}`;
  if (state?.step === 'saving') return `Importing: saving, ${time}`;
  return `Importing: ${time} so far`;
}
