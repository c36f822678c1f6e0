// Loads one source file with a deliberate defect: `node --import ./test/models/mutant.mjs …` with MODELS_MUTANT as JSON.
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { resolve } from 'node:path';

if (process.env.MODELS_MUTANT) {
  const { file, from, to } = JSON.parse(process.env.MODELS_MUTANT);
  const url = pathToFileURL(resolve(import.meta.dirname, '../..', file)).href;
  registerHooks({
    load(address, context, nextLoad) {
      if (address !== url) return nextLoad(address, context);
      const loaded = nextLoad(address, context);
      const source = String(loaded.source);
      if (source.split(from).length !== 2)
        throw new Error(`The mutant does not fit: ${JSON.stringify(from)} in ${file}`);
      return { ...loaded, source: source.replace(from, () => to) };
    },
  });
}
