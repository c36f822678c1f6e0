import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './support/cli.ts';

interface Package {
  optionalDependencies?: Record<string, string>;
  resolved?: string;
}

const text = readFileSync(join(root, 'package-lock.json'), 'utf8');
const { packages } = JSON.parse(text) as { packages: Record<string, Package> };

/** Where npm would install `name` for the package in `folder`: in its node_modules, or in that of a folder above. */
function placeOf(name: string, folder: string): string | undefined {
  for (let above = folder; ; above = above.slice(0, Math.max(above.lastIndexOf('node_modules/') - 1, 0))) {
    const place = `${above === '' ? '' : `${above}/`}node_modules/${name}`;
    if (place in packages) return place;
    if (above === '') return undefined;
  }
}

// npm install on one platform can leave out the packages of the others, and then npm ci fails everywhere.
test('the lockfile has every optional dependency, of every platform', () => {
  const optional = Object.entries(packages).flatMap(([folder, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).map((name) => ({ folder, name })),
  );
  const missing = optional.filter(({ folder, name }) => placeOf(name, folder) === undefined);

  expect(optional.length).toBeGreaterThan(0);
  expect(missing).toEqual([]);
});

test('the lockfile names no registry', () => {
  const resolved = Object.entries(packages).filter(([, { resolved }]) => resolved !== undefined);

  expect(resolved).toEqual([]);
});
