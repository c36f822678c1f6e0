/*
 * What runs when a package is installed and removed. The service is never enabled automatically, and nothing removes its
 * data in /var/lib/docsctl.
 */

const ifSystemd = (...lines: string[]) => ['if [ -d /run/systemd/system ]; then', ...lines.map((l) => `  ${l}`), 'fi'];
const reload = 'systemctl --system daemon-reload > /dev/null || true';
const script = (...lines: string[]) => `#!/bin/sh\nset -e\n${lines.join('\n')}\n`;

/** Maintainer scripts of Debian, by name. */
export const debianScripts: Record<string, string> = {
  postinst: script(
    'if [ "$1" = configure ]; then',
    ...ifSystemd(reload, 'if [ -n "$2" ]; then deb-systemd-invoke try-restart docsctl.service > /dev/null || true; fi'),
    'fi',
  ),
  prerm: script(
    'if [ "$1" = remove ]; then',
    ...ifSystemd('deb-systemd-invoke stop docsctl.service > /dev/null || true'),
    'fi',
  ),
  postrm: script('if [ "$1" = remove ]; then', ...ifSystemd(reload), 'fi'),
};

/** Scriptlets of RPM: their first argument is how many versions remain. */
export const rpmScripts: Record<string, string> = {
  post: ifSystemd(reload).join('\n'),
  preun: [
    'if [ "$1" -eq 0 ]; then',
    ...ifSystemd('systemctl --no-reload disable --now docsctl.service > /dev/null 2>&1 || true'),
    'fi',
  ].join('\n'),
  postun: [
    ...ifSystemd(reload, 'if [ "$1" -ge 1 ]; then systemctl try-restart docsctl.service > /dev/null || true; fi'),
  ].join('\n'),
};
