import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeDemoFiles } from '../support/demo-files.ts';
import { type Demo, type DemoHome, makeDemo, runHere, serveHere } from '../support/shell.ts';
import { commandsOfTree, wordsOf } from '../support/tree.ts';

let demo: Demo;
let home: DemoHome;
let service: Awaited<ReturnType<typeof serveHere>>;
let between: Server;
/** What was found fault with since it was emptied. */
let faulty: string[] = [];
let notRefused: string[] = [];
let isQueryRefused = false;

beforeAll(async () => {
  demo = await makeDemo();
  home = await demo.copy();
  await writeDemoFiles(home.dir);
  service = await serveHere(home.database);
  between = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const url = new URL(request.url!, service.env.DOCSCTL_URL);
    const query = [...new Set(url.searchParams.keys())].filter((name) => !notRefused.includes(name));
    const body: unknown = chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : undefined;
    const details = [
      ...(body === undefined ? [] : pointersOf(body)).map((path) => ({ in: 'body', path })),
      ...(isQueryRefused ? query : []).map((path) => ({ in: 'query', path })),
    ].map((fault) => ({ ...fault, rule: 'reference', message: 'cannot stand' }));
    if (details.length > 0) {
      faulty.push(...details.map(({ path }) => path));
      response.writeHead(400, { 'content-type': 'application/json' });
      return response.end(JSON.stringify({ error: { code: 400, message: 'Refused.', reason: 'validation', details } }));
    }
    const answer = await fetch(url, {
      method: request.method!,
      headers: { authorization: request.headers.authorization!, accept: 'application/json' },
    });
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'application/json' });
    return response.end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise<void>((resolve) => between.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  between.close();
  await service.stop();
  await demo.remove();
});

/** Every place of a body that holds a plain value. */
function pointersOf(value: unknown, above = ''): string[] {
  if (typeof value !== 'object' || value === null) return [above];
  return Object.entries(value).flatMap(([name, inner]) => pointersOf(inner, `${above}/${name}`));
}

/**
 * `api` takes the request as it is, the changes of a push come from a folder, and some commands send only what they
 * say themselves.
 */
const isOwn =
  /^(api|access (list|matrix)|content (push|pull)|sites export|cr (open|archive|merge|diff)|comments (resolve|reopen)|init|serve.*|auth .*|profiles .*|config .*|completion .*|help|doctor|open|preview|export|plan|apply|drift|members (sync|offboard|restore)|access review .*|history.*|undo|twin create|rehearse|propose|proposals .*)$/;

const lines = (await commandsOfTree()).flatMap(({ path, command: { endpoint, examples = {} } }) =>
  isOwn.test(path)
    ? []
    : Object.values(examples).flatMap((run) => {
        const words = wordsOf(run);
        return words?.[0] !== 'docsctl' || /--dry-run|--as |--from |--web/.test(run)
          ? []
          : [{ run, words: words.slice(1), queries: endpoint ? [false, true] : [false] }];
      }),
);

/** Runs a line while the service finds fault with all it is sent. */
async function refused(words: string[]): Promise<string> {
  // Names are looked up with filters that no flag gave.
  const ofLookups = ['search', 'title', 'deleted', 'published'].filter((name) => !words.includes(`--${name}`));
  notRefused = ['limit', 'page', ...ofLookups];
  const { port } = between.address() as AddressInfo;
  const env = { ...home.env, DOCSCTL_URL: `http://127.0.0.1:${port}`, DOCSCTL_TOKEN: service.env.DOCSCTL_TOKEN! };
  faulty = [];
  const { stderr } = await runHere({ dir: home.dir, env }, [...words, '--yes', '-o', 'yaml']);
  return stderr;
}

test.each(lines)('$run: an invalid value is reported by its flag or argument', async ({ words, queries }) => {
  for (const isRefused of queries) {
    isQueryRefused = isRefused;
    const stderr = await refused(words);
    const lines = stderr.split('\n').filter((line) => line.endsWith(': cannot stand'));
    expect(lines.length > 0).toBe(faulty.length > 0);
    for (const line of lines) expect(line).toMatch(/^(error:| ) ?(\S+: )?(--[\w-]+|<[\w-]+>)( \S+)?: cannot stand$/);
  }
});

test.each([
  ['invites links create --role read --space nope', '--space: is not a space', 5],
  ['sites sections add nope --site lumensite001', '<space>: is not a space', 5],
  ['sites section-groups add learngroup01 nope --site lumensite001', '<section>: is not a section', 5],
  ['sites spaces add nope --site lumensite001', '<space>: is not a space', 5],
  ['sites spaces add playbook0001 --section nope --site lumensite001', '--section: is not a section', 5],
  ['comments create --space handbook0001 --body-file /dev/null', '--body-file: must not be blank', 6],
  ['teams members update writers00001 --role nobody=owner', '--role nobody: is not a member', 5],
  ['spaces create --data {"title":"x","parent":"nope"}', '--data /parent: ', 5],
  ['sites customization set --set styling.theme=nope --site lumensite001', '--set styling.theme: ', 6],
])('%s', async (line, message, status) => {
  const untouched = await demo.copy();
  const { exitCode, stderr } = await untouched.run(line.split(' '));

  expect(exitCode).toBe(status);
  expect(stderr).toContain(`error: ${message}`);
});
