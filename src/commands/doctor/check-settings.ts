import { existsSync } from 'node:fs';
import type { Invocation } from '../../cli/command/command.ts';
import { exit } from '../../cli/program/failure.ts';
import { type Config, configFile, configKeys, profileKeys } from '../../cli/settings/config.ts';
import { findProjectFile, type Project } from '../../cli/settings/project.ts';
import { ProfileNotAllowed } from '../../cli/settings/project-permission.ts';
import type { Session, Setting } from '../../cli/settings/session.ts';
import { embeddedFile } from '../../cli/settings/database-folder.ts';
import { tokenVariable } from '../../cli/settings/token-sources.ts';
import { unknownVariables, variables } from '../../cli/settings/variables.ts';
import { nearest } from '../../shared/suggest.ts';
import type { Report } from './report.ts';

export function checkEnvironment(report: Report, { env, globals }: Session): void {
  const names = Object.keys(variables).filter((name) => env[name]);
  const detail = names.length === 0 ? 'no docsctl variables are set' : names.toSorted().join(', ');
  for (const { name, meant } of unknownVariables(env)) {
    report.warn(
      'environment',
      `${name} is set, but docsctl does not use it`,
      meant === undefined ? '"docsctl help environment" lists the variables.' : `Did you mean ${meant}?`,
    );
  }
  const variable = tokenVariable(env);
  const isTokenUnused = variable !== undefined && !env.DOCSCTL_URL && globals.url === undefined;
  if (isTokenUnused)
    report.warn(
      'environment',
      detail,
      `${variable} is ignored without DOCSCTL_URL, the address of its service. Set both.`,
    );
  else report.ok('environment', detail);
}

/** @returns whether the settings and the project file can be read */
export async function checkFiles(report: Report, session: Session): Promise<boolean> {
  const config = await report.attempt('settings', () => session.config);
  if (!config) return false;
  const file = configFile();
  const count = Object.keys(config.value.profiles).length;
  for (const { key, where, near } of unknownKeys(config.value)) {
    report.warn(
      'settings',
      `${file}: there is no setting "${key}"${where}`,
      near === undefined ? 'Remove it, unless a later version of docsctl wrote it.' : `Did you mean "${near}"?`,
    );
  }
  report.ok('settings', existsSync(file) ? `${file}, ${count} profile${count === 1 ? '' : 's'}` : `none yet (${file})`);
  const project = await report.attempt('project', () => session.project());
  if (!project) return false;
  await checkProject(report, session, project.value);
  return true;
}

/** Unknown settings in the settings file. */
function unknownKeys(config: Config): { key: string; where: string; near: string | undefined }[] {
  const unknownIn = (value: object, known: readonly string[], where: string) =>
    Object.keys(value)
      .filter((key) => !known.includes(key))
      .map((key) => ({ key, where, near: nearest(key, known) }));
  return [
    ...unknownIn(config, configKeys, ''),
    ...Object.entries(config.profiles).flatMap(([name, profile]) =>
      unknownIn(profile, profileKeys, ` of the profile "${name}"`),
    ),
  ];
}

async function checkProject(report: Report, session: Session, project: Project | undefined): Promise<void> {
  const { refusal } = await session.profileStatus();
  if (refusal instanceof ProfileNotAllowed) {
    report.warn('project', refusal.message.replace(/\.$/, ''), refusal.hint ?? 'Run "docsctl profiles allow".');
    return;
  }
  const ignoredFile = project ? undefined : findProjectFile();
  const absent = ignoredFile === undefined ? 'no .docsctl.yaml here or above' : `${ignoredFile} is not read`;
  report.ok('project', project?.file ?? absent);
}

/** @returns the address of the service, if one is set and can be opened */
export async function checkAddress(report: Report, { session, globals }: Invocation): Promise<Setting | undefined> {
  const isGiven = globals.profile === undefined && Boolean(globals.url ?? session.env.DOCSCTL_URL);
  const setting = await report.attempt(isGiven ? 'service' : 'profile', () => session.address({ ask: false }));
  if (!setting) return undefined;
  const address = setting.value;
  const profile = address.origin === 'profile' ? await session.profileName() : undefined;
  report.ok('profile', profile ? withSource(profile) : `none: the address comes from ${address.source}`);
  const file = embeddedFile(address.value, session.env);
  if (file !== undefined && file !== ':memory:' && !existsSync(file)) {
    report.fail('service', {
      exitCode: exit.failed,
      message: `There is no file ${file}`,
      hint: 'Create it with "docsctl init", or choose another profile.',
    });
    return undefined;
  }
  if (globals.as !== undefined) report.ok('as', globals.as);
  return address;
}

export const withSource = ({ value, source }: Setting): string => `${value} (${source})`;
