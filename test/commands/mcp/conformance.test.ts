import { join } from 'node:path';
import { execa } from 'execa';
import { expect } from 'vitest';
import { root, test as base } from '../../support/cli.ts';
import { bridgeMcp } from '../../support/mcp-bridge.ts';

// The conformance suite of the protocol. Its server has tools of its own for many scenarios: those that docsctl can take part in
// are listed here, and what they cannot check.

const test = base.extend<{ url: string }>({
  url: async ({ demo }, use) => {
    const bridge = await bridgeMcp(demo);
    await use(bridge.url);
    await bridge.close();
  },
});

const program = join(root, 'node_modules', '.bin', 'conformance');

interface Check {
  id: string;
  status: string;
}

/** The checks of a scenario that did not succeed. */
async function failures(url: string, scenario: string, revision: string): Promise<string[]> {
  const words = ['server', '--url', url, '--scenario', scenario, '--spec-version', revision, '--verbose'];
  const { stdout } = await execa(program, words, { reject: false, stdin: 'ignore' });
  const checks: Check[] = JSON.parse(stdout.slice(stdout.indexOf('[\n'), stdout.lastIndexOf('\n]') + 2));
  expect(checks.length, stdout).toBeGreaterThan(0);
  return [...new Set(checks.filter(({ status }) => status === 'FAILURE').map(({ id }) => id))].toSorted();
}

test.for(['server-initialize', 'ping', 'tools-list'])('2025-11-25: %s', async (scenario, { url }) => {
  expect(await failures(url, scenario, '2025-11-25')).toEqual([]);
});

test.for([
  'tools-list',
  'server-sse-multiple-streams',
  'sep-2164-resource-not-found',
  'input-required-result-missing-input-response',
  'input-required-result-unsupported-methods',
  'input-required-result-ignore-extra-params',
  'input-required-result-validate-input',
])('2026-07-28: %s', async (scenario, { url }) => {
  expect(await failures(url, scenario, '2026-07-28')).toEqual([]);
});

test('2026-07-28: stateless requests', async ({ url }) => {
  expect(await failures(url, 'server-stateless', '2026-07-28')).toEqual([
    // Of HTTP, which docsctl does not serve.
    'sep-2575-http-server-header-mismatch-400',
    // These need tools of the suite that ask the client, or log.
    'sep-2575-http-server-no-independent-requests-on-stream',
    'sep-2575-missing-capability-http-400',
    'sep-2575-server-no-log-without-loglevel',
    'sep-2575-server-rejects-undeclared-capability',
  ]);
});

test('2026-07-28: caching', async ({ url }) => {
  expect(await failures(url, 'caching', '2026-07-28')).toEqual([
    // There are no prompts and resources.
    'sep-2549-prompts-list-caching-hints',
    'sep-2549-resources-list-caching-hints',
    'sep-2549-resources-templates-list-caching-hints',
  ]);
});
