import { appendFileSync, readFileSync, statSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { writeFileAtomicSync } from '../../shared/atomic-write.ts';
import { type ReportFinding, reportContext } from '../report/finding.ts';
import { data, githubReport } from '../report/github.ts';
import type { Io } from './io.ts';

/** The functions of a build server. Elsewhere every call does nothing. */
export interface BuildServer {
  /** `file` if only a summary is asked for. */
  readonly name: 'github' | 'gitlab' | 'file' | 'none';
  annotate(findings: readonly ReportFinding[]): Promise<void>;
  /** Markdown for the run's summary page. */
  summary(markdown: string): void;
  /** Values for later steps. */
  outputs(values: Outputs): void;
  /** Adds items to a value for later steps: the JSON array of the items of all commands of this process. */
  list(name: string, items: readonly unknown[]): void;
  /** Hides a value in everything the build server logs from here on. */
  mask(secret: string | undefined): Promise<void>;
}

/** Values by name; those that are undefined are skipped. */
export type Outputs = Record<string, string | number | undefined>;

type Env = Record<string, string | undefined>;

const nothing: BuildServer = {
  name: 'none',
  annotate: async () => {},
  summary: () => {},
  outputs: () => {},
  list: () => {},
  mask: async () => {},
};

/** The build server on which this runs, from the environment; none with `--no-ci`. */
export function buildServer(io: Io, { env, ci = true }: { env: Env; ci?: boolean }): BuildServer {
  if (!ci) return nothing;
  const server = serverIn(io, env);
  const { summary } = io;
  if (!summary) return server;
  return {
    ...server,
    name: server.name === 'none' ? 'file' : server.name,
    summary(markdown) {
      server.summary(markdown);
      summary(markdown);
    },
  };
}

/** The branch that a build server checked out, often with a detached HEAD. */
export const branchIn = (env: Env): string | undefined =>
  env.GITHUB_HEAD_REF || env.GITHUB_REF_NAME || env.CI_COMMIT_REF_NAME || undefined;

function serverIn(io: Io, env: Env): BuildServer {
  if (env.GITHUB_ACTIONS === 'true') return gitHub(io, env);
  if (env.GITLAB_CI === 'true') return gitLab(env);
  return nothing;
}

function gitHub(io: Io, env: Env): BuildServer {
  const server: BuildServer = {
    name: 'github',
    async annotate(findings) {
      const text = githubReport(findings, reportContext(env, []));
      if (text !== '') await io.err.write(text);
    },
    summary(markdown) {
      if (env.GITHUB_STEP_SUMMARY) appendFileSync(env.GITHUB_STEP_SUMMARY, `${markdown}\n`);
    },
    outputs(values) {
      if (!env.GITHUB_OUTPUT) return;
      for (const [name, value] of definedValues(values)) {
        // A random delimiter: a value cannot contain it to set another output.
        const end = `end_${randomBytes(12).toString('hex')}`;
        appendFileSync(env.GITHUB_OUTPUT, `${name}<<${end}\n${value}\n${end}\n`);
      }
    },
    list(name, items) {
      server.outputs({ [name]: JSON.stringify(joined(`${env.GITHUB_OUTPUT}:${name}`, items)) });
    },
    async mask(secret) {
      if (secret) await io.err.write(`::add-mask::${data(secret)}\n`);
    },
  };
  return server;
}

/**
 * GitLab reads files that a job keeps as reports: `docsctl.env` (dotenv) and `gl-code-quality-report.json`. A job can run
 * docsctl several times, so what is in them stays.
 */
function gitLab(env: Env): BuildServer {
  const folder = env.CI_PROJECT_DIR ?? '.';
  const variablesFile = `${folder}/docsctl.env`;
  const server: BuildServer = {
    name: 'gitlab',
    async annotate(findings) {
      const { gitlabReport } = await import('../report/gitlab.ts');
      const report: unknown = JSON.parse(gitlabReport(findings, reportContext(env, [])));
      const file = `${folder}/gl-code-quality-report.json`;
      const items = [...listIn(textOfJob(file, env)), ...(Array.isArray(report) ? report : [])];
      writeFileAtomicSync(file, `${JSON.stringify(joined(file, items), null, 2)}\n`);
    },
    summary: () => {},
    outputs(values) {
      const variables = variablesIn(textOfJob(variablesFile, env));
      for (const [name, value] of definedValues(values)) {
        variables.set(variableName(name), String(value).replaceAll(/[\r\n]+/g, ' '));
      }
      if (variables.size === 0) return;
      const lines = [...variables].map(([name, value]) => `${name}=${value}`);
      writeFileAtomicSync(variablesFile, `${lines.join('\n')}\n`);
    },
    list(name, items) {
      const earlier = listIn(variablesIn(textOfJob(variablesFile, env)).get(variableName(name)));
      server.outputs({ [name]: JSON.stringify(joined(`${folder}:${name}`, [...earlier, ...items])) });
    },
    // On GitLab, the settings of a job mask its secrets.
    mask: async () => {},
  };
  return server;
}

const variableName = (name: string) => name.toUpperCase().replaceAll('-', '_');

const variablesIn = (text = '') =>
  new Map(
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => {
        const [name = ''] = line.split('=');
        return [name, line.slice(name.length + 1)] as const;
      }),
  );

function listIn(text = '[]'): unknown[] {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list : [];
  } catch {
    return [];
  }
}

/** The text of a report, unless it is left over from an earlier job in the same folder. */
function textOfJob(file: string, env: Env): string | undefined {
  try {
    const started = Date.parse(env.CI_JOB_STARTED_AT ?? '');
    return statSync(file).mtimeMs < started ? undefined : readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** What the commands of this process have written for each place, by its JSON: `docsctl run` runs several. */
const written = new Map<string, Map<string, unknown>>();

/** The items with those that were written before. One that several commands have is there once. */
function joined(place: string, items: readonly unknown[]): unknown[] {
  const all = written.get(place) ?? new Map<string, unknown>();
  for (const item of items) all.set(JSON.stringify(item), item);
  written.set(place, all);
  return [...all.values()];
}

/** The values of one result as they are; of several, each as a JSON array. */
export function outputsOf(results: readonly Outputs[]): Outputs {
  const [first, ...others] = results;
  if (others.length === 0) return first ?? {};
  const names = new Set(results.flatMap((values) => Object.keys(values)));
  return Object.fromEntries(
    [...names].map((name) => [name, JSON.stringify(results.map((values) => values[name] ?? null))]),
  );
}

const definedValues = (values: Outputs) => Object.entries(values).filter(([, value]) => value !== undefined);

/**
 * The text of a cell of a Markdown table, with everything escaped that would end the cell, be markup, or tell a person
 * by name that they were mentioned.
 */
export const markdownCell = (text: unknown) =>
  String(text ?? '')
    .replaceAll(/[\\|`*_[\]~]/g, '\\$&')
    .replaceAll(/[\r\n]+/g, ' ')
    .replaceAll('<', '&lt;')
    .replaceAll('@', '@&#8203;');

/** A cell of a Markdown table that shows a text as code. */
export function markdownCode(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence} ${text.replaceAll(/[\r\n]+/g, ' ').replaceAll('|', '\\|')} ${fence}`;
}
