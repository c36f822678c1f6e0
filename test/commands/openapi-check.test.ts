import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { test as base } from '../support/in-process.ts';
import { listen } from '../support/service.ts';
import { writeFiles } from '../support/write-files.ts';

const api = (...names: string[]) =>
  [
    'openapi: 3.0.3',
    'info: { title: Pets, version: "1", license: { name: MIT, url: https://a.test } }',
    'servers: [{ url: https://a.test }]',
    'security: []',
    'paths:',
    ...names.map(
      (name) =>
        `  /${name}:\n    get: { operationId: ${name}, summary: Get it, responses: { 200: { description: Fine }, 400: { description: No } } }`,
    ),
    '',
  ].join('\n');
/** Its schema is in another file. */
const withParts = api('part').replace(
  '200: { description: Fine }',
  '200: { description: Fine, content: { application/json: { schema: { $ref: parts/pet.yaml } } } }',
);

type Files = Record<string, string | null>;

interface Repository {
  dir: string;
  git(...words: string[]): string;
  /** Writes files, or deletes them, and commits them. */
  commit(files: Files): Promise<void>;
}

const test = base.extend<{ repository: Repository }>({
  repository: async ({ home }, use) => {
    const dir = join(home.dir, 'repository');
    execFileSync('git', ['init', '--quiet', '--initial-branch=main', dir]);
    const git = (...words: string[]) => gitIn(dir, ...words);
    const commit = async (files: Files) => {
      for (const [path, text] of Object.entries(files)) {
        if (text === null) await rm(join(dir, path));
        else await writeFiles(dir, { [path]: text });
      }
      git('add', '--all');
      git('commit', '--quiet', '--allow-empty', '--message', 'Change');
    };
    await use({ dir, git, commit });
  },
});

function gitIn(cwd: string, ...words: string[]): string {
  const settings = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org', '-c', 'protocol.file.allow=always'];
  return execFileSync('git', [...settings, ...words], { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
    .toString()
    .trim();
}

const before: Files = {
  'README.md': 'openapi: 3.0.3\n',
  'apis/changed.yaml': api('a', 'b', 'x', 'y'),
  'apis/same.yaml': api('a'),
  'apis/removed.yaml': api('a'),
  'apis/with-parts.yaml': withParts,
  'apis/parts/pet.yaml': 'type: object\nproperties: { name: { type: string } }\n',
  'other/legacy.yaml': api('a'),
};

/** A branch with a new, a changed and a removed description, and one with a changed part. */
async function changeAll({ git, commit }: Repository): Promise<void> {
  await commit(before);
  git('checkout', '--quiet', '-b', 'branch');
  await commit({
    'apis/changed.yaml': api('a', 'x', 'y'),
    'apis/removed.yaml': null,
    'apis/parts/pet.yaml': 'type: object\nproperties: { name: { type: string, nullable: true } }\n',
    'apis/new.yaml': api('n', 'o', 'p', 'q', 'r').replace('Pets', 'Numbers'),
  });
  // The target branch goes on, which is no change of this one.
  git('checkout', '--quiet', 'main');
  await commit({ 'other/legacy.yaml': api('a', 'z'), 'apis/same.yaml': api('a', 'z') });
  git('checkout', '--quiet', 'branch');
}

describe('openapi check --base', () => {
  test('compares what the branch changes with the merge base', async ({ docsctl, repository }) => {
    await changeAll(repository);

    const run = await docsctl('openapi', 'check', '--base', 'main', '--json', { cwd: repository.dir });

    expect(run.exitCode, run.stderr).toBe(9);
    const rows: any[] = run.json;
    const about = (path: string) => rows.filter(({ description }) => description === path);
    expect(about('apis/changed.yaml')).toMatchObject([
      { kind: 'changed', level: 'breaking', rule: 'path-removed', before: { file: 'main:apis/changed.yaml' } },
    ]);
    expect(about('apis/removed.yaml')).toMatchObject([
      { kind: 'removed', level: 'breaking', rule: 'description-removed' },
    ]);
    expect(about('apis/with-parts.yaml').map(({ rule }) => rule)).toContain('response-null-widened');
    expect([...new Set(rows.map(({ description }) => description))].toSorted()).toEqual([
      'apis/changed.yaml',
      'apis/removed.yaml',
      'apis/with-parts.yaml',
    ]);
  });

  test('a part that was removed is reported in the file of the branch, where it was', async ({
    docsctl,
    repository,
  }) => {
    const parameter = 'parameters: [{ name: q, in: query, schema: { type: string } }], ';
    const withParts = (text: string) => text.replace('operationId: b', `${parameter}operationId: b`);
    await repository.commit({ 'pets.yaml': withParts(api('a', 'b')) });
    repository.git('checkout', '--quiet', '-b', 'branch');
    await repository.commit({ 'pets.yaml': api('a', 'b') });

    const run = await docsctl('openapi', 'check', '--base', 'main', {
      cwd: repository.dir,
      env: { GITHUB_ACTIONS: 'true' },
    });

    const at = (rule: string) => `::error file=pets.yaml,line=9,col=5,title=${rule}::`;
    expect(run.stderr).toContain(at('parameter-removed'));
    expect(run.stdout).toContain('was at main:pets.yaml:9:');
  });

  test('a new description is validated, and a branch without changes passes', async ({ docsctl, repository }) => {
    await repository.commit(before);
    repository.git('checkout', '--quiet', '-b', 'branch');
    const unchanged = await docsctl('openapi', 'check', '--base', 'main', { cwd: repository.dir });
    // Without a commit, too.
    await writeFile(join(repository.dir, 'apis/new.yaml'), api('n'));
    const fine = await docsctl('openapi', 'check', '--base', 'main', { cwd: repository.dir });
    await writeFile(join(repository.dir, 'apis/new.yaml'), api('n').replace('operationId: n', 'operationId: 1'));
    const wrong = await docsctl('openapi', 'check', '--base', 'main', { cwd: repository.dir });

    expect(unchanged).toMatchObject({ exitCode: 0, stdout: '', stderr: expect.stringContaining('no change') });
    expect(fine).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('since main: 1 new.') });
    expect(wrong).toMatchObject({ exitCode: 9, stdout: expect.stringMatching(/^apis\/new\.yaml:\d+:\d+ error /) });
  });

  test('a renamed description is compared with its old file', async ({ docsctl, repository }) => {
    await repository.commit(before);
    repository.git('checkout', '--quiet', '-b', 'branch');
    await rename(join(repository.dir, 'apis/changed.yaml'), join(repository.dir, 'apis/renamed.yaml'));
    await repository.commit({ 'apis/renamed.yaml': api('a', 'x', 'y') });

    const run = await docsctl('openapi', 'check', '--base', 'main', '--json', { cwd: repository.dir });
    const report = await docsctl('openapi', 'check', '--base', 'main', '--format', 'markdown', { cwd: repository.dir });

    expect(report.stdout).toContain('### main:apis/changed.yaml → apis/renamed.yaml: 1 breaking change');
    expect(run.json).toMatchObject([
      { description: 'apis/renamed.yaml', rule: 'path-removed', before: { file: 'main:apis/changed.yaml' } },
    ]);
  });

  test.for(['evil', 'e=vil'])('runs no filter that the repository names: %s', async (name, { docsctl, repository }) => {
    const { dir, git, commit } = repository;
    await commit({ 'pets.yaml': api('a'), '.gitattributes': `*.yaml filter=${name}\n` });
    for (const kind of ['clean', 'process']) git('config', `filter.${name}.${kind}`, `touch ${join(dir, 'ran')}; cat`);
    git('config', `filter.${name}.required`, 'true');
    await writeFile(join(dir, 'pets.yaml'), api('b'));

    const run = await docsctl('openapi', 'check', '--base', 'main', { cwd: dir });

    expect(run).toMatchObject({ exitCode: 9, stdout: expect.stringContaining('path-removed') });
    expect(existsSync(join(dir, 'ran'))).toBe(false);
  });

  test('takes files, folders, patterns and the project file', async ({ docsctl, repository }) => {
    await changeAll(repository);
    await writeFile(
      join(repository.dir, '.docsctl.yaml'),
      'openapi: [{ path: apis/new.yaml }, { path: apis/removed.yaml }]\n',
    );
    const checked = async (...words: string[]) => {
      const run = await docsctl('openapi', 'check', ...words, '--base', 'main', '--json', { cwd: repository.dir });
      return [run.exitCode, new Set(run.json.map(({ description }: any) => description))];
    };

    expect(await checked('apis/changed.yaml')).toEqual([9, new Set(['apis/changed.yaml'])]);
    expect(await checked('apis/r*.yaml', 'other')).toEqual([9, new Set(['apis/removed.yaml'])]);
    expect(await checked('apis/**/{new,same}.yaml')).toEqual([0, new Set()]);
    expect(await checked()).toEqual([9, new Set(['apis/removed.yaml'])]);
    const misspelled = await docsctl('openapi', 'check', 'apis/chnaged.yaml', '--base', 'main', {
      cwd: repository.dir,
    });
    expect(misspelled).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('apis/chnaged.yaml names no') });
  });

  test('accepted changes pass', async ({ docsctl, repository }) => {
    await changeAll(repository);
    const rules = ['path-removed', 'description-removed', 'response-null-widened'];
    await writeFile(
      join(repository.dir, 'approved.yaml'),
      rules.map((rule) => `- { rule: ${rule}, reason: Agreed, author: Ann }\n`).join(''),
    );

    const words = ['openapi', 'check', '--base', 'main'];
    const ignored = await docsctl(...words, '--ignore', 'approved.yaml', { cwd: repository.dir });
    const written = await docsctl(...words, '--write-baseline', 'known.json', { cwd: repository.dir });
    const known = await docsctl(...words, '--baseline', 'known.json', { cwd: repository.dir });

    expect([ignored.exitCode, written.exitCode, known.exitCode], ignored.stderr).toEqual([0, 0, 0]);
    expect(ignored.stderr).toContain('3 changes are ignored by approved.yaml.');
  });

  test('a broken description at the base does not block its repair', async ({ docsctl, repository }) => {
    await repository.commit({
      'api.yaml': 'openapi: 3.0.3\npaths: {\n',
      'refs.yaml': api('a').replace('{ description: Fine }', '{ $ref: "#/gone" }'),
    });
    repository.git('checkout', '--quiet', '-b', 'branch');
    await repository.commit({ 'api.yaml': api('a'), 'refs.yaml': api('a') });

    const run = await docsctl('openapi', 'check', '--base', 'main', { cwd: repository.dir });

    expect(run.exitCode, run.stdout).toBe(0);
    expect(run.stdout).toMatch(/^main:api\.yaml:\d+:\d+ warning /m);
    expect(run.stdout).toMatch(/^main:refs\.yaml:.* warning .*\(not-compared\)$/m);
  });
});

describe('in a clone of one commit', () => {
  /** What actions/checkout makes for a pull request: the merge commit, without its history. */
  const shallow = async (repository: Repository, dir: string) => {
    await changeAll(repository);
    for (let count = 0; count < 60; count++) repository.git('commit', '--quiet', '--allow-empty', '--message', 'More');
    repository.git('checkout', '--quiet', '--detach', 'main');
    repository.git('merge', '--quiet', '--no-ff', '--message', 'Merge', 'branch');
    repository.git('update-ref', 'refs/pull/12/merge', 'HEAD');
    execFileSync('git', ['init', '--quiet', dir]);
    gitIn(dir, 'remote', 'add', 'origin', `file://${repository.dir}`);
    gitIn(dir, 'fetch', '--quiet', '--depth=1', 'origin', '+refs/pull/12/merge:refs/remotes/pull/12/merge');
    gitIn(dir, 'checkout', '--quiet', '--detach', 'refs/remotes/pull/12/merge');
  };

  test('the missing history is fetched in CI, for the target of the pull request', async ({
    docsctl,
    home,
    repository,
  }) => {
    const dir = join(home.dir, 'clone');
    await shallow(repository, dir);
    const env = { GITHUB_ACTIONS: 'true', GITHUB_BASE_REF: 'main', GITHUB_WORKSPACE: dir };

    const run = await docsctl('openapi', 'check', '--json', { cwd: dir, env });

    expect(run.exitCode, run.stderr).toBe(9);
    expect(new Set(run.json.map(({ description }: any) => description))).toEqual(
      new Set(['apis/changed.yaml', 'apis/removed.yaml', 'apis/with-parts.yaml']),
    );
    expect(run.stderr).toContain('::error file=apis/changed.yaml,');
  });

  test('elsewhere, the error has the command that fetches it', async ({ docsctl, home, repository }) => {
    const dir = join(home.dir, 'clone');
    await shallow(repository, dir);

    const refused = await docsctl('openapi', 'check', '--base', 'origin/main', { cwd: dir });
    const [, command = ''] = /Run "git (.*?)"/.exec(refused.stderr) ?? [];
    gitIn(dir, ...command.split(' '));
    const run = await docsctl('openapi', 'check', '--base', 'origin/main', { cwd: dir });

    expect(refused.exitCode).toBe(2);
    expect(run.exitCode, run.stderr).toBe(9);
    expect(run.stderr).toContain('3 breaking changes');
  });

  test('a branch that does not exist is an error', async ({ docsctl, home, repository }) => {
    const dir = join(home.dir, 'clone');
    await shallow(repository, dir);

    for (const name of ['origin/nowhere', '--upload-pack=touch pwned']) {
      const run = await docsctl('openapi', 'check', `--base=${name}`, { cwd: dir, env: { CI: 'true' } });
      expect(run.exitCode, run.stderr).toBe(2);
    }
  });
});

describe('reports', () => {
  test('a summary, annotations and SARIF', async ({ docsctl, home, repository }) => {
    await changeAll(repository);
    const summary = join(home.dir, 'summary.md');
    const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary, GITHUB_WORKSPACE: repository.dir };

    const words = ['openapi', 'check', '--base', 'main', '--sarif', 'out.sarif'];
    const run = await docsctl(...words, { cwd: repository.dir, env });
    const markdown = await docsctl('openapi', 'check', '--base', 'main', '--format', 'markdown', {
      cwd: repository.dir,
    });

    const dry = await docsctl('openapi', 'check', '--base', 'main', '--sarif', 'dry.sarif', '--dry-run', {
      cwd: repository.dir,
    });

    expect(run.exitCode).toBe(9);
    expect(dry.stderr).toContain('Would write dry.sarif.');
    await expect(readFile(join(repository.dir, 'dry.sarif'))).rejects.toThrow('ENOENT');
    expect(run.stderr).toContain('::error file=apis/changed.yaml,line=5');
    expect(await readFile(summary, 'utf8')).toBe(`${markdown.stdout}\n`);
    expect(markdown.stdout).toContain('## OpenAPI descriptions since main: 1 new, 2 changed, 1 removed');
    expect(markdown.stdout).toContain('### apis/new.yaml: new');
    const sarif = JSON.parse(await readFile(join(repository.dir, 'out.sarif'), 'utf8'));
    expect(sarif.runs[0].results.map(({ ruleId }: any) => ruleId)).toContain('path-removed');
  });

  test('one comment on the pull request, which later runs update', async ({ docsctl, repository }) => {
    await changeAll(repository);
    const comments = [{ databaseId: 1, body: '', viewerDidAuthor: false }];
    const asked: string[] = [];
    const url = await listen(async (request, response) => {
      asked.push(`${request.method} ${request.url} ${request.headers.authorization}`);
      const body = JSON.parse(Buffer.concat(await request.toArray()).toString());
      const [, id] = /\/comments\/(\d+)$/.exec(request.url ?? '') ?? [];
      if (request.url === '/api/graphql') {
        expect(body.variables).toEqual({ owner: 'me', name: 'docs', number: 12 });
      } else if (id !== undefined) comments.find(({ databaseId }) => databaseId === Number(id))!.body = body.body;
      else comments.push({ databaseId: comments.length + 1, body: body.body, viewerDidAuthor: true });
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ data: { repository: { pullRequest: { comments: { nodes: comments } } } } }));
    });
    const env = {
      GITHUB_ACTIONS: 'true',
      GITHUB_API_URL: `${url}/api/v3`,
      GITHUB_GRAPHQL_URL: `${url}/api/graphql`,
      GITHUB_REPOSITORY: 'me/docs',
      GITHUB_REF: 'refs/pull/12/merge',
      GITHUB_WORKFLOW: 'CI --> x',
      GITHUB_JOB: 'check',
    };
    const words = ['openapi', 'check', '--base', 'main', '--comment'];
    const run = (token: string | undefined) =>
      docsctl(...words, {
        cwd: repository.dir,
        env: { ...env, ...(token === undefined ? {} : { GITHUB_TOKEN: token }) },
      });

    const first = await run('secret-token');
    // Somebody else's, which must stay.
    comments[0]!.body = comments[1]!.body;
    await repository.commit({ 'apis/changed.yaml': api('a', 'b', 'c', 'x', 'y') });
    const second = await run('secret-token');
    const without = await run(undefined);

    expect([first.exitCode, second.exitCode, without.exitCode], first.stderr).toEqual([9, 9, 2]);
    expect(comments).toHaveLength(2);
    expect(comments[0]!.body).toContain('path-removed');
    expect(comments[1]!.body).toMatch(/^<!-- docsctl [^>]* -->\n## OpenAPI descriptions since main/);
    expect(comments[1]!.body).toContain('path-added');
    expect(comments[1]!.body).not.toContain('path-removed');
    expect(asked[1]).toBe('POST /api/v3/repos/me/docs/issues/12/comments Bearer secret-token');
    expect(first.stderr + second.stderr).not.toContain('secret-token');
  });

  test('one comment on the merge request of GitLab', async ({ docsctl, home, repository }) => {
    await changeAll(repository);
    const notes: any[] = [];
    const url = await listen(async (request, response) => {
      const text = Buffer.concat(await request.toArray()).toString();
      const [, id] = /\/notes\/(\d+)$/.exec(request.url ?? '') ?? [];
      response.setHeader('content-type', 'application/json');
      if (request.headers['private-token'] !== 'secret') response.statusCode = 401;
      if (request.method === 'POST') notes.push({ id: 7, author: { id: 3 }, body: JSON.parse(text).body });
      if (request.method === 'PUT') notes.find((note) => note.id === Number(id)).body = JSON.parse(text).body;
      response.end(JSON.stringify(request.url === '/api/v4/user' ? { id: 3 } : notes));
    });
    const env = {
      GITLAB_CI: 'true',
      CI_PROJECT_DIR: home.dir,
      CI_API_V4_URL: `${url}/api/v4`,
      CI_PROJECT_ID: '5',
      CI_MERGE_REQUEST_IID: '8',
      CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
      GITLAB_TOKEN: 'secret',
    };
    repository.git('update-ref', 'refs/remotes/origin/main', 'main');

    const first = await docsctl('openapi', 'check', '--comment', { cwd: repository.dir, env });
    const second = await docsctl('openapi', 'check', '--comment', { cwd: repository.dir, env });

    expect([first.exitCode, second.exitCode], first.stderr).toEqual([9, 9]);
    expect(notes).toHaveLength(1);
    expect(notes[0].body).toContain('path-removed');
    expect(await readFile(join(home.dir, 'gl-code-quality-report.json'), 'utf8')).toContain('path-removed');
  });
});
