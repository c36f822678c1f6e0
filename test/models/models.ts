import type { AnyModel } from './model.ts';

/** Each has a folder with its `model.ts`. */
export const modelNames = ['sync', 'organization', 'batches', 'databases', 'undo', 'rehearsal', 'histories'];

export async function loadModel(name: string): Promise<AnyModel> {
  return ((await import(`./${name}/model.ts`)) as { model: AnyModel }).model;
}
