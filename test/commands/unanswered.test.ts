import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Fault, makeFolder, type Request, Service } from '../models/world/service.ts';

/** An organization with one member, and a folder with a file of people. */
async function begin(csv: string) {
  const service = await Service.open();
  const folder = await makeFolder('unanswered');
  onTestFinished(async () => {
    await service.close();
    await rm(folder, { recursive: true });
  });
  await service.newMember(service.organization, { name: 'Mia', email: 'mia@example.org', role: 'read' });
  await writeFile(join(folder, 'people.csv'), csv);
  const run = async (words: string[], fault: (request: Request) => Fault | undefined) => {
    const line = [
      ...words,
      '--result',
      'result.csv',
      '--org',
      service.organization,
      '--yes',
      '--retries',
      '0',
      '--json',
    ];
    const { status } = await service.run(line, { dir: folder, fault });
    return { status, result: await readFile(join(folder, 'result.csv'), 'utf8') };
  };
  /** The requests of the only entry of the journal. */
  const changesIn = async () => (await service.run(['history', 'list', '-o', 'json'], { dir: folder })).json[0].changes;
  return { run, changesIn };
}

const changes = ({ method }: Request, fault: Fault) => (method === 'GET' ? undefined : fault);

test('a person who was invited without an answer counts as invited', async () => {
  const { run } = await begin('email,role\nnew@example.org,edit\n');

  const { status, result } = await run(['invites', 'send', '--from', 'people.csv'], (request) =>
    changes(request, { lost: 'answer' }),
  );

  expect(status).toBe(0);
  expect(result).toBe('email,role,result,reason\nnew@example.org,edit,invited,\n');
});

test('if the service can no longer be reached, the result is unknown', async () => {
  const { run } = await begin('user,role\nmia@example.org,edit\n');
  let isGone = false;

  const { status, result } = await run(['members', 'edit', '--from', 'people.csv'], ({ method }) => {
    isGone ||= method !== 'GET';
    return isGone ? { lost: 'answer' } : undefined;
  });

  expect(status).toBe(8);
  expect(result).toContain('mia@example.org,edit,unknown,The connection is gone; it may have been changed');
});

test.each(['edit', 'sync'])(
  'Ctrl-C while members %s changes a role: the file says that it was changed',
  async (command) => {
    const { run } = await begin('user,role\nmia@example.org,edit\n');
    const words = command === 'edit' ? ['members', 'edit', '--from', 'people.csv'] : ['members', 'sync', 'people.csv'];

    const { status, result } = await run(words, (request) => changes(request, { interrupt: 'answer' }));

    expect(status).toBe(130);
    expect(result).toContain('mia@example.org,edit,changed,');
  },
);

test('a file whose only row names nobody has a result for it', async () => {
  const { run } = await begin('user,role\nid:nobody,edit\n');

  const { status, result } = await run(['members', 'edit', '--from', 'people.csv'], () => undefined);

  expect(status).toBe(8);
  expect(result).toContain('refused,is not a member of the organization');
});

test.for([
  ['the connection breaks after it', { lost: 'answer' }, 'removed', 'done'],
  ['Ctrl-C after it', { interrupt: 'answer' }, 'removed', 'done'],
  ['Ctrl-C before it', { interrupt: 'request' }, '"sent, answer unknown"', 'no response'],
] as const)('of a removal, the result file and the journal say the same: %s', async ([, fault, word, recorded]) => {
  const { run, changesIn } = await begin('');

  const { result } = await run(['members', 'remove', 'mia@example.org', 'nobody@example.org'], ({ method }) =>
    method === 'DELETE' ? fault : undefined,
  );

  expect(result).toContain(`mia@example.org,${word},`);
  expect(result).toContain('nobody@example.org,failed,');
  const [removal] = await changesIn();
  expect(removal.status === undefined ? 'no response' : 'done').toBe(recorded);
});

test('a change of a role without an answer is read back before it counts as failed', async () => {
  const { run, changesIn } = await begin('');

  const { status, result } = await run(['members', 'edit', 'mia@example.org', '--role', 'edit'], (request) =>
    changes(request, { lost: 'answer' }),
  );

  expect(status).toBe(0);
  expect(result).toContain('mia@example.org,changed,');
  expect(await changesIn()).toMatchObject([{ before: { role: 'read' }, after: { role: 'edit' }, status: 200 }]);
});

test('Ctrl-C while the value before a change is read: nothing was sent, and the journal has no request', async () => {
  const { run, changesIn } = await begin('');
  const words = ['members', 'edit', 'mia@example.org', 'nobody@example.org', '--role', 'edit'];
  await run(words, () => undefined);

  const { status, result } = await run(words, ({ method, path }) =>
    method === 'GET' && /\/members\/[^/?]+$/.test(path) ? { interrupt: 'request' } : undefined,
  );

  expect(status).toBe(130);
  expect(result).toContain('mia@example.org,not tried,\n');
  expect(await changesIn()).toHaveLength(1);
});
