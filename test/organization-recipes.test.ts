import { appendFile, chmod, copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { execa } from 'execa';
import { beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { root } from './support/cli.ts';
import { readJob, Runner } from './support/github/runner.ts';
import { makeTools } from './support/github/tools.ts';
import { type DemoHome, sharedDemo } from './support/shell.ts';

// The recipes for organizations, step by step: each job runs in a fresh clone, and shares only Git, the artifacts of the
// build server and the service with the others.

const { demo } = await sharedDemo();
let home: DemoHome;
let machine: Record<string, string>;
let comments: () => Promise<{ body: string }[]>;
let count = 0;

const at = (...path: string[]) => join(home.dir, ...path);
const remote = () => at('remote.git');
const issues = () => at('gh', 'issues.txt');

/** As much of gh as the workflows of organizations need; the other one keeps the comments. */
const gh = (other: string, folder: string) => `#!/bin/bash -e
case "$1 $2" in
  "run list") [[ "$*" != *"--commit $(cat ${folder}/commit) "* ]] || echo 7 ;;
  "run download") [ "$3" = 7 ] && cp ${folder}/plan.json plan.json ;;
  "issue list") if [ -f ${folder}/issues.txt ]; then echo 5; fi ;;
  "issue create" | "issue comment") echo "$2" >> ${folder}/issues.txt; cat "\${@: -1}" >> ${folder}/issues.txt ;;
  *) exec ${other} "$@" ;;
esac
`;

beforeEach(async () => {
  home = await demo.copy();
  const tools = await makeTools(home.dir);
  comments = tools.comments;
  await mkdir(at('gh'));
  await copyFile(join(tools.folder, 'gh'), at('gh', 'other'));
  await writeFile(join(tools.folder, 'gh'), gh(at('gh', 'other'), at('gh')));
  await chmod(join(tools.folder, 'gh'), 0o755);
  machine = {
    ...home.env,
    CI: 'true',
    PATH: `${tools.folder}:${process.env.PATH}`,
    DOCSCTL_URL: `embedded:${home.database}`,
  };
  await home.run(['export', join('work', 'organization')]);
  await git('work', 'init', '--quiet', '--initial-branch=main');
  await commit('work', 'Export');
  await git('.', 'clone', '--quiet', '--bare', 'work', 'remote.git');
  await git('remote.git', 'config', 'receive.advertisePushOptions', 'true');
  await git('work', 'remote', 'add', 'origin', remote());
});

const git = async (folder: string, ...words: string[]) =>
  (await execa('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org', ...words], { cwd: at(folder) }))
    .stdout;

async function commit(folder: string, message: string): Promise<string> {
  await git(folder, 'add', '--all');
  await git(folder, 'commit', '--quiet', '-m', message);
  return git(folder, 'rev-parse', 'HEAD');
}

/** A branch with an edit. @returns its commit */
async function push(branch: string, edit: () => Promise<void>): Promise<string> {
  await git('work', 'checkout', '--quiet', '-B', branch, 'main');
  await edit();
  const head = await commit('work', branch);
  await git('work', 'push', '--quiet', 'origin', branch);
  return head;
}

/** @returns the merge commit */
async function merge(branch: string, message: string): Promise<string> {
  await git('work', 'checkout', '--quiet', 'main');
  await git('work', 'merge', '--quiet', '--no-ff', '-m', message, branch);
  await git('work', 'push', '--quiet', 'origin', 'main');
  return git('work', 'rev-parse', 'HEAD');
}

/** A clone of the remote repository, as a runner has it. */
async function fresh(ref: string): Promise<string> {
  const name = `clone-${++count}`;
  await git('.', 'clone', '--quiet', remote(), name);
  await git(name, 'checkout', '--quiet', '--detach', ref);
  return name;
}

async function github(file: string, ref: string, event: Record<string, unknown>) {
  const clone = await fresh(ref);
  const { steps, env } = await readJob(join(root, 'examples', 'github', file));
  const vars = {
    DOCSCTL_URL: machine['DOCSCTL_URL']!,
    DOCSCTL_ORG: 'Lumen Docs',
    DOCSCTL_PROPOSER: 'admin@localhost',
  };
  const ran = await new Runner({
    workspace: at(clone),
    folder: at(`runner-${count}`),
    env: machine,
    github: { repository: 'me/docs', ...event },
    vars,
    secrets: { DOCSCTL_TOKEN: 'a-token-for-nobody', DOCSCTL_PROPOSE_TOKEN: 'a-token-for-nobody' },
    actions: { 'OWNER/docsctl': root },
  }).job(steps, env);
  return { ...ran, clone };
}

const event = (action: string, commits: { head: string; merged?: string }) => ({
  event_name: 'pull_request',
  event: {
    action,
    number: 12,
    pull_request: {
      number: 12,
      merged: commits.merged !== undefined,
      merge_commit_sha: commits.merged ?? '',
      head: { sha: commits.head },
      html_url: 'https://github.example/me/docs/pull/12',
    },
  },
});

const design = () => at('work', 'organization', 'teams', 'design.yaml');
const title = (text: string) => async () =>
  writeFile(design(), (await readFile(design(), 'utf8')).replace(/^title: .*/m, `title: ${text}`));
const titles = async () =>
  (await home.run(['teams', 'list', '-o', 'json'])).json.map((team: { title: string }) => team.title) as string[];

test('on GitHub, a proposal is applied after the merge, once and only with the effect that was reviewed', async () => {
  const policy = async () =>
    appendFile(at('work', 'organization', 'organization.yaml'), 'approval: { required: everything }\n');
  await policy();
  const applied = await home.run(['apply', at('work', 'organization'), '--yes']);
  expect(applied.exitCode, applied.stderr).toBe(0);
  await commit('work', 'Require approvals');
  const head = await push('drawing', title('Drawing'));

  const proposed = await github('propose-organization.yml', 'origin/drawing', event('opened', { head }));
  const again = await github('propose-organization.yml', 'origin/drawing', event('synchronize', { head: 'other' }));
  const merged = await merge('drawing', 'Merge');
  const done = await github('apply-proposal.yml', merged, event('closed', { head, merged }));
  const twice = await github('apply-proposal.yml', merged, event('closed', { head, merged }));
  const outdated = await github('apply-proposal.yml', merged, event('closed', { head: 'other', merged }));

  expect([proposed.exitCode, again.exitCode], proposed.log).toEqual([0, 0]);
  expect((await comments()).at(-1)?.body).toMatch(/This is proposal 2 \([0-9a-f]{64}\)/);
  expect(done.exitCode, done.log).toBe(0);
  expect(await titles()).toContain('Drawing');
  expect([twice.exitCode, outdated.exitCode]).not.toContain(0);
  expect(outdated.log).toContain('Changed since the plan was made: team design.');
  const { json } = await home.run(['proposals', 'view', '1', '-o', 'json']);
  expect(json).toMatchObject({ status: 'applied', result: { pullRequest: 'https://github.example/me/docs/pull/12' } });
});

test('on GitHub, a reviewed plan is applied after the merge, and drift opens one issue', async () => {
  const head = await push('drawing', async () => {
    await title('Drawing')();
    await appendFile(at('work', 'organization', 'spaces', 'handbook', 'content', 'glossary.md'), 'A new line.\n');
  });
  const planned = await github('plan-organization.yml', 'origin/drawing', event('opened', { head }));
  await copyFile(at(planned.clone, 'plan.json'), at('gh', 'plan.json'));
  await writeFile(at('gh', 'commit'), head);
  const merged = await merge('drawing', 'Merge');
  const applied = await github('apply-organization.yml', merged, event('closed', { head, merged }));
  const quiet = await github('drift-organization.yml', 'origin/main', { event_name: 'schedule' });
  const none = await readFile(issues(), 'utf8').catch(() => 'none');
  await home.run(['teams', 'edit', 'Drawing', '--title', 'In the app']);
  const drift = await github('drift-organization.yml', 'origin/main', { event_name: 'schedule' });
  const again = await github('drift-organization.yml', 'origin/main', { event_name: 'schedule' });

  expect(planned.exitCode, planned.log).toBe(0);
  expect(planned.outputs.plan).toMatchObject({ changes: '2', removals: '0' });
  expect(planned.log).toContain('::notice title=Plan::2 changes, of which 0 remove something');
  expect((await comments())[0]?.body).toContain('title: Design -> Drawing');
  expect(applied.exitCode, applied.log).toBe(0);
  expect(applied.outputs.apply).toMatchObject({ changes: '2' });
  expect([quiet.exitCode, none], quiet.log).toEqual([0, 'none']);
  expect([drift.exitCode, again.exitCode], drift.log).toEqual([0, 0]);
  const text = await readFile(issues(), 'utf8');
  expect(text.match(/^(?:create|comment)$/gm)).toEqual(['create', 'comment']);
  expect(text).toContain('title: In the app -> Drawing');
});

test('a plan that was reviewed before another merge is refused, and nothing is sent', async () => {
  const heads = { one: await push('one', title('One')), other: await push('other', title('Other')) };
  const plans = {
    one: await github('plan-organization.yml', 'origin/one', event('opened', { head: heads.one })),
    other: await github('plan-organization.yml', 'origin/other', event('opened', { head: heads.other })),
  };
  const apply = async (name: 'one' | 'other', merged: string) => {
    await copyFile(at(plans[name].clone, 'plan.json'), at('gh', 'plan.json'));
    await writeFile(at('gh', 'commit'), heads[name]);
    return github('apply-organization.yml', merged, event('closed', { head: heads[name], merged }));
  };
  const first = await apply('one', await merge('one', 'Merge'));
  await git('work', 'merge', '--quiet', '--no-ff', '-X', 'theirs', '-m', 'Merge', 'other');
  await git('work', 'push', '--quiet', 'origin', 'main');
  const second = await apply('other', await git('work', 'rev-parse', 'HEAD'));

  expect(first.exitCode, first.log).toBe(0);
  expect([second.exitCode, second.log]).toEqual([6, expect.stringContaining('Changed since the plan was made')]);
  expect(await titles()).toContain('One');
});

test('without a plan of the commit, nothing is downloaded and applied', async () => {
  const head = await push('drawing', title('Drawing'));
  await writeFile(at('gh', 'commit'), 'another');
  const merged = await merge('drawing', 'Merge');

  const applied = await github('apply-organization.yml', merged, event('closed', { head, merged }));

  expect(applied.exitCode).not.toBe(0);
  expect(applied.log).toContain('::error::There is no plan of this commit.');
});

/** GitLab's API: a merge request with comments, and the artifacts of its pipeline. */
async function withApi(run: (url: string, notes: string[]) => Promise<void>): Promise<void> {
  const notes: string[] = [];
  const server = createServer((request, response) => {
    void buffer(request).then(async (body) => {
      const isPlan =
        request.url ===
        '/projects/3/jobs/artifacts/refs%2Fmerge-requests%2F12%2Fhead/raw/plan.json?job=plan-organization';
      if (request.method === 'POST' && request.url === '/projects/3/merge_requests/12/notes') notes.push(String(body));
      else if (!isPlan) response.statusCode = 404;
      response.end(isPlan ? await readFile(at('gh', 'plan.json')) : '{}');
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  try {
    await run(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, notes);
  } finally {
    server.close();
  }
}

test(
  'on GitLab, a reviewed plan is applied after the merge, and drift opens a merge request',
  { tags: 'curl' },
  async () => {
    const file = parse(await readFile(join(root, 'examples', 'gitlab', 'docsctl.gitlab-ci.yml'), 'utf8'));
    const job = async (name: string, ref: string, variables: Record<string, string>) => {
      const clone = await fresh(ref);
      const script = [...file.default.before_script, ...file[name].script].join('\n');
      const ran = await execa('bash', ['-eo', 'pipefail', '-c', script], {
        cwd: at(clone),
        env: {
          ...machine,
          GITLAB_CI: 'true',
          GITLAB_TOKEN: 'token-of-the-project',
          CI_PROJECT_DIR: at(clone),
          CI_PROJECT_ID: '3',
          DOCSCTL_ORG: 'Lumen Docs',
          ...variables,
        },
        extendEnv: false,
        reject: false,
        stdin: 'ignore',
        all: true,
      });
      expect(ran.exitCode, `${name}: ${ran.all}`).toBe(0);
      return clone;
    };

    await withApi(async (url, notes) => {
      await push('drawing', title('Drawing'));
      const api = { CI_API_V4_URL: url };
      const planned = await job('plan-organization', 'origin/drawing', { ...api, CI_MERGE_REQUEST_IID: '12' });
      await copyFile(at(planned, 'plan.json'), at('gh', 'plan.json'));
      const message = "Merge branch 'drawing' into 'main'\n\nDrawing\n\nSee merge request me/docs!12";
      const merged = await merge('drawing', message);
      const applied = await job('apply-organization', merged, { ...api, CI_COMMIT_MESSAGE: message });
      await home.run(['teams', 'edit', 'Drawing', '--title', 'In the app']);
      await job('drift-organization', 'origin/main', { DRIFT_REMOTE: remote() });

      expect(notes).toEqual([expect.stringContaining('title: Design -> Drawing')]);
      expect(await readFile(at(planned, 'docsctl.env'), 'utf8')).toContain('CHANGES=1\nREMOVALS=0\n');
      expect(await readFile(at(applied, 'docsctl.env'), 'utf8')).toContain('CHANGES=1\n');
      const shown = await git('remote.git', 'show', 'organization-drift:organization/teams/design.yaml');
      expect(shown).toContain('title: In the app\n');
      const files = await git('remote.git', 'diff', '--name-only', 'main', 'organization-drift');
      expect(files.split('\n').filter((name) => !name.endsWith('docsctl.lock.json'))).toEqual([
        'organization/teams/design.yaml',
      ]);

      // The last owner stays, and an export has nothing to write about that.
      await push('ends', async () => {
        await title('In the app')();
        const text = await readFile(design(), 'utf8');
        await writeFile(design(), text.replace(': owner', ': { role: owner, until: 2020-01-31 }'));
      });
      await job('drift-organization', await merge('ends', 'Merge'), { DRIFT_REMOTE: at('nowhere.git') });
    });
  },
);

test('every workflow for organizations is run here', async () => {
  const files = await readdir(join(root, 'examples', 'github'));
  const source = await readFile(import.meta.filename, 'utf8');
  for (const file of files.filter((name) => name.endsWith('-organization.yml'))) expect(source).toContain(file);
});
