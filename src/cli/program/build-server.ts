import { appendFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { writeFileAtomicSync } from '../../shared/atomic-write.ts';
import type { ReportFinding } from '../report/finding.ts';
import { data, githubReport } from '../report/github.ts';
import { reportContext } from '../report/places.ts';
import type { Io } from './io.ts';

/** The functions of a build server. Elsewhere every call does nothing. */
export interface BuildServer {
  readonly name: 'github' | 'gitlab' | 'none';
  annotate(findings: readonly ReportFinding[]): Promise<void>;
  /** Markdown for the run's summary page. */
  summary(markdown: string): void;
  /** Values for later steps. */
  outputs(values: Record<string, string | number | undefined>): void;
  /** Hides a value in everything the build server logs from here on. */
  mask(secret: string | undefined): Promise<void>;
}

type Env = Record<string, string | undefined>;

const nothing: BuildServer = {
  name: 'none',
  annotate: async () => {},
  summary: () => {},
  outputs: () => {},
  mask: async () => {},
};

/** The build server on which this runs, from the environment; none with `--no-ci`. */
export function buildServer(io: Io, { env, ci = true }: { env: Env; ci?: boolean }): BuildServer {
  if (!ci) return nothing;
  if (env.GITHUB_ACTIONS === 'true') return gitHub(io, env);
  if (env.GITLAB_CI === 'true') return gitLab(env);
  return nothing;
}

function gitHub(io: Io, env: Env): BuildServer {
  return {
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
    async mask(secret) {
      if (secret) await io.err.write(`::add-mask::${data(secret)}\n`);
    },
  };
}

/** GitLab reads files that a job keeps as reports: `docsctl.env` (dotenv) and `gl-code-quality-report.json`. */
function gitLab(env: Env): BuildServer {
  const folder = env.CI_PROJECT_DIR ?? '.';
  return {
    name: 'gitlab',
    async annotate(findings) {
      const { gitlabReport } = await import('../report/gitlab.ts');
      const report = gitlabReport(findings, reportContext(env, []));
      writeFileAtomicSync(`${folder}/gl-code-quality-report.json`, report);
    },
    summary: () => {},
    outputs(values) {
      const lines = definedValues(values).map(
        ([name, value]) => `${name.toUpperCase().replaceAll('-', '_')}=${String(value).replaceAll(/[\r\n]+/g, ' ')}`,
      );
      if (lines.length > 0) appendFileSync(`${folder}/docsctl.env`, `${lines.join('\n')}\n`);
    },
    // On GitLab, the settings of a job mask its secrets.
    mask: async () => {},
  };
}

const definedValues = (values: Record<string, string | number | undefined>) =>
  Object.entries(values).filter(([, value]) => value !== undefined);

/** The text of a cell of a Markdown table, with everything escaped that would end the cell or be markup. */
export const markdownCell = (text: unknown) =>
  String(text ?? '')
    .replaceAll('\\', '\\\\')
    .replaceAll('|', '\\|')
    .replaceAll(/[\r\n]+/g, ' ')
    .replaceAll('<', '&lt;');
