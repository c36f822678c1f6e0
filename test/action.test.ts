import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { parse } from 'yaml';
import { root } from './support/cli.ts';
import { test as base } from './support/in-process.ts';
import { type Ran, Runner, type Step } from './support/github/runner.ts';
import { makeTools, type Tools } from './support/github/tools.ts';

/** A job on a runner of GitHub with one step: the action. */
interface Job {
  workspace: string;
  tools: Tools;
  /** Runs the action with these inputs. */
  run(inputs: Record<string, string>, github?: Record<string, unknown>, index?: number): Promise<Ran>;
  runSteps(steps: Step[], github?: Record<string, unknown>, index?: number): Promise<Ran>;
  titles(): Promise<string[]>;
}

const pullRequest = { event_name: 'pull_request', event: { pull_request: { number: 12 } } };

const test = base.extend<{ job: Job }>({
  job: async ({ home, docsctl }, use) => {
    const workspace = join(home.dir, 'repository');
    await mkdir(workspace);
    const tools = await makeTools(home.dir);
    const url = `embedded:${join(home.dir, 'data', 'local.db')}`;
    const { PATH: _, ...settings } = home.env;
    // Only what the action installs is called docsctl.
    const machine = join(home.dir, 'machine');
    await mkdir(machine);
    for (const name of ['npm', 'gh']) {
      await writeFile(join(machine, name), await readFile(join(tools.folder, name)), { mode: 0o755 });
    }
    let count = 0;
    const upload = join(home.dir, 'upload-artifact');
    await mkdir(upload);
    await writeFile(join(upload, 'action.yml'), uploadAction);
    const runSteps = (steps: Step[], github: Record<string, unknown> = {}, index = 0) =>
      new Runner({
        workspace,
        folder: join(home.dir, `runner-${++count}`),
        env: { ...settings, PATH: `${machine}:/usr/bin:/bin`, DOCSCTL_URL: url },
        github: { repository: 'me/docs', ...github },
        index,
        actions: { 'me/docsctl': root, 'actions/upload-artifact': upload },
      }).job(steps);
    await use({
      workspace,
      tools,
      runSteps,
      run: (inputs, github, index) => runSteps([{ id: 'docs', uses: 'me/docsctl@main', with: inputs }], github, index),
      titles: async () => (await docsctl('spaces', 'list', '--json')).json.map(({ title }: any) => title),
    });
  },
});

/** In place of the action of GitHub, which uploads the folder. */
const uploadAction = `
inputs: { name: {}, path: {}, overwrite: {}, if-no-files-found: {} }
outputs: { artifact-url: { value: "\${{ steps.upload.outputs.url }}" } }
runs:
  using: composite
  steps:
    - id: upload
      shell: bash
      env: { FOLDER: "\${{ inputs.path }}", NAME: "\${{ inputs.name }}" }
      run: |
        grep -q Pumps "$FOLDER/index.html"
        echo "url=https://github.example/artifacts/$NAME" >> "$GITHUB_OUTPUT"
`;

const petstore = (title: string) =>
  `openapi: 3.0.3\ninfo: { title: ${title}, version: 1.0.0, description: x, license: { name: MIT, url: https://x.example } }\nservers: [{ url: https://api.example }]\npaths: {}\n`;

test('commands keep their quotes, apostrophes, comments, backslashes and blank lines', async ({ job }) => {
  const ran = await job.run({
    commands: [
      '# Spaces of all kinds.',
      'docsctl spaces create --title "It\'s \\"new\\"" -o id',
      '',
      '   ',
      "spaces create --title 'C:\\pumps\\new' -o id # a path",
      'spaces create --title Pumps\\ \\#1 -o id',
      'spaces create --title "$(touch pwned) `touch pwned` $HOME" \\',
      '  -o id',
      'spaces create --title "a; touch pwned" -o id',
      "spaces create --title '日本 🙂 ünï' -o id",
      "spaces create --title 'EOF' -o id",
      'spaces create --title "two',
      'lines" -o id',
      '\tspaces create --title "tab\there" -o id\r',
    ].join('\n'),
  });

  expect(ran.exitCode, ran.log).toBe(0);
  expect((await job.titles()).toSorted()).toEqual(
    [
      'It\'s "new"',
      'C:\\pumps\\new',
      'Pumps #1',
      '$(touch pwned) `touch pwned` $HOME',
      'a; touch pwned',
      '日本 🙂 ünï',
      'EOF',
      'two\nlines',
      'tab\there',
    ].toSorted(),
  );
  expect(await readdir(job.workspace)).toEqual([]);
});

test('every input reaches the scripts as a variable', async () => {
  const { runs } = parse(await readFile(join(root, 'action.yml'), 'utf8')) as { runs: { steps: Step[] } };

  expect(runs.steps.filter(({ run }) => run?.includes('${{'))).toEqual([]);
});

test('hostile inputs are text', async ({ job }) => {
  const hostile = '"; touch pwned; $(touch pwned) `touch pwned` \' \n touch pwned\n';
  for (const name of ['version', 'package', 'files', 'mode', 'profile', 'url', 'token', 'keep-going', 'pr-comment']) {
    await job.run({ commands: 'whoami', [name]: hostile }, pullRequest);
  }
  await job.runSteps([{ uses: 'me/docsctl@main', with: { commands: 'whoami', 'pr-comment': 'true' } }], {
    ...pullRequest,
    workflow: '--> $(touch pwned) "',
    job: "'; touch pwned",
  });

  expect(await readdir(job.workspace)).toEqual([]);
  expect((await job.tools.comments())[0]?.body).toMatch(/^<!-- docsctl [\d-]+ -->\n### Commands\n/);
});

test('a failure ends the action with its status; keep-going runs the rest', async ({ job }) => {
  const commands = 'spaces view nowhere\nspaces create --title After -o id';
  const stopped = await job.run({ commands });
  const before = await job.titles();
  const continued = await job.run({ commands, 'keep-going': 'true' });

  expect([stopped.exitCode, continued.exitCode]).toEqual([5, 8]);
  expect([before, await job.titles()]).toEqual([[], ['After']]);
  expect(stopped.log).toContain(
    '::error title=docsctl run::line 1: docsctl spaces view nowhere: status 5: Space "nowhere" not found',
  );
  expect(stopped.summary).toContain('| 2 | ` docsctl spaces create --title After -o id ` | not run |');
});

test('a list with a mistake, or without a command, runs nothing and says where', async ({ job }) => {
  const mistaken = await job.run({ commands: "spaces create --title A\nspaces create --title Don't" });
  const empty = await job.run({});

  expect([mistaken.exitCode, empty.exitCode]).toEqual([2, 2]);
  expect(mistaken.log).toContain("standard input:2: The quote ' in column 26 is not closed.");
  expect(mistaken.summary).toContain("| 2 | The quote ' in column 26 is not closed. |");
  expect(empty.log).toContain('contains no commands');
  expect(await job.titles()).toEqual([]);
});

test('outputs are those of the commands; several specifications are JSON', async ({ job, docsctl }) => {
  await writeFile(join(job.workspace, 'pets.yaml'), petstore('Pets'));
  await writeFile(join(job.workspace, 'pumps.yaml'), petstore('Pumps'));
  await writeFile(
    join(job.workspace, '.docsctl.yaml'),
    'openapi:\n  - { slug: pets, path: pets.yaml }\n  - { slug: pumps, path: pumps.yaml }\n',
  );
  await mkdir(join(job.workspace, 'docs'));
  await writeFile(join(job.workspace, 'docs', 'README.md'), '# Welcome\n');
  const space = (await docsctl('spaces', 'create', '--title', 'Docs', '-o', 'id')).stdout.trim();

  const one = await job.run({ commands: 'openapi publish pets.yaml --slug pets --wait' });
  const all = await job.run({
    commands: `openapi publish --wait\ncontent push docs --new Docs --space ${space}`,
  });
  const each = await job.run({
    commands: 'openapi publish pets.yaml --slug a --wait\nopenapi publish pets.yaml --slug b --wait',
  });

  const { version = '', url = '' } = one.outputs.docs!;
  expect(one.outputs.docs).toEqual({
    preview: '',
    slug: 'pets',
    result: 'created',
    changes: '',
    removals: '',
    version: expect.stringMatching(/^\w{12}$/),
    specifications: JSON.stringify([{ slug: 'pets', result: 'created', state: 'complete', version, url }]),
    'change-request': '',
    revision: version,
    url: expect.stringMatching(/^http/),
  });
  expect(all.exitCode, all.log).toBe(0);
  expect(JSON.parse(all.outputs.docs!.slug!)).toEqual(['pets', 'pumps']);
  expect(JSON.parse(all.outputs.docs!.version!)).toEqual([version, expect.stringMatching(/^\w{12}$/)]);
  expect(JSON.parse(all.outputs.docs!.specifications!)).toMatchObject([
    { slug: 'pets', result: 'unchanged' },
    { slug: 'pumps', result: 'created' },
  ]);
  // Those of the last command that has them.
  expect(all.outputs.docs).toMatchObject({ 'change-request': '1', result: 'draft' });
  expect(JSON.parse(each.outputs.docs!.specifications!)).toMatchObject([{ slug: 'a' }, { slug: 'b' }]);
  expect(each.outputs.docs!.slug).toBe('b');
});

test('the page of the run has the findings of a check that fails', async ({ job }) => {
  await writeFile(join(job.workspace, 'bad.yaml'), petstore('Pets').replace('paths: {}', 'paths: { /pets: 5 }'));

  const validated = await job.run({ commands: 'openapi validate bad.yaml' });
  const published = await job.run({ commands: 'openapi publish bad.yaml' });

  for (const ran of [validated, published]) {
    expect(ran.exitCode).toBe(9);
    expect(ran.log).toMatch(/^::error file=bad\.yaml,line=4,/m);
    expect(ran.summary).toMatch(/^### .*\d errors?.* in bad\.yaml$/m);
    expect(ran.summary).toMatch(/^\| error \| bad\.yaml:4 \|/m);
    expect(ran.summary).toMatch(/^\| 1 \| ` docsctl openapi \w+ bad\.yaml ` \| status 9: /m);
  }
});

test('the default version is that of the action, and is installed outside of the checkout', async ({ job }) => {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  await job.run({ commands: 'whoami' });
  await job.run({ commands: 'whoami', version: '9.9' });

  const calls = await job.tools.npmCalls();
  expect(calls.map(({ words }) => words.at(-1))).toEqual([`docsctl@${version}`, 'docsctl@9.9']);
  expect(calls.filter(({ cwd }) => cwd.startsWith(job.workspace))).toEqual([]);
  expect(calls[0]!.words).toContain('--ignore-scripts');
});

test('a release archive or a folder is installed instead of the npm package', async ({ job }) => {
  await writeFile(join(job.workspace, 'docsctl 1.tgz'), '');
  const archive = await job.run({ commands: 'whoami', package: 'docsctl 1.tgz', version: '9.9' });
  const folder = await job.run({ commands: 'whoami', package: job.workspace });
  const url = await job.run({ commands: 'whoami', package: 'https://a.example/docsctl.tgz' });
  const missing = await job.run({ commands: 'whoami', package: '--global $(touch pwned)' });

  expect(
    [archive, folder, url, missing].map(({ exitCode }) => exitCode),
    archive.log,
  ).toEqual([0, 0, 0, 1]);
  expect((await job.tools.npmCalls()).map(({ words }) => words.at(-1))).toEqual([
    join(job.workspace, 'docsctl 1.tgz'),
    job.workspace,
    'https://a.example/docsctl.tgz',
  ]);
  expect(missing.log).toContain('::error title=docsctl::The input "package" of the action names no file');
  expect(await readdir(job.workspace)).toEqual(['docsctl 1.tgz']);
});

test('Node.js is set up only where a version is asked for', async ({ job }) => {
  const [without, with24] = [await job.run({ commands: 'whoami' }), await job.run({ commands: 'whoami', node: '24' })];

  expect(without.steps.filter((name) => name.startsWith('actions/'))).toEqual([]);
  expect(with24.steps).toContainEqual(expect.stringMatching(/^actions\/setup-node@[0-9a-f]{40}$/));
});

test('the service, the token and the profile come from inputs, else from the job', async ({ job, home, docsctl }) => {
  const other = `embedded:${join(home.dir, 'other.db')}`;
  await docsctl('spaces', 'create', '--title', 'Here', '-o', 'id');
  const token = 'a-token-for-nobody';

  const fromJob = await job.run({ commands: 'spaces list --columns title' });
  const fromInputs = await job.run({ commands: 'spaces list -o json', url: other, token });
  const fromProfile = await job.run({ commands: 'spaces list --columns title', profile: 'local', url: other });
  const unknown = await job.run({ commands: 'whoami', profile: 'nobody' });

  expect(fromJob.log).toContain('Here');
  expect(fromInputs.log).toContain('[]');
  expect(fromInputs.log).not.toContain(token);
  expect(fromProfile.log).toContain('Here');
  expect(unknown.exitCode).toBe(5);
});

test('the commands run in the working directory, and later steps can call docsctl', async ({ job }) => {
  await mkdir(join(job.workspace, 'api'));
  await writeFile(join(job.workspace, 'api', 'pets.yaml'), petstore('Pets'));

  const ran = await job.runSteps([
    { uses: 'me/docsctl@main', with: { command: 'openapi validate pets.yaml', 'working-directory': 'api' } },
    { run: 'docsctl --version' },
  ]);

  expect(ran.exitCode, ran.log).toBe(0);
  expect(ran.log).toContain('"command": Use commands.');
  expect(ran.log).toMatch(/^\d+\.\d+\.\d+$/m);
});

test('of two jobs that overtake each other, the older one sends nothing', async ({ job, docsctl, home }) => {
  const origin = join(home.dir, 'origin');
  const env = { ...process.env, HOME: home.dir, GIT_CONFIG_GLOBAL: '/dev/null' };
  const git = (cwd: string, seconds: number, ...args: string[]) => {
    const date = `${seconds} +0000`;
    const dates = { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
    const settings = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org'];
    return execFileSync('git', [...settings, ...args], { cwd, env: { ...env, ...dates } })
      .toString()
      .trim();
  };
  const commit = async (seconds: number, text: string) => {
    await writeFile(join(origin, 'docs/a.md'), text);
    git(origin, seconds, 'add', '--all');
    git(origin, seconds, 'commit', '--quiet', '--message', 'Change');
    return git(origin, seconds, 'rev-parse', 'HEAD');
  };
  await mkdir(join(origin, 'docs'), { recursive: true });
  git(origin, 1_700_000_000, 'init', '--quiet', '--initial-branch=main');
  const commits = [await commit(1_700_001_000, '# A\n\nOne.\n'), await commit(1_700_002_000, '# A\n\nTwo.\n')];
  commits.push(await commit(1_700_003_000, '# A\n\nOne.\n'));
  const space = (await docsctl('spaces', 'create', '--title', 'Docs', '-o', 'id')).stdout.trim();
  /** A job with the clone that actions/checkout makes. */
  const jobOf = async (index: number, ...flags: string[]) => {
    await rm(job.workspace, { recursive: true });
    git(home.dir, 1_700_000_000, 'init', '--quiet', job.workspace);
    git(job.workspace, 1_700_000_000, 'remote', 'add', 'origin', `file://${origin}`);
    git(job.workspace, 1_700_000_000, 'fetch', '--quiet', '--depth=1', 'origin', commits[index]!);
    git(job.workspace, 1_700_000_000, 'checkout', '--quiet', '--detach', commits[index]!);
    return job.run({ commands: `content push docs --merge --space ${space} ${flags.join(' ')}` });
  };

  const first = await jobOf(0);
  const newest = await jobOf(2);
  const late = await jobOf(1);
  const skipped = await jobOf(1, '--if-stale', 'skip');
  await docsctl('content', 'pull', 'out', '--space', space);

  expect(first.exitCode, first.log).toBe(0);
  expect(newest.exitCode, newest.log).toBe(0);
  expect(late.exitCode, late.log).toBe(6);
  expect(late.log).toContain('is older than the last push');
  expect(skipped.exitCode, skipped.log).toBe(0);
  expect(skipped.outputs.docs).toMatchObject({ result: 'stale' });
  expect(await readFile(join(home.dir, 'out/a.md'), 'utf8')).toContain('One.');
});

test('mode check comments on what a pull request changes, in a clone of one commit', async ({ job, home }) => {
  const origin = join(home.dir, 'origin');
  const git = (cwd: string, ...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org', ...args], {
      cwd,
      env: { ...process.env, HOME: home.dir, GIT_CONFIG_GLOBAL: '/dev/null' },
    });
  const commit = async (files: Record<string, string | null>) => {
    for (const [name, text] of Object.entries(files)) {
      if (text === null) await rm(join(origin, name));
      else await writeFile(join(origin, name), text);
    }
    git(origin, 'add', '--all');
    git(origin, 'commit', '--quiet', '--message', 'Change');
  };
  const operation = (name: string) => `paths: { /${name}: { get: { responses: { 200: { description: ok } } } } }`;
  await mkdir(join(origin, "it's apis"), { recursive: true });
  git(origin, 'init', '--quiet', '--initial-branch=main');
  await commit({
    "it's apis/changed.yaml": petstore('Changed').replace('paths: {}', operation('a')),
    "it's apis/removed.yaml": '{ "swagger": "2.0", "info": { "title": "Old", "version": "1" }, "paths": {} }',
    'other.yaml': petstore('Other').replace('paths: {}', operation('a')),
  });
  git(origin, 'checkout', '--quiet', '-b', 'branch');
  await commit({
    "it's apis/changed.yaml": petstore('Changed').replace('paths: {}', operation('b')),
    "it's apis/removed.yaml": null,
    "it's apis/new.json": JSON.stringify({ openapi: '3.1.0', info: { title: 'New', version: '1' }, paths: {} }),
    'other.yaml': petstore('Other'),
  });
  git(origin, 'checkout', '--quiet', 'main');
  git(origin, 'merge', '--quiet', '--no-ff', 'branch', '--message', 'Merge');
  git(origin, 'update-ref', 'refs/pull/12/merge', 'HEAD');
  git(origin, 'reset', '--quiet', '--hard', 'HEAD^');
  git(job.workspace, 'init', '--quiet');
  git(job.workspace, 'remote', 'add', 'origin', `file://${origin}`);
  git(job.workspace, 'fetch', '--quiet', '--depth=1', 'origin', '+refs/pull/12/merge:refs/remotes/pull/12/merge');
  git(job.workspace, 'checkout', '--quiet', '--detach', 'refs/remotes/pull/12/merge');

  const inputs = { mode: 'check', files: "it's apis/*\n" };
  const first = await job.run(inputs, { ...pullRequest, base_ref: 'main' });
  const second = await job.run(inputs, { ...pullRequest, base_ref: 'main' });
  const silent = await job.run({ ...inputs, 'pr-comment': 'false' }, { ...pullRequest, base_ref: 'main' });
  const unknown = await job.run({ mode: 'chekc' });

  expect(
    [first, second, silent, unknown].map(({ exitCode }) => exitCode),
    first.log,
  ).toEqual([9, 9, 9, 2]);
  expect(first.summary).toContain('OpenAPI descriptions since origin/main: 1 new, 1 changed, 1 removed');
  expect(first.log).toMatch(/^::error file=it's apis\/changed\.yaml,line=4,.*title=path-removed::/m);
  expect(first.log).toContain('title=description-removed');
  expect(first.log).not.toContain('other.yaml');
  const comments = await job.tools.comments();
  expect(comments).toHaveLength(1);
  expect(comments[0]!.body).toContain('path-removed');
});

test('pr-comment writes one comment on the pull request and updates it', async ({ job }) => {
  const marker = (await commentAfter(job, { commands: 'whoami' }))[0]!.body.split('\n')[0]!;
  // Somebody else's, which must stay.
  await job.tools.addComment({ body: `${marker}\nmine`, viewerDidAuthor: false });
  const failed = await commentAfter(job, { commands: 'spaces view nowhere' });
  const otherJob = await commentAfter(job, { commands: 'whoami' }, { job: 'other' });

  expect(failed.map(({ body }) => body.split('\n').slice(1, 2))).toEqual([['mine'], ['### 1 of 1 commands failed']]);
  expect(otherJob).toHaveLength(3);
  expect(otherJob[1]!.body).toContain('status 5');
});

test('a preview is uploaded, and the comment has its address', async ({ job }) => {
  await mkdir(join(job.workspace, 'docs'));
  await writeFile(join(job.workspace, 'docs/README.md'), '# Pumps\n\nHow they work.\n');

  const run = (preview: string, index = 0) =>
    job.run({ commands: 'whoami', preview }, { ...pullRequest, job: 'docs' }, index);
  const missing = await run('nowhere');
  const [first] = await job.tools.comments();
  const ran = await run('docs');
  const comments = await job.tools.comments();
  const other = await run('docs', 1);

  const link = '[Preview of the pages](https://github.example/artifacts/docsctl-preview-docs-0)';
  expect(missing.exitCode).not.toBe(0);
  expect(first?.body).not.toContain('Preview');
  expect(ran.exitCode, ran.log).toBe(0);
  expect(ran.outputs['docs']).toMatchObject({ preview: 'https://github.example/artifacts/docsctl-preview-docs-0' });
  expect(ran.summary).toContain(link);
  expect(comments.map(({ body }) => body.includes(link))).toEqual([true]);
  expect(other.outputs['docs']).toMatchObject({ preview: 'https://github.example/artifacts/docsctl-preview-docs-1' });
  expect((await job.tools.comments()).map(({ body }) => body.includes('docsctl-preview-docs-1'))).toEqual([
    false,
    true,
  ]);
});

test('where no comment can be written, the action says so and keeps its status', async ({ job }) => {
  const inputs = { commands: 'spaces view nowhere', 'pr-comment': 'true' };
  const forbidden = await job.run({ ...inputs, 'github-token': 'a-token-of-a-fork' }, pullRequest);
  const pushed = await job.run(inputs);
  const unwanted = await job.run({ commands: 'whoami' }, pullRequest);

  expect(forbidden).toMatchObject({
    exitCode: 5,
    log: expect.stringContaining('::warning title=docsctl::The comment'),
  });
  expect(pushed).toMatchObject({ exitCode: 5, log: expect.stringContaining('::notice title=docsctl::No comment') });
  expect(unwanted.exitCode).toBe(0);
  expect(await job.tools.comments()).toEqual([]);
});

async function commentAfter(job: Job, inputs: Record<string, string>, github: Record<string, unknown> = {}) {
  await job.run({ ...inputs, 'pr-comment': 'true' }, { ...pullRequest, ...github });
  return job.tools.comments();
}

test('docs/ci.md names the inputs and outputs of the action', async () => {
  const action = parse(await readFile(join(root, 'action.yml'), 'utf8'));
  const page = await readFile(join(root, 'docs', 'ci.md'), 'utf8');

  const section = page.slice(page.indexOf('## GitHub action'), page.indexOf('## Docs'));
  const named = [...section.matchAll(/^\| (`.*?) \|(.*)\|$/gm)].flatMap(([, names, meaning]) => [
    ...names!.matchAll(/`([\w-]+)`/g),
    ...meaning!.matchAll(/\(`([\w-]+)` is its old name\)/g),
  ]);
  expect(named.map(([, name]) => name).toSorted()).toEqual(
    [...Object.keys(action.inputs), ...Object.keys(action.outputs)].toSorted(),
  );
});

test('the blocks of docs/ci.md work as they are written', async ({ job, home }) => {
  const page = await readFile(join(root, 'docs', 'ci.md'), 'utf8');
  const [github, gitlab] = [...page.matchAll(/^```yaml\n([^]*?)^```$/gm)].map(([, block]) => parse(block!));
  await mkdir(join(job.workspace, 'openapi'));
  await writeFile(join(job.workspace, 'openapi', 'petstore.yaml'), petstore('Pets'));
  const url = `embedded:${join(home.dir, 'data', 'local.db')}`;

  const ran = await job.runSteps([
    { ...github[0], uses: 'me/docsctl@main', with: { ...github[0].with, url } },
    // What GitLab runs, with a docsctl that is installed already.
    { run: gitlab.publish.script.slice(1).join('\n') },
  ]);

  expect(ran.exitCode, ran.log).toBe(0);
  expect(ran.outputs.docs).toMatchObject({ slug: 'petstore', result: 'created' });
  expect(ran.log).toContain('petstore is already published and unchanged');
});
