import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { expect } from 'vitest';
import { parse } from 'yaml';
import { bin, type Home, root, test as base } from './support/cli.ts';
import { type Ran, readJob, Runner } from './support/github/runner.ts';
import { makeTools } from './support/github/tools.ts';

const petstore = join(
  dirname(createRequire(import.meta.url).resolve('@readme/oas-examples/package.json')),
  '3.0',
  'yaml',
  'petstore.yaml',
);

/** A checked-out repository on a build server, whose service is an embedded instance. */
interface Project {
  dir: string;
  space: string;
  org: string;
  docsctl(...words: string[]): Promise<{ exitCode?: number; stdout: unknown; stderr: unknown }>;
  /** Runs the commands of a workflow for GitHub as they stand. */
  github(file: string, event: Record<string, any>): Promise<Ran>;
  /** Runs the commands of a job for GitLab as they stand. */
  gitlab(job: string, variables?: Record<string, string>): Promise<Pick<Ran, 'exitCode' | 'log' | 'steps'>>;
  /** Of the pull request. */
  comments(): Promise<string[]>;
}

const test = base.extend<{ project: Project }>({ project: async ({ home }, use) => use(await projectIn(home)) });

async function projectIn(home: Home): Promise<Project> {
  const dir = join(home.dir, 'repository');
  await mkdir(join(dir, 'docs'), { recursive: true });
  await mkdir(join(dir, 'openapi'));
  await writeFile(join(dir, 'openapi', 'petstore.yaml'), await readFile(petstore));
  await writeFile(join(dir, 'docs', 'README.md'), '# Welcome\n');
  await writeFile(join(dir, 'people.csv'), 'email,role\nann@example.test,edit\nbob@example.test,\n');
  const tools = await makeTools(home.dir);
  const url = `embedded:${join(home.dir, 'test.db')}`;
  const env = { ...home.env, PATH: `${tools.folder}:${process.env.PATH}`, CI: 'true', DOCSCTL_URL: url };
  let runs = 0;
  const shell = (script: string, more: Record<string, string>) =>
    execa('bash', ['-eo', 'pipefail', '-c', script], {
      cwd: dir,
      env: { ...env, ...more },
      extendEnv: false,
      reject: false,
      stdin: 'ignore',
      all: true,
    });
  const docsctl = (...words: string[]) =>
    execa(process.execPath, [bin, ...words], { cwd: dir, env, extendEnv: false, reject: false });
  const org = (JSON.parse((await docsctl('orgs', 'list', '--json')).stdout) as { id: string }[])[0]!.id;
  const space = (await docsctl('spaces', 'create', '--title', 'Docs', '-o', 'id')).stdout;

  return {
    dir,
    org,
    space,
    docsctl,
    comments: async () => (await tools.comments()).map(({ body }) => body),
    async github(file, event) {
      const { steps, env: jobEnv } = await readJob(join(root, 'examples', 'github', file));
      const settings = {
        workspace: dir,
        folder: join(home.dir, `runner-${++runs}`),
        env,
        github: { repository: 'me/docs', ...event },
        vars: { DOCSCTL_URL: url, DOCSCTL_ORG: org, DOCSCTL_SPACE: String(space) },
        secrets: { DOCSCTL_TOKEN: 'a-token-for-nobody' },
        actions: { 'OWNER/docsctl': root },
      };
      const ran = await new Runner(settings).job(steps, jobEnv);
      return { ...ran, steps: ran.steps.filter((name) => steps.some((step) => step.name === name)) };
    },
    async gitlab(name, variables = {}) {
      const file = parse(await readFile(join(root, 'examples', 'gitlab', 'docsctl.gitlab-ci.yml'), 'utf8'));
      const script = [...file.default.before_script, ...file[name].script].join('\n');
      const { exitCode, all } = await shell(script, {
        GITLAB_CI: 'true',
        CI_PROJECT_DIR: dir,
        DOCSCTL_ORG: org,
        DOCSCTL_SPACE: space,
        DOCSCTL_TOKEN: 'a-token-for-nobody',
        ...variables,
      });
      return { exitCode: exitCode ?? 1, log: String(all), steps: [name] };
    },
  };
}

const gitIn =
  (cwd: string) =>
  (...words: string[]) =>
    execa('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org', ...words], { cwd });

const pullRequest = (action: string, merged = false) => ({
  event_name: 'pull_request',
  event: { action, number: 12, pull_request: { number: 12, merged } },
});

test('publish-openapi.yml checks pull requests and publishes pushes', async ({ project }) => {
  const checked = await project.github('publish-openapi.yml', pullRequest('opened'));
  const published = await project.github('publish-openapi.yml', { event_name: 'push' });

  expect(checked).toMatchObject({ exitCode: 0, steps: ['Check'] });
  expect(published.exitCode, published.log).toBe(0);
  expect(published.log).toMatch(/^Version \w{12} \(created\) is at http/m);
  expect(published.summary).toContain('| created | complete |');
  expect(await project.comments()).toEqual([expect.stringContaining('openapi validate openapi/petstore.yaml')]);
  expect((await project.docsctl('openapi', 'list', '-o', 'id')).stdout).toBe('petstore');
});

test('check-openapi.yml checks a new, a changed and a removed description in a clone of one commit', async ({
  project,
}) => {
  const git = gitIn(project.dir);
  const remote = join(project.dir, '..', 'remote.git');
  const operation = (name: string) =>
    `openapi: 3.0.3\ninfo: { title: ${name}, version: "1" }\npaths: { /${name}: { get: { responses: { 200: { description: ok } } } } }\n`;
  const write = (name: string, text: string) => writeFile(join(project.dir, 'apis', name), text);
  await mkdir(join(project.dir, 'apis'));
  await write('changed.yaml', operation('a'));
  await write('removed.yaml', operation('a'));
  await git('init', '--quiet', '--initial-branch=main');
  await git('add', 'apis');
  await git('commit', '--quiet', '--message', 'Add');
  await git('checkout', '--quiet', '-b', 'branch');
  await write('changed.yaml', operation('b'));
  await write('new.yaml', operation('c'));
  await git('rm', '--quiet', 'apis/removed.yaml');
  await git('add', 'apis');
  await git('commit', '--quiet', '--message', 'Change');
  await git('clone', '--quiet', '--bare', project.dir, remote);
  // As actions/checkout does it.
  await rm(join(project.dir, '.git'), { recursive: true });
  await rm(join(project.dir, 'apis'), { recursive: true });
  await git('init', '--quiet');
  await git('remote', 'add', 'origin', `file://${remote}`);
  await git('fetch', '--quiet', '--depth=1', 'origin', '+refs/heads/branch:refs/remotes/pull/12/merge');
  await git('checkout', '--quiet', '--detach', 'refs/remotes/pull/12/merge');

  const ran = await project.github('check-openapi.yml', { ...pullRequest('opened'), base_ref: 'main' });

  expect(ran).toMatchObject({ exitCode: 9, steps: ['Check'] });
  expect(ran.log).toMatch(/^::error file=apis\/changed\.yaml,.*title=path-removed::/m);
  expect(ran.log).toMatch(/^::error .*title=description-removed::.*apis\/removed\.yaml/m);
  expect(ran.summary).toContain('since origin/main: 1 new, 1 changed, 1 removed');
  expect(await project.comments()).toEqual([expect.stringContaining('path-removed')]);
});

test('preview-docs.yml keeps one change request a pull request, and merges it', async ({ project }) => {
  const opened = await project.github('preview-docs.yml', pullRequest('opened'));
  await writeFile(join(project.dir, 'docs', 'more.md'), '# More\n');
  const pushed = await project.github('preview-docs.yml', pullRequest('synchronize'));
  const merged = await project.github('preview-docs.yml', pullRequest('closed', true));
  const again = await project.github('preview-docs.yml', pullRequest('closed', true));

  expect(opened.log, opened.log).toContain('::notice title=Preview::Change request #1, http');
  expect(opened.log).not.toContain('a-token-for-nobody');
  expect(pushed.log).toContain('Change request #1,');
  expect(merged.exitCode, merged.log).toBe(0);
  expect(again.exitCode, again.log).toBe(0);
  const pages = await project.docsctl('content', 'view', '--space', project.space, '--json');
  expect(JSON.parse(String(pages.stdout)).pages.map(({ title }: any) => title)).toEqual(['Welcome', 'More']);
});

test('preview-docs.yml archives the change request of a pull request that is closed', async ({ project }) => {
  await project.github('preview-docs.yml', pullRequest('opened'));

  const closed = await project.github('preview-docs.yml', pullRequest('closed'));

  expect(closed.exitCode, closed.log).toBe(0);
  const archived = await project.docsctl('cr', 'list', '--status', 'archived', '--space', project.space, '--json');
  expect(JSON.parse(String(archived.stdout))).toMatchObject([{ subject: 'Pull request #12' }]);
});

test('check-links.yml fails at a broken link', async ({ project }) => {
  const good = await project.github('check-links.yml', { event_name: 'schedule' });
  await writeFile(join(project.dir, 'docs', 'bad.md'), '# Bad\n\n[Gone](gone.md)\n');
  await project.docsctl('content', 'push', 'docs', '--merge', '--space', project.space);

  const bad = await project.github('check-links.yml', { event_name: 'schedule' });

  expect(good.exitCode, good.log).toBe(0);
  expect(bad.exitCode).toBe(9);
  expect(bad.log).toContain('::error title=link-broken::broken link to gone.md on page bad');
  expect(bad.summary).toContain('| broken | gone.md | bad |');
});

test('pages.yml exports the docs', async ({ project }) => {
  const run = await project.github('pages.yml', { event_name: 'push' });

  expect(run.exitCode, run.log).toBe(0);
  expect(await readFile(join(project.dir, 'public', 'index.html'), 'utf8')).toContain('Welcome');
  expect(await readFile(join(project.dir, 'public', 'sitemap.xml'), 'utf8')).toContain('https://owner.github.io/');
});

test('invite-people.yml invites those in the file, and can run again', async ({ project }) => {
  const first = await project.github('invite-people.yml', { event_name: 'push' });
  const again = await project.github('invite-people.yml', { event_name: 'push' });

  expect(first.exitCode, first.log).toBe(0);
  expect(again.exitCode, again.log).toBe(0);
  const members = await project.docsctl('members', 'list', '--json');
  const roles = JSON.parse(String(members.stdout)).map(({ user, role }: any) => [user.email, role]);
  expect(roles).toEqual(
    expect.arrayContaining([
      ['ann@example.test', 'edit'],
      ['bob@example.test', 'read'],
    ]),
  );
});

test('the jobs for GitLab do the same', async ({ project }) => {
  const branch = { CI_COMMIT_REF_NAME: 'pumps' };
  const main = { CI_COMMIT_REF_NAME: 'main', CI_COMMIT_MESSAGE: "Merge branch 'pumps' into 'main'\n\nPumps" };
  const ran = [
    await project.gitlab('check-openapi'),
    await project.gitlab('publish-openapi'),
    await project.gitlab('check-docs'),
    await project.gitlab('preview-docs', branch),
    await project.gitlab('merge-docs', main),
    await project.gitlab('pages', { CI_PAGES_URL: 'https://lumen.gitlab.example/docs' }),
    await project.gitlab('check-links'),
    await project.gitlab('invite-people'),
  ];

  expect(ran.map(({ exitCode, log, steps }) => [steps[0], exitCode, exitCode === 0 ? '' : log])).toEqual(
    ran.map(({ steps }) => [steps[0], 0, '']),
  );
  const merged = await project.docsctl('cr', 'list', '--status', 'merged', '--space', project.space, '--json');
  expect(JSON.parse(String(merged.stdout))).toMatchObject([{ number: 1, subject: 'Branch pumps' }]);
  expect(await readFile(join(project.dir, 'docsctl.env'), 'utf8')).toMatch(/^CHANGE_REQUEST=1$/m);
});

test('every workflow is run here', () => {
  const files = readdirSync(join(root, 'examples', 'github')).toSorted();

  // test/organization-recipes.test.ts runs the workflows of organizations.
  expect(files.filter((file) => !/-organization\.yml$|^apply-proposal\.yml$/.test(file))).toEqual([
    'check-links.yml',
    'check-openapi.yml',
    'invite-people.yml',
    'pages.yml',
    'preview-docs.yml',
    'publish-openapi.yml',
  ]);
});

test('every action is pinned to a commit, since a tag can be moved', async () => {
  const folders = ['.github', '.ci', 'docs', 'examples'].filter((name) => existsSync(join(root, name)));
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  const texts = await Promise.all(
    [join(root, 'action.yml'), join(root, 'README.md'), ...files].map((file) => readFile(file, 'utf8')),
  );
  const uses = texts.flatMap((text) => [...text.matchAll(/^[\s-]*uses:\s*(.+)$/gm)].map(([, name]) => name!));
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const others = uses.filter((name) => name !== `OWNER/docsctl@COMMIT # v${version}`);
  expect(others.length).toBeGreaterThan(3);
  expect(others.filter((name) => !/^\.\/|^[\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(name))).toEqual([]);
});
