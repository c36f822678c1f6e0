import fc from 'fast-check';
import { fixIds } from './world/fixed-ids.ts';

/** One command of a sequence. Its text is what a failure prints, so it reads like what a person would type. */
export type Step<Expected extends object, World> = fc.AsyncCommand<Expected, World>;

/** A deliberate defect: replaces a text that occurs once in a source file. */
export interface Mutant {
  /** What is wrong with the program, as a bug report would say it. */
  name: string;
  /** Below the root of the repository. */
  file: string;
  from: string;
  to: string;
  /** MODELS_STEPS for a mutant that would take long to be found among all steps. */
  steps?: string;
}

/** Generates sequences of commands, runs them in a world, and checks after each step what must always be true. */
export interface Model<Expected extends object, World> {
  name: string;
  steps: fc.Arbitrary<Step<Expected, World>>[];
  maxSteps?: number;
  /** Opens a new world for one sequence, and what is expected of it. */
  open(): Promise<{ expected: Expected; world: World }>;
  /** Throws if an invariant is violated. Called after each step. */
  check?(expected: Expected, world: World): Promise<void>;
  close(world: World): Promise<void>;
  /** Ends what was opened for all worlds. */
  end?(): Promise<void>;
  /** Sequences that reach the same text have reached the same state. */
  stateOf?(expected: Expected): string;
  mutants: Mutant[];
}

/** A model that does not consist of sequences of steps. */
export interface OwnModel {
  name: string;
  /** Prints what it did. @returns what it counted, and the violation if there was one */
  run(options: RunOptions): Promise<RunResult>;
  mutants: Mutant[];
}

/** Steps that matter in this order, and are seldom generated in it. */
export const story = <Expected extends object, World>(...steps: Step<Expected, World>[]): Step<Expected, World> => ({
  check: () => true,
  async run(expected, world) {
    for (const each of steps) await each.run(expected, world);
  },
  toString: () => steps.join('; then '),
});

export type AnyModel = Model<any, any> | OwnModel;

export interface RunOptions {
  seconds: number;
  /** The most sequences to run. */
  sequences?: number | undefined;
  seed: number;
  /** Replays one sequence: both are printed with a violation. */
  path?: string | undefined;
  replayPath?: string | undefined;
  /** A regular expression: only steps whose text matches are generated. */
  only?: string | undefined;
  /** Stops at the first violation instead of looking for a shorter sequence. */
  fast?: boolean;
}

export interface RunResult {
  sequences: number;
  steps: number;
  states: number;
  violation?: { sequence: string; message: string; replay: string } | undefined;
}

export const isOwnModel = (model: AnyModel): model is OwnModel => 'run' in model;

/** Runs generated sequences until the time is up or one of them violates the model. */
export async function runModel<Expected extends object, World>(
  model: Model<Expected, World>,
  { seconds, sequences: most = Number.MAX_SAFE_INTEGER, seed, path, replayPath, only, fast = false }: RunOptions,
): Promise<RunResult> {
  fixIds(0);
  const states = new Set<string>();
  let sequences = 0;
  let steps = 0;
  const checked = (step: Step<Expected, World>): Step<Expected, World> => ({
    check: (expected) => step.check(expected),
    async run(expected, world) {
      steps += 1;
      await step.run(expected, world);
      await model.check?.(expected, world);
      if (model.stateOf) states.add(model.stateOf(expected));
    },
    toString: () => step.toString(),
  });
  const commands = fc.commands(
    selectedSteps(model, only).map((step) => step.map(checked)),
    { maxCommands: model.maxSteps ?? 20, size: 'max', ...(replayPath && { replayPath }) },
  );
  let running: Promise<void> = Promise.resolve();
  const runSequence = async (sequence: Iterable<Step<Expected, World>>) => {
    sequences += 1;
    const { expected, world } = await model.open();
    try {
      await fc.asyncModelRun(() => ({ model: expected, real: world }), sequence);
    } finally {
      await model.close(world);
    }
  };
  const property = fc.asyncProperty(commands, (sequence) => (running = runSequence(sequence)));
  const result = await fc.check(property, {
    seed,
    numRuns: path === undefined ? most : 1,
    interruptAfterTimeLimit: seconds * 1000,
    endOnFailure: fast || path !== undefined,
    ...(path && { path }),
  });
  // When the time is up, a sequence may still run.
  await running.catch(() => {});
  await model.end?.();
  const violation = result.failed && result.counterexample ? violationOf(model.name, result, only) : undefined;
  return { sequences, steps, states: states.size, violation };
}

/** @throws if no step matches */
function selectedSteps<Expected extends object, World>(
  { name, steps }: Model<Expected, World>,
  only: string | undefined,
): fc.Arbitrary<Step<Expected, World>>[] {
  if (!only) return steps;
  const pattern = new RegExp(only);
  const matches = (step: Step<Expected, World>) => pattern.test(step.toString());
  // To filter what never matches would not end.
  const selected = steps.filter((step) => fc.sample(step, { numRuns: 2_000, seed: 1 }).some(matches));
  if (selected.length === 0) throw new Error(`No step of ${name} matches "${only}".`);
  return selected.map((step) => step.filter(matches));
}

function violationOf<Ts>(name: string, result: fc.RunDetails<[Ts]>, only: string | undefined): RunResult['violation'] {
  const [commands] = result.counterexample!;
  const text = String(commands);
  const replayPath = /replayPath="([^"]*)"/.exec(text)?.[1] ?? '';
  const sequence = text.replace(/\s*\/\*replayPath=.*\*\/\s*$/, '').split(/,(?=[^ ])/);
  const error = result.errorInstance;
  const selection = only ? `MODELS_STEPS='${only.replaceAll("'", String.raw`'\''`)}' ` : '';
  return {
    sequence: sequence.map((step, index) => `  ${index + 1}. ${step}`).join('\n'),
    message: error instanceof Error ? (error.stack ?? error.message) : String(error),
    replay: `${selection}MODELS_SEED=${result.seed} MODELS_PATH='${result.counterexamplePath}' MODELS_REPLAY='${replayPath}' npm run test:models -- ${name}`,
  };
}
