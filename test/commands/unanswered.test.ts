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
  return { run };
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
