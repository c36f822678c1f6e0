import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { fittingMutants, modelNames } from './models/models.ts';

const main = join(import.meta.dirname, 'models/main.ts');

/** Runs the models with `MODELS_` variables. */
const runModels = (args: string[], env: Record<string, string>) =>
  execa(process.execPath, [main, ...args], { env, all: true, reject: false });

test.for(modelNames)('each mutant of the model %s changes one place in the sources', async (name) => {
  expect((await fittingMutants(name)).length).toBeGreaterThan(2);
});

test('a violation among selected steps prints the command that repeats it', async () => {
  const mutant = (await fittingMutants('undo')).find(({ name }) => name.includes('from the first to the last'));
  const env = { MODELS_MUTANT: JSON.stringify(mutant) };

  const { all } = await runModels(['undo'], { ...env, MODELS_STEPS: 'sections move', MODELS_SEED: '1' });

  const steps = all.split('\n').filter((line) => /^ +\d+\. /.test(line));
  expect(steps.at(-1)).toContain('docsctl sites sections move');
  expect(steps.filter((line) => !line.includes('sections move'))).toEqual([]);
  const command = /^To repeat it: (.*) npm run test:models -- undo$/m.exec(all)?.[1] ?? '';
  const variables = Object.fromEntries(
    [...command.matchAll(/(\w+)='?([^' ]+(?: move)?)'?/g)].map(([, ...pair]) => pair),
  );
  const repeated = await runModels(['undo'], { ...env, ...variables });
  expect(repeated.all).toContain('undo: 1 sequences');
  expect(repeated.all).toContain(steps.join('\n'));
});

test('steps that a model does not have are an error', async () => {
  const { exitCode, all } = await runModels(['undo'], { MODELS_STEPS: 'nothing of the kind' });
  expect(all).toContain('No step of undo matches "nothing of the kind".');
  expect(exitCode).toBe(1);
});
