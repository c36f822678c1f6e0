import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const introduction = `# One process per port: systemctl enable --now docsctl@4001 docsctl@4002
# Generated from the unit of the Debian and RPM packages. Set in /etc/docsctl/environment (mode 0600):
#   DOCSCTL_SERVE_DB=postgres://docs:password@db.example/docs?sslmode=verify-full
#   OPTIONS=--public-url https://docs.example.com --allow-host docs.example.com
`;

/** What differs if there are several processes: settings in one file, ports, and folders of their own. */
const differences: [text: string | RegExp, replacement: string][] = [
  ['Description=docsctl, a service for documentation', 'Description=docsctl on port %i'],
  [/^# .* overrides these\.\nEnvironment=DOCSCTL_SERVE_DB=.*\n/m, ''],
  ['EnvironmentFile=-/etc/default/docsctl', 'EnvironmentFile=/etc/docsctl/environment'],
  ['docsctl serve --json', 'docsctl serve --port %i --json'],
  [/(?<=\/var\/(?:lib|cache)\/docsctl|^(?:State|Cache)Directory=docsctl)\b/gm, '-%i'],
];

/** `examples/deployment/docsctl@.service`. */
export function templateUnit(): string {
  const unit = readFileSync(join(import.meta.dirname, '../release/systemd/docsctl.service'), 'utf8');
  return differences.reduce((text, [part, replacement]) => {
    const replaced = text.replace(part, replacement);
    if (replaced === text) throw new Error(`docsctl.service does not contain ${part}.`);
    return replaced;
  }, introduction + unit);
}
