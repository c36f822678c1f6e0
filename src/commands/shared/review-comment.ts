import { readFileSync } from 'node:fs';
import type { Invocation } from '../../cli/command/command.ts';
import { CommandError, exit, UsageError } from '../../cli/program/failure.ts';
import type { RawAnswer } from '../../client/client.ts';
import { isObject } from '../../shared/is-object.ts';

type Session = Invocation<{}, {}>['session'];
type Env = Session['env'];

/** A comment of docsctl. */
interface Comment {
  id: string;
  body: string;
}

/** Where comments of a pull or merge request are. */
interface Host {
  /** The server of the API. */
  origin: string;
  headers: Record<string, string>;
  /** Those of this token, because anybody can write the marker. */
  list(send: Send): Promise<Comment[]>;
  create: [method: string, path: string];
  update(id: string): [method: string, path: string];
  /** Names the job in the marker. */
  job: string;
}

type Send = (method: string, path: string, body?: unknown) => Promise<RawAnswer>;

/** Longer comments are rejected. */
const maxLength = 60_000;

/** The comment of a job on a pull or merge request. Later runs of the job update it. */
export class ReviewComment {
  readonly #session: Session;
  readonly #host: Host;

  private constructor(session: Session, host: Host) {
    this.#session = session;
    this.#host = host;
  }

  /** @throws UsageError if this is no job for a pull or merge request, or a token is missing */
  static in(session: Session): ReviewComment {
    const { env } = session;
    const host = env.GITHUB_ACTIONS === 'true' ? gitHub(env) : env.GITLAB_CI === 'true' ? gitLab(env) : undefined;
    if (host) return new ReviewComment(session, host);
    throw new UsageError('--comment works in jobs for pull requests of GitHub and merge requests of GitLab only.');
  }

  /** @throws CommandError if it cannot be written */
  async write(markdown: string): Promise<void> {
    const { origin, headers, job, list, create, update } = this.#host;
    const client = await this.#session.clientFor(origin, undefined);
    const send: Send = (method, path, body) =>
      client.request(method, path, { headers, ...(body === undefined ? {} : { body }) });
    // Without the characters that would end the HTML comment.
    const marker = `<!-- docsctl ${job.replaceAll(/[^\w./ -]|--+/g, '_')} -->`;
    const cut = markdown.length > maxLength ? `${markdown.slice(0, maxLength)}\n\n... and more.` : markdown;
    try {
      const existing = (await list(send)).find(({ body }) => body.startsWith(marker));
      const [method, path] = existing ? update(existing.id) : create;
      await send(method, path, { body: `${marker}\n${cut}` });
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      throw new CommandError(`The comment was not written: ${error.message}`, {
        exitCode: exit.failed,
        hint: 'The token must be allowed to write comments. Pull requests from forks have no such token.',
        cause: error,
      });
    } finally {
      await client.close();
    }
  }
}

function partsOf(address: string): { origin: string; prefix: string } {
  const { origin, pathname } = new URL(address);
  return { origin, prefix: pathname.replace(/\/$/, '') };
}

const needed = (env: Env, ...names: string[]): string => {
  const value = names.map((name) => env[name]).find((text) => text);
  if (value !== undefined) return value;
  throw new UsageError(`--comment needs ${names.join(' or ')}, which is not set.`);
};

function gitHub(env: Env): Host {
  const repository = needed(env, 'GITHUB_REPOSITORY');
  const [owner, name] = repository.split('/');
  const number = pullRequestNumber(env);
  if (number === undefined) throw new UsageError('--comment needs a job for a pull request.');
  const { origin, prefix } = partsOf(env.GITHUB_API_URL || 'https://api.github.com');
  // On GitHub Enterprise Server, this address is not below the other one.
  const graphql = env.GITHUB_GRAPHQL_URL ? new URL(env.GITHUB_GRAPHQL_URL).pathname : `${prefix}/graphql`;
  const query = `query($owner:String!,$name:String!,$number:Int!){repository(owner:$owner,name:$name){pullRequest(number:$number){comments(last:100){nodes{databaseId body viewerDidAuthor}}}}}`;
  return {
    origin,
    headers: { authorization: `Bearer ${needed(env, 'GITHUB_TOKEN', 'GH_TOKEN')}` },
    job: `${env.GITHUB_WORKFLOW ?? ''}/${env.GITHUB_JOB ?? ''}`,
    async list(send) {
      const { body } = await send('POST', graphql, { query, variables: { owner, name, number } });
      const nodes = valueAt(body, 'data', 'repository', 'pullRequest', 'comments', 'nodes');
      if (!Array.isArray(nodes)) throw new CommandError('GitHub did not list the comments.');
      return nodes
        .filter((node) => isObject(node) && node.viewerDidAuthor === true)
        .map((node) => ({ id: String(node.databaseId), body: String(node.body) }));
    },
    create: ['POST', `${prefix}/repos/${repository}/issues/${number}/comments`],
    update: (id) => ['PATCH', `${prefix}/repos/${repository}/issues/comments/${id}`],
  };
}

function pullRequestNumber(env: Env): number | undefined {
  const [, number] = /^refs\/pull\/(\d+)\//.exec(env.GITHUB_REF ?? '') ?? [];
  if (number !== undefined) return Number(number);
  try {
    const event: unknown = JSON.parse(readFileSync(env.GITHUB_EVENT_PATH ?? '', 'utf8'));
    const stated = valueAt(event, 'pull_request', 'number');
    return typeof stated === 'number' ? stated : undefined;
  } catch {
    return undefined;
  }
}

function gitLab(env: Env): Host {
  const { origin, prefix } = partsOf(needed(env, 'CI_API_V4_URL'));
  const request = `${prefix}/projects/${needed(env, 'CI_PROJECT_ID')}/merge_requests/${needed(env, 'CI_MERGE_REQUEST_IID')}/notes`;
  return {
    origin,
    headers: { 'private-token': needed(env, 'GITLAB_TOKEN') },
    job: `${env.CI_PROJECT_PATH ?? ''}/${env.CI_JOB_NAME ?? ''}`,
    async list(send) {
      const own = valueAt((await send('GET', `${prefix}/user`)).body, 'id');
      const notes = (await send('GET', `${request}?per_page=100&order_by=created_at&sort=asc`)).body;
      if (!Array.isArray(notes)) throw new CommandError('GitLab did not list the comments.');
      return notes
        .filter((note) => own !== undefined && valueAt(note, 'author', 'id') === own)
        .map((note) => ({ id: String(valueAt(note, 'id')), body: String(valueAt(note, 'body')) }));
    },
    create: ['POST', request],
    update: (id) => ['PUT', `${request}/${id}`],
  };
}

const valueAt = (value: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), value);
