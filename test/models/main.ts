// npm run test:models [-- [--mutants | --proven] MODEL...]; CONTRIBUTING.md describes the variables.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { execa } from 'execa';
import { isOwnModel, type Mutant, runModel, type RunResult } from './model.ts';
import { fittingMutants, loadModel, modelNames } from './models.ts';
import { proven } from './proven.ts';

const root = join(import.meta.dirname, '../..');
const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    mutants: { type: 'boolean' },
    proven: { type: 'boolean' },
    only: { type: 'string' },
    run: { type: 'string' },
  },
});
const {
  MODELS_SECONDS,
  MODELS_SEED,
  MODELS_SEQUENCES,
  MODELS_PATH,
  MODELS_REPLAY,
  MODELS_STEPS,
  MODELS_MUTANT,
  MODELS_JOBS,
} = process.env;
const status = { done: 0, violation: 1, usage: 2 };

if (flags.run !== undefined) process.exitCode = await runHere(flags.run);
else {
  const unknown = positionals.filter((name) => !modelNames.includes(name));
  if (unknown.length > 0) {
    console.error(`There is no model "${unknown[0]}". The models are: ${modelNames.join(', ')}.`);
    process.exitCode = status.usage;
  } else {
    const all = flags.proven ? Object.keys(proven) : modelNames;
    const names = positionals.length > 0 ? all.filter((name) => positionals.includes(name)) : all;
    process.exitCode = flags.mutants ? await tryMutants(names) : await runAll(names, flags.proven);
  }
}

/** Runs one model in this process. */
async function runHere(name: string): Promise<number> {
  const model = await loadModel(name);
  const seed = MODELS_SEED ? Number(MODELS_SEED) : Math.floor(Math.random() * 2 ** 31);
  const options = {
    seconds: Number(MODELS_SECONDS ?? 60),
    ...(MODELS_SEQUENCES && { sequences: Number(MODELS_SEQUENCES) }),
    seed,
    path: MODELS_PATH,
    replayPath: MODELS_REPLAY,
    only: MODELS_STEPS,
    fast: MODELS_MUTANT !== undefined,
  };
  const start = Date.now();
  const result = isOwnModel(model) ? await model.run(options) : await runModel(model, options);
  const seconds = (Date.now() - start) / 1000;
  console.log(`${name}: ${summaryOf(result, seconds)}, seed ${seed}`);
  if (!result.violation) return status.done;
  const { sequence, message, replay } = result.violation;
  console.log(`VIOLATION of ${name}\n${sequence}\n${message}\nTo repeat it: ${replay}`);
  return status.violation;
}

function summaryOf({ sequences, steps, states }: RunResult, seconds: number): string {
  const number = (value: number) => Math.round(value).toLocaleString('en-US');
  const distinct = states > 0 ? `, ${number(states)} states` : '';
  return `${number(sequences)} sequences, ${number(steps)} commands${distinct} in ${number(seconds)} s (${number(steps / seconds)} commands per second)`;
}

/** Each model gets a process of its own, two at a time. @param isProven runs only sequences that had no violation */
async function runAll(names: string[], isProven = false): Promise<number> {
  for (const name of names) await fittingMutants(name);
  const jobs = Number(MODELS_JOBS ?? 2);
  const total = Number(MODELS_SECONDS ?? 180);
  const seconds = Math.max(5, Math.round((total * Math.min(jobs, names.length)) / names.length));
  const exitCodes = await inParallel(jobs, names, async (name) => {
    const { seed, sequences } = (isProven && proven[name]) || {};
    const { exitCode, all } = await spawnModel(name, {
      MODELS_SECONDS: String(seconds),
      ...(seed !== undefined && { MODELS_SEED: String(seed), MODELS_SEQUENCES: String(sequences) }),
    });
    console.log(all);
    return exitCode;
  });
  return exitCodes.every((exitCode) => exitCode === status.done) ? status.done : status.violation;
}

/** Runs each mutant of the models until the model finds it. */
async function tryMutants(names: string[]): Promise<number> {
  const seconds = MODELS_SECONDS ?? '60';
  const mutants: { model: string; mutant: Mutant }[] = [];
  for (const name of names) {
    for (const mutant of await fittingMutants(name))
      if (flags.only === undefined || mutant.name.includes(flags.only)) mutants.push({ model: name, mutant });
  }
  const found = await inParallel(Number(MODELS_JOBS ?? 2), mutants, async ({ model, mutant }) => {
    const start = Date.now();
    const env = {
      MODELS_SECONDS: seconds,
      MODELS_MUTANT: JSON.stringify(mutant),
      ...(mutant.steps !== undefined && MODELS_STEPS === undefined && { MODELS_STEPS: mutant.steps }),
    };
    const { exitCode, all } = await spawnModel(model, env);
    const isFound = exitCode === status.violation && all.includes('VIOLATION');
    const took = `${Math.round((Date.now() - start) / 1000)} s`;
    console.log(`${isFound ? 'found' : 'NOT FOUND'}  ${model}: ${mutant.name} (${took})`);
    if (!isFound && !all.includes(`${model}: `)) console.log(all);
    return isFound;
  });
  console.log(`${found.filter(Boolean).length} of ${found.length} mutants found`);
  return found.every(Boolean) ? status.done : status.violation;
}

async function spawnModel(name: string, env: Record<string, string>): Promise<{ exitCode: number; all: string }> {
  const hooks = ['mutant.mjs', 'git-hook.mjs', 'sqlite-hook.mjs'].flatMap((hook) => [
    '--import',
    join(import.meta.dirname, hook),
  ]);
  const result = await execa(process.execPath, [...hooks, import.meta.filename, '--run', name], {
    cwd: root,
    // To strip and compile the sources takes seconds otherwise.
    env: { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled'), ...env },
    all: true,
    reject: false,
    stdin: 'ignore',
  });
  return { exitCode: result.exitCode ?? status.violation, all: result.all };
}

async function inParallel<T, R>(jobs: number, items: T[], run: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const work = async () => {
    while (next < items.length) {
      const index = next++;
      results[index] = await run(items[index]!);
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return results;
}
