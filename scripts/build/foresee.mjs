import { basename } from 'node:path';
import { groups } from '../../src/contract/groups.ts';
import { fieldsOf } from '../../src/contract/fields.ts';

const isContract = /[\\/]src[\\/]contract[\\/][\w-]+\.ts$/;
let askedIn;

/**
 * Adds to each file of the contract what its endpoints' queries and bodies ask for, as its schemas tell: a command that
 * shows flags or sends a request needs no schema then, nor the library that makes them.
 */
export const foreseen = {
  name: 'foreseen',
  async transform(code, id) {
    if (!isContract.test(id)) return null;
    askedIn ??= readAsked();
    const asked = (await askedIn).get(basename(id));
    if (!asked) return null;
    const told = JSON.stringify(JSON.stringify(asked));
    return `import { foresee as foreseeFields } from './fields.ts';\n${code}\nforeseeFields(JSON.parse(${told}));\n`;
  },
};

/** By the name of the file that describes the endpoints. */
async function readAsked() {
  const all = new Map();
  for (const { load } of Object.values(groups)) {
    const [, file] = /import\(['"]\.\/([\w-]+\.ts)['"]\)/.exec(String(load));
    const found = Object.values(await load()).flatMap((held) => Object.values(held ?? {}));
    const endpoints = found.filter((one) => one?.definition !== undefined);
    all.set(file, Object.fromEntries(endpoints.map((endpoint) => [endpoint.name, fieldsOf(endpoint)])));
  }
  return all;
}
