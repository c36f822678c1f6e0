import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { execa } from 'execa';
import { parse } from 'yaml';
import { type Contexts, interpolate, isTrue } from './expression.ts';

/** A step of a workflow or of a composite action. */
export interface Step {
  id?: string;
  name?: string;
  if?: string | boolean;
  uses?: string;
  with?: Record<string, string>;
  env?: Record<string, string>;
  run?: string;
  shell?: string;
  'working-directory'?: string;
}

interface Action {
  inputs?: Record<string, { default?: string; required?: boolean; deprecationMessage?: string }>;
  outputs?: Record<string, { value: string }>;
  runs: { using: string; steps: Step[] };
}

export interface Settings {
  /** The checkout. */
  workspace: string;
  /** Folder for what the runner keeps; `runner.temp` is inside. */
  folder: string;
  /** Of the machine. */
  env: Record<string, string>;
  github?: Record<string, unknown>;
  /** The number of the job in a matrix. */
  index?: number;
  vars?: Record<string, string>;
  secrets?: Record<string, string>;
  /** Folders of actions, by what stands before `@` in `uses`. The steps of other actions are only noted. */
  actions?: Record<string, string>;
}

export interface Ran {
  exitCode: number;
  /** What the steps printed, with masked values replaced. */
  log: string;
  /** Names of the steps that ran. */
  steps: string[];
  /** The page of the run. */
  summary: string;
  /** Outputs of the steps, by id. */
  outputs: Record<string, Record<string, string>>;
}

interface Scope {
  inputs: Record<string, string> | undefined;
  env: Record<string, string>;
  /** Where steps are run: a composite action asks for a shell in each. */
  isAction: boolean;
}

/** Runs steps as a runner of GitHub does: what they get, where they run, and what becomes of the files they write. */
export class Runner {
  readonly #settings: Settings;
  readonly #masks: string[] = [];
  readonly #paths: string[] = [];
  readonly #env: Record<string, string> = {};
  readonly #ran: Ran = { exitCode: 0, log: '', steps: [], summary: '', outputs: {} };
  #count = 0;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** Runs the steps of a job. */
  async job(steps: readonly Step[], env: Record<string, string> = {}): Promise<Ran> {
    await mkdir(this.#temp, { recursive: true });
    const contexts = this.#contexts({ inputs: undefined, env: {}, isAction: false }, {}, 0);
    const jobEnv = Object.fromEntries(Object.entries(env).map(([name, text]) => [name, interpolate(text, contexts)]));
    const { exitCode, outputs } = await this.#runSteps(steps, { inputs: undefined, env: jobEnv, isAction: false });
    const log = this.#masks.reduce((text, mask) => text.replaceAll(mask, '***'), this.#ran.log);
    return { ...this.#ran, exitCode, outputs, log };
  }

  get #temp(): string {
    return join(this.#settings.folder, 'temp');
  }

  #contexts({ inputs, env }: Scope, outputs: Ran['outputs'], exitCode: number): Contexts {
    const { github = {}, vars = {}, secrets = {}, workspace } = this.#settings;
    const steps = Object.fromEntries(Object.entries(outputs).map(([id, values]) => [id, { outputs: values }]));
    return {
      github: { token: 'token-of-the-job', workspace, ...github },
      strategy: { 'job-index': this.#settings.index ?? 0 },
      runner: { temp: this.#temp },
      env: { ...env, ...this.#env },
      steps,
      hasFailed: exitCode !== 0,
      // An action sees neither the variables nor the secrets of its caller.
      ...(inputs === undefined ? { vars, secrets } : { inputs }),
    };
  }

  async #runSteps(steps: readonly Step[], scope: Scope): Promise<{ exitCode: number; outputs: Ran['outputs'] }> {
    const outputs: Ran['outputs'] = {};
    let exitCode = 0;
    for (const step of steps) {
      const contexts = this.#contexts(scope, outputs, exitCode);
      if (!isTrue(step.if, contexts)) continue;
      this.#ran.steps.push(step.name ?? step.uses ?? step.id ?? step.run?.split('\n')[0] ?? '');
      const env = { ...scope.env, ...this.#env };
      for (const [name, text] of Object.entries(step.env ?? {})) env[name] = interpolate(String(text), contexts);
      const done = await (step.uses === undefined
        ? this.#runScript(step, { ...scope, env }, contexts)
        : this.#runAction(step, { ...scope, env }, contexts));
      if (step.id !== undefined) outputs[step.id] = done.outputs;
      if (exitCode === 0) exitCode = done.exitCode;
    }
    return { exitCode, outputs };
  }

  async #runAction(step: Step, { env }: Scope, contexts: Contexts) {
    const folder = this.#settings.actions?.[step.uses!.replace(/@.*/, '')];
    if (folder === undefined) return { exitCode: 0, outputs: {} };
    const action = parse(await readFile(join(folder, 'action.yml'), 'utf8')) as Action;
    const values = Object.fromEntries(
      Object.entries(step.with ?? {}).map(([name, text]) => [name, interpolate(String(text), contexts)]),
    );
    const inputs = this.#inputsOf(action, values, contexts);
    if (action.runs.using !== 'composite') throw new Error(`${action.runs.using} is not supported here.`);
    const { exitCode, outputs } = await this.#runSteps(action.runs.steps, { inputs, env, isAction: true });
    const inside = this.#contexts({ inputs, env, isAction: true }, outputs, exitCode);
    return {
      exitCode,
      outputs: Object.fromEntries(
        Object.entries(action.outputs ?? {}).map(([name, { value }]) => [name, interpolate(value, inside)]),
      ),
    };
  }

  #inputsOf(action: Action, values: Record<string, string>, contexts: Contexts): Record<string, string> {
    const declared = action.inputs ?? {};
    for (const name of Object.keys(values)) {
      if (!(name in declared)) this.#ran.log += `Unexpected input "${name}".\n`;
      else if (declared[name]?.deprecationMessage) this.#ran.log += `"${name}": ${declared[name].deprecationMessage}\n`;
    }
    return Object.fromEntries(
      Object.entries(declared).map(([name, input]) => [
        name,
        values[name] ?? interpolate(String(input.default ?? ''), contexts),
      ]),
    );
  }

  async #runScript(step: Step, { env, isAction }: Scope, contexts: Contexts) {
    if (isAction && step.shell !== 'bash') throw new Error('A step of an action needs a shell, here bash.');
    const { workspace, env: machine, folder } = this.#settings;
    this.#count += 1;
    const place = join(folder, `step-${this.#count}`);
    const files = {
      GITHUB_OUTPUT: join(place, 'output'),
      GITHUB_ENV: join(place, 'env'),
      GITHUB_PATH: join(place, 'path'),
      GITHUB_STEP_SUMMARY: join(place, 'summary'),
    };
    await mkdir(place);
    for (const file of Object.values(files)) await writeFile(file, '');
    const script = join(place, 'script.sh');
    await writeFile(script, interpolate(step.run!, contexts));
    const cwd = resolve(workspace, interpolate(step['working-directory'] ?? '.', contexts));
    const shell = await execa('bash', ['--noprofile', '--norc', '-e', '-o', 'pipefail', script], {
      cwd,
      env: {
        ...machine,
        CI: 'true',
        ...this.#defaultEnv(),
        ...files,
        ...env,
        PATH: [...this.#paths.toReversed(), machine.PATH].join(':'),
      },
      extendEnv: false,
      reject: false,
      stdin: 'ignore',
      all: true,
    });
    this.#readCommands(String(shell.all));
    const read = (name: keyof typeof files) => readFile(files[name], 'utf8');
    Object.assign(this.#env, valuesIn(await read('GITHUB_ENV')));
    this.#paths.push(...(await read('GITHUB_PATH')).split('\n').filter(Boolean));
    this.#ran.summary += await read('GITHUB_STEP_SUMMARY');
    return { exitCode: shell.exitCode ?? 1, outputs: valuesIn(await read('GITHUB_OUTPUT')) };
  }

  #defaultEnv(): Record<string, string> {
    const { workspace, github = {} } = this.#settings;
    return {
      GITHUB_ACTIONS: 'true',
      GITHUB_WORKSPACE: workspace,
      GITHUB_REPOSITORY: String(github.repository ?? 'me/docs'),
      GITHUB_WORKFLOW: String(github.workflow ?? 'Docs'),
      GITHUB_JOB: String(github.job ?? 'docs'),
      GITHUB_BASE_REF: String(github.base_ref ?? ''),
      GITHUB_EVENT_NAME: String(github.event_name ?? 'push'),
      RUNNER_TEMP: this.#temp,
    };
  }

  #readCommands(output: string): void {
    for (const [, secret] of output.matchAll(/^::add-mask::(.+)$/gm)) this.#masks.push(secret!);
    this.#ran.log += `${output}\n`;
  }
}

/** The values in a file of the form `name=value` or `name<<END`, value, `END`. */
function valuesIn(text: string): Record<string, string> {
  const values: Record<string, string> = {};
  const lines = text.split('\n');
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at]!;
    const [, name, end] = /^([^=<]+)<<(.+)$/.exec(line) ?? [];
    if (name !== undefined) {
      const until = lines.indexOf(end!, at + 1);
      if (until === -1) throw new Error(`${name} has no end.`);
      values[name] = lines.slice(at + 1, until).join('\n');
      at = until;
    } else if (line.includes('=')) values[line.slice(0, line.indexOf('='))] = line.slice(line.indexOf('=') + 1);
    else if (line !== '') throw new Error(`Not understood: ${line}`);
  }
  return values;
}

/** The steps and the environment of a workflow's only job. */
export async function readJob(file: string): Promise<{ steps: Step[]; env: Record<string, string> }> {
  const workflow = parse(await readFile(file, 'utf8'));
  const jobs = Object.values(workflow.jobs) as { steps: Step[]; env?: Record<string, string> }[];
  if (jobs.length !== 1) throw new Error(`${file} has ${jobs.length} jobs.`);
  return { steps: jobs[0]!.steps, env: { ...workflow.env, ...jobs[0]!.env } };
}
