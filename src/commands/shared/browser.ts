import { codeOf, messageOf } from '../../shared/error-text.ts';

/** How long to wait for an error. The program that opens an address may run as long as the browser does. */
const timeoutMs = 1000;

/** Opens an address in the browser. @returns the reason if that fails */
export async function openInBrowser(url: string, env: Record<string, string | undefined>): Promise<string | undefined> {
  if (!hasDisplay(env)) return 'there is no display here (DISPLAY, WAYLAND_DISPLAY or BROWSER)';
  const { default: open } = await import('open');
  try {
    const program = await open(url);
    const status = await new Promise<number | null>((resolve) => {
      // It may have ended already.
      if (program.exitCode !== null) return resolve(program.exitCode);
      const timer = setTimeout(() => resolve(null), timeoutMs);
      program.once('exit', (code) => {
        clearTimeout(timer);
        resolve(code);
      });
    });
    return status ? `${program.spawnfile} ended with status ${status}` : undefined;
  } catch (error) {
    const path = error instanceof Error && 'path' in error ? error.path : undefined;
    return codeOf(error) === 'ENOENT' && typeof path === 'string' ? `${path} is not installed` : messageOf(error);
  }
}

/** On Linux, a browser needs a display, unless BROWSER names one that does not. WSL uses the display of Windows. */
const hasDisplay = (env: Record<string, string | undefined>) =>
  process.platform !== 'linux' ||
  ['DISPLAY', 'WAYLAND_DISPLAY', 'BROWSER', 'WSL_DISTRO_NAME'].some((name) => Boolean(env[name]));
