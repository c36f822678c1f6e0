import { expect } from 'vitest';
import { test } from '../support/cli.ts';

test('settings that pages of docsctl do not show are named when they are set', async ({ demo }) => {
  const set = ['sites', 'customization', 'set', '--site', 'lumensite001', '--set'];

  const run = await demo.docsctl(...set, 'feedback.enabled=true');
  expect(run.exitCode).toBe(0);
  expect(run.stderr).toContain('feedback.enabled: the pages of serve, preview and export do not show it.');
  expect((await demo.docsctl(...set, 'feedback.enabled=false')).stderr).not.toContain('feedback');
});
