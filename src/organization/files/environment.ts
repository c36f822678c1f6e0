import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Port } from '../../client/port.ts';
import { orgs } from '../../contract/orgs.ts';
import { EngineError } from '../../shared/engine-error.ts';
import { EnvText } from '../../shared/yaml.ts';
import { environmentOf, files, overlayFile } from '../parts.ts';
import { editFile, yamlObject } from './edit-files.ts';
import { readText } from './read-text.ts';
import { writeYaml } from './write-files.ts';

/** The file of an environment. @throws EngineError if it cannot be read or does not exist */
export async function readOverlay(path: string, folder: string, env: string): Promise<string> {
  const file = overlayFile(env);
  if (!/^[a-z0-9][\w-]*$/i.test(env))
    throw new EngineError('usage', `--env: "${env}" is no name of an environment.`, {
      hint: 'Use letters, digits, "-" and "_".',
    });
  const text = await readText(path, file);
  if (text !== undefined) return text;
  throw new EngineError('usage', `${join(folder, file)} does not exist, so there is no environment "${env}".`, {
    hint: `Create it with the values of ${files.organization.file} that differ there, and "org:" with the name or ID of the organization.`,
  });
}

/** The environments of a folder, with the organizations that their files name. */
async function environmentsIn(path: string): Promise<{ env: string; org: string }[]> {
  const found: { env: string; org: string }[] = [];
  for (const file of await readdir(path).catch(() => [])) {
    const env = environmentOf(file);
    const org = env === undefined ? undefined : namedOrganization((await readText(path, file)) ?? '');
    if (env !== undefined && org !== undefined) found.push({ env, org });
  }
  return found;
}

/** @throws EngineError if an organization is the one of an environment, which was not chosen */
export async function refuseOrganizationOfEnvironment(
  { client }: Pick<Port, 'client'>,
  path: string,
  orgId: string,
): Promise<void> {
  const environments = await environmentsIn(path);
  if (environments.length === 0) return;
  const { title } = await client.call(orgs.view, { params: { orgId } });
  const other = environments.find(({ org }) => org === orgId || org.toLowerCase() === title.toLowerCase());
  if (!other) return;
  const { env } = other;
  throw new EngineError(
    'refused',
    `${overlayFile(env)} says that this is the organization of "${env}". Nothing was sent.`,
    {
      hint: `Use --env ${env}, or select another organization with --org.`,
    },
  );
}

/** The organization that the file of an environment names. Mistakes in the file are reported with those in the others. */
export function namedOrganization(overlay: string): string | undefined {
  const { org } = yamlObject(overlay);
  return typeof org === 'string' ? org : undefined;
}

/** @param above what the value is in: an alias may lead to it */
function hasEnv(value: unknown, above: readonly unknown[] = []): boolean {
  if (value instanceof EnvText) return true;
  if (typeof value !== 'object' || value === null || above.includes(value)) return false;
  return Object.values(value).some((member) => hasEnv(member, [...above, value]));
}

/**
 * Writes what an export found to the file of its environment: the values that it has. The common file keeps its own.
 *
 * @param described the files of the export, which are changed
 */
export function splitOverlay(
  described: Map<string, string>,
  { env, overlay, common }: { env: string; overlay: string; common: string | undefined },
): void {
  const file = files.organization.file;
  const text = described.get(file);
  if (text === undefined) return;
  const [exported, own, shared] = [yamlObject(text), yamlObject(overlay), yamlObject(common ?? '')];
  const kept: Record<string, unknown> = {};
  const others: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(exported))
    if (!(key in own)) others[key] = value;
    else {
      kept[key] = value;
      if (hasEnv(shared[key]))
        throw new EngineError('refused', `${file} has !env in "${key}", which ${overlayFile(env)} replaces.`, {
          hint: 'An export cannot keep it there: leave it out of one of the files.',
        });
      if (key in shared) others[key] = shared[key];
    }
  const head = /^#.*\n/.exec(text)?.[0] ?? '';
  described.set(file, head + writeYaml(others));
  const { org } = own;
  described.set(
    overlayFile(env),
    editFile(overlayFile(env), overlay, writeYaml({ ...(org !== undefined && { org }), ...kept })),
  );
}
