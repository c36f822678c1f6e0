import { expect, onTestFinished, test } from 'vitest';
import { serveHere, sharedDemo } from '../support/shell.ts';
import { forwardTo } from './twin/forwarding.ts';

// Change requests of a service that does not show earlier revisions.

const { demo } = await sharedDemo();

test.for(['merge', 'update'])('a dry run of cr %s says that it cannot find conflicts', async (verb) => {
  const home = await demo.copy();
  const service = await serveHere(home.database);
  const forwarding = await forwardTo(service.env['DOCSCTL_URL']!, { hidden: /\/revisions\// });
  onTestFinished(async () => {
    forwarding.stop();
    await service.stop();
  });
  Object.assign(home.env, service.env, { DOCSCTL_URL: forwarding.url });

  const run = await home.run(['cr', verb, '1', '--space', 'handbook0001', '--dry-run']);

  expect(run.exitCode, run.stderr).toBe(0);
  expect(run.stderr).toContain('Not checked: conflicts, because the service does not show the revision');
  expect(run.stdout).toContain(`/${verb}\n`);
});
