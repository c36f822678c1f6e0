import type { Invocation } from '../../cli/command/command.ts';
import { printList } from '../../cli/command/list.ts';
import type { Session } from '../../cli/settings/session.ts';
import { embeddedFile } from '../../cli/settings/database-folder.ts';
import { type ExistingTwin, findTwin } from '../../rehearsal/twin/existing-twins.ts';
import { twinDatabase } from '../shared/twin.ts';

export async function runList(invocation: Invocation): Promise<void> {
  const { io, session } = invocation;
  const twins = existingTwins(session);
  const rows = twins.flatMap(({ twin: { file, ...twin }, profiles }) =>
    (profiles.length > 0 ? profiles : ['']).map((profile) => ({ profile, ...twin, database: file })),
  );
  await printList(invocation, rows);
  if (rows.length === 0) await io.note('There is no twin. Create one with "docsctl twin create".');
}

interface UsedTwin {
  twin: ExistingTwin;
  /** Names of the profiles that use it. */
  profiles: string[];
}

/** The twin of "twin create", and those of profiles. */
function existingTwins({ config, env }: Session): UsedTwin[] {
  const used = profilesByFile(config, env);
  const files = new Set([twinDatabase(env), ...used.keys()]);
  return [...files].flatMap((file) => {
    const twin = findTwin(file);
    return twin ? [{ twin, profiles: used.get(file) ?? [] }] : [];
  });
}

/** Names of the profiles that use each database file. */
export function profilesByFile(config: Session['config'], env: Session['env']): Map<string, string[]> {
  const used = new Map<string, string[]>();
  for (const [name, { url }] of Object.entries(config.profiles)) {
    const file = fileOf(url, env);
    if (file !== undefined) used.set(file, [...(used.get(file) ?? []), name]);
  }
  return used;
}

/** The database file of an address; undefined for a service, another kind of database, or an address that cannot be used. */
function fileOf(url: string, env: Session['env']): string | undefined {
  try {
    return embeddedFile(url, env);
  } catch {
    return undefined;
  }
}
