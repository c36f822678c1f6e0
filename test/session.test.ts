import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './support/cli.ts';
import { recordedSession } from './support/recorded-session.ts';

test('the session of docs/agent-session.md runs as it is shown; npm run session records it again', async () => {
  const page = join(root, 'docs', 'agent-session.md');

  await expect(await recordedSession(await readFile(page, 'utf8'))).toMatchFileSnapshot(page);
});
