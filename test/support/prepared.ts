import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { seedDemo } from '../../src/server/demo/demo.ts';
import { openInstance } from '../../src/server/open-instance.ts';
import { administrator } from '../../src/server/organizations/bootstrap.ts';

/** A closed database that tests copy: to copy it takes a millisecond, to fill it with the demo a second. */
interface PreparedDatabase {
  file: string;
  organization: string;
}

declare module 'vitest' {
  export interface ProvidedContext {
    prepared: { empty: PreparedDatabase; demo: PreparedDatabase };
  }
}

/** Enough for all ids that examples name. */
const demoMembers = 500;

/** Makes the databases once for all test files of a run. */
export default async function prepare(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'docsctl-prepared-'));
  project.provide('prepared', {
    empty: await makeDatabase(join(folder, 'empty.db'), { isDemo: false }),
    demo: await makeDatabase(join(folder, 'demo.db'), { isDemo: true }),
  });
  return () => rm(folder, { recursive: true });
}

async function makeDatabase(file: string, { isDemo }: { isDemo: boolean }): Promise<PreparedDatabase> {
  const instance = await openInstance({ file });
  if (isDemo) await seedDemo(instance, demoMembers);
  const organization = (await instance.store.read(administrator))?.organization;
  await instance.close();
  if (organization === undefined) throw new Error(`${file} has no administrator.`);
  return { file, organization };
}

/** Copies a prepared database. @returns the id of its organization */
export async function copyDatabase(content: 'empty' | 'demo', to: string): Promise<string> {
  const { file, organization } = inject('prepared')[content];
  await copyFile(file, to);
  return organization;
}

/** Leaves a home as `docsctl init` leaves it, or `docsctl init --demo`. @returns the id of the organization */
export async function initialize(home: { dir: string }, content: 'empty' | 'demo' = 'empty'): Promise<string> {
  const [data, config] = [join(home.dir, 'data'), join(home.dir, 'config')];
  for (const folder of [data, config]) await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(data, 'local.db');
  const organization = await copyDatabase(content, file);
  const settings = { profiles: { local: { url: `embedded:${file}`, org: organization } }, current: 'local' };
  await writeFile(join(config, 'config.json'), JSON.stringify(settings, null, '\t'), { mode: 0o600 });
  return organization;
}
