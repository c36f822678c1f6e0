import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AnyModel, Mutant } from './model.ts';

/** Each has a folder with its `model.ts`. */
export const modelNames = [
  'sync',
  'organization',
  'batches',
  'databases',
  'undo',
  'rehearsal',
  'proposals',
  'histories',
  'campaigns',
];

export async function loadModel(name: string): Promise<AnyModel> {
  return ((await import(`./${name}/model.ts`)) as { model: AnyModel }).model;
}

/** The mutants of a model. @throws if one no longer fits its file */
export async function fittingMutants(name: string): Promise<Mutant[]> {
  const { mutants } = (await import(`./${name}/mutants.ts`)) as { mutants: Mutant[] };
  for (const { name: text, file, from } of mutants) {
    const { length } = readFileSync(join(import.meta.dirname, '../..', file), 'utf8').split(from);
    if (length !== 2) throw new Error(`"${text}" of ${name} no longer fits ${file}.`);
  }
  return mutants;
}
