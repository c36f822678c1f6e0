// Lets the program run git through the shell of a model, if there is one: see world/git-shell.ts.
import { registerHooks } from 'node:module';

registerHooks({
  load(address, context, nextLoad) {
    const loaded = nextLoad(address, context);
    if (!address.endsWith('/src/shared/git.ts')) return loaded;
    const source = String(loaded.source).replace(
      "import { execFile } from 'node:child_process';",
      "import { execFile as spawnFile } from 'node:child_process';\nconst execFile = (...args) => (globalThis.gitOfModel ?? spawnFile)(...args);",
    );
    return { ...loaded, source };
  },
});
