import { expect, test } from 'vitest';
import { fittingMutants, modelNames } from './models/models.ts';

test.for(modelNames)('each mutant of the model %s changes one place in the sources', async (name) => {
  expect((await fittingMutants(name)).length).toBeGreaterThan(2);
});
