import { existsSync } from 'node:fs';
import type { Client } from '../../client/client.ts';
import { configFile } from '../../cli/settings/config.ts';
import { placeOfToken } from '../../cli/settings/credentials.ts';
import { exit } from '../../cli/program/exit-status.ts';
import { CommandError, type Failure, failureOf } from '../../cli/program/failure.ts';
import type { Invocation } from '../../cli/command/invocation.ts';
import { createListOutput, createProgress } from '../../cli/output/index.ts';
import { findProjectFile, type Project } from '../../cli/settings/project.ts';
import { ProfileNotAllowed } from '../../cli/settings/project-permission.ts';
import { optionsFor } from '../../cli/command/run.ts';
import { embeddedFile, type Setting } from '../../cli/settings/session.ts';
import { members } from '../../contract/members.ts';
import { orgs } from '../../contract/orgs.ts';
import { sites } from '../../contract/sites.ts';
import { spaces } from '../../contract/spaces.ts';
import { users } from '../../contract/users.ts';
import { version } from '../../shared/version.ts';

const patienceSeconds = 10;
/** Where an error does not tell by itself what to do. */
const seeAll = '"docsctl api user --debug" shows what is sent and what comes back.';

interface Finding {
  check: string;
  state: 'ok' | 'warn' | 'fail';
  detail: string;
  hint?: string;
}

/** What the checks found so far, and what they work with. */
interface Examination {
  invocation: Invocation;
  findings: Finding[];
  /** The status of the first check that failed. */
  exitCode: number | undefined;
}

/** Runs all checks that can be run, prints them, and fails where one of them does. */
export async function examine(invocation: Invocation): Promise<void> {
  const { io, command } = invocation;
  const examination: Examination = { invocation, findings: [], exitCode: undefined };
  const progress = createProgress('Checking', { animated: io.canAnimate });
  await runChecks(examination).finally(() => progress.stop());
  const output = createListOutput(
    { ...optionsFor(invocation, users.current), known: ['hint'] },
    command.output!.columns!,
    io.out,
  );
  await output.page(examination.findings);
  await output.end();
  const { findings, exitCode } = examination;
  const failed = findings.filter(({ state }) => state === 'fail');
  for (const finding of findings) {
    const { check, hint } = finding;
    if (hint && finding !== failed[0]) await io.note(`hint: ${check}: ${hint}`);
  }
  if (exitCode === undefined) return;
  throw new CommandError(failed.map(({ check, detail }) => `${check}: ${detail}`).join('\n'), {
    exitCode,
    ...(failed[0]!.hint === undefined ? {} : { hint: failed[0]!.hint }),
  });
}

async function runChecks(examination: Examination): Promise<void> {
  add(examination, 'docsctl', `${version} on Node.js ${process.versions.node}, ${process.platform}`);
  checkEnvironment(examination);
  if (!(await checkFiles(examination))) return;
  const address = await checkAddress(examination);
  if (!address) return;
  const client = await checkService(examination, address);
  if (!client) return;
  try {
    const user = await checkUser(examination, client);
    if (user !== undefined) await checkPlaces(examination, client, user);
  } finally {
    await client.close();
  }
}

function add({ findings }: Examination, check: string, detail: string, more: Partial<Finding> = {}) {
  findings.push({ check, state: 'ok', detail, ...more });
}

function fail(examination: Examination, check: string, { message, hint, exitCode }: Failure) {
  examination.exitCode ??= exitCode;
  add(examination, check, message.replace(/\.$/, ''), { state: 'fail', ...(hint === undefined ? {} : { hint }) });
}

/** The value of a step, or undefined after its failure was noted. */
async function step<T>(
  examination: Examination,
  check: string,
  work: () => T | Promise<T>,
  advice?: string,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    const failure = failureOf(error);
    fail(examination, check, { ...failure, hint: failure.hint ?? advice ?? seeAll });
    return undefined;
  }
}

const from = ({ value, source }: Setting) => `${value} (${source})`;

function checkEnvironment(examination: Examination) {
  const { env, globals } = examination.invocation.session;
  const names = Object.keys(env).filter((name) => name.startsWith('DOCSCTL_') && env[name]);
  const isUnused = Boolean(env.DOCSCTL_TOKEN) && !env.DOCSCTL_URL && globals.url === undefined;
  add(
    examination,
    'environment',
    names.length === 0 ? 'no variable of docsctl is set' : names.toSorted().join(', '),
    isUnused
      ? { state: 'warn', hint: 'DOCSCTL_TOKEN is not used without DOCSCTL_URL, whose service it is for. Set both.' }
      : {},
  );
}

async function checkFiles(examination: Examination): Promise<boolean> {
  const { session } = examination.invocation;
  const file = configFile();
  const settings = await step(examination, 'settings', () => session.config);
  if (!settings) return false;
  const count = Object.keys(settings.profiles).length;
  add(
    examination,
    'settings',
    existsSync(file) ? `${file}, ${count} profile${count === 1 ? '' : 's'}` : `none yet (${file})`,
  );
  const found = await step(examination, 'project', async () => ({ project: await session.project() }));
  if (!found) return false;
  await addProject(examination, found.project);
  return true;
}

async function addProject(examination: Examination, project: Project | undefined) {
  const { refusal } = await examination.invocation.session.profileStatus();
  const isRefused = refusal instanceof ProfileNotAllowed;
  const ignored = project ? undefined : findProjectFile();
  const absent = ignored === undefined ? 'no .docsctl.yaml here or above' : `${ignored} is not read`;
  add(
    examination,
    'project',
    isRefused ? refusal.message.replace(/\.$/, '') : (project?.file ?? absent),
    isRefused ? { state: 'warn', hint: refusal.hint! } : {},
  );
}

async function checkAddress(examination: Examination): Promise<Setting | undefined> {
  const { session, globals } = examination.invocation;
  const isNamed = globals.profile === undefined && Boolean(globals.url ?? session.env.DOCSCTL_URL);
  const address = await step(examination, isNamed ? 'service' : 'profile', () => session.address({ ask: false }));
  if (!address) return undefined;
  const profile = address.origin === 'profile' ? await session.profileName() : undefined;
  add(examination, 'profile', profile ? from(profile) : `none: the address comes from ${address.source}`);
  const file = embeddedFile(address.value, session.env);
  if (file !== undefined && file !== ':memory:' && !existsSync(file)) {
    fail(examination, 'service', {
      exitCode: exit.failed,
      message: `There is no file ${file}`,
      hint: 'Make it with "docsctl init", or choose another profile.',
    });
    return undefined;
  }
  if (globals.as !== undefined) add(examination, 'as', globals.as);
  return address;
}

const isUnencrypted = (url: string) =>
  url.startsWith('http:') && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);

/** @returns a client of the service, if it answers and takes the token */
async function checkService(examination: Examination, address: Setting): Promise<Client | undefined> {
  const { session } = examination.invocation;
  const isEmbedded = embeddedFile(address.value, session.env) !== undefined;
  const token = isEmbedded
    ? undefined
    : await step(examination, 'token', () => session.token({ ask: false }).then((found) => found ?? null));
  if (!isEmbedded && token === undefined) return undefined;
  let client: Client | undefined;
  try {
    client = await session.clientFor(address.value, token?.value, { timeout: patienceSeconds, retries: 0 });
    await client.call(users.current, {});
  } catch (error) {
    const failure = failureOf(error);
    if (failure.status !== 401) {
      fail(examination, 'service', { ...failure, hint: failure.hint ?? seeAll });
      await client?.close();
      return undefined;
    }
    tellService(examination, address);
    fail(examination, 'token', token ? tokenFailure(token, failure) : failureOf(session.tokenMissing(address)));
    await client?.close();
    return undefined;
  }
  tellService(examination, address);
  add(examination, 'token', isEmbedded ? 'not needed' : `accepted, from ${placeOf(token!)}`);
  return client;
}

function tellService(examination: Examination, address: Setting) {
  add(
    examination,
    'service',
    `${from(address)} answers`,
    isUnencrypted(address.value)
      ? { state: 'warn', hint: 'The connection is not encrypted: the token can be read on its way. Use https.' }
      : {},
  );
}

const placeOf = ({ origin, source }: Setting) =>
  origin === 'profile' ? `the ${placeOfToken(source) ?? 'file'} (profile ${source})` : source;

const tokenFailure = (token: Setting, { hint, message }: Failure): Failure => ({
  exitCode: exit.unauthenticated,
  message: `${placeOf(token)}: ${message}`,
  ...(hint === undefined ? {} : { hint }),
});

async function checkUser(examination: Examination, client: Client): Promise<string | undefined> {
  const user = await step(examination, 'user', () => client.call(users.current, {}));
  if (user)
    add(examination, 'user', `${user.displayName}${user.email === undefined ? '' : ` <${user.email}>`}, ${user.id}`);
  return user?.id;
}

/** Organization, role, and the space and site that are meant where none is named. */
async function checkPlaces(examination: Examination, client: Client, user: string): Promise<void> {
  const { session, flags } = examination.invocation;
  const set = await session.scope('org', flags.org);
  const orgId = set?.value ?? (await onlyOrganization(examination, client));
  if (orgId === undefined) return;
  const org = await step(
    examination,
    'organization',
    () => client.call(orgs.view, { params: { orgId } }),
    'Choose another, as with "docsctl config set org <id>"; "docsctl orgs list" shows those that you may see.',
  );
  if (!org) return;
  const source = set ? set.source : 'the only one';
  add(
    examination,
    'organization',
    `${org.title}, ${org.id} (${source})`,
    org.blocked ? { state: 'warn', hint: 'The organization is blocked: nothing in it can be changed.' } : {},
  );
  await checkRole(examination, client, orgId, user);
  const space = await session.scope('space', flags.space);
  if (space) {
    const found = await optional(examination, 'space', space, () =>
      client.call(spaces.view, { params: { spaceId: space.value } }),
    );
    if (found) add(examination, 'space', `${found.title}, ${from(space)}`);
  }
  const site = await session.scope('site', flags.site);
  if (site) {
    const found = await optional(examination, 'site', site, () =>
      client.call(sites.view, { params: { orgId, siteId: site.value } }),
    );
    if (found) add(examination, 'site', `${found.title}, ${from(site)}`);
  }
}

async function onlyOrganization(examination: Examination, client: Client): Promise<string | undefined> {
  const list = await step(examination, 'organization', () => client.call(orgs.list, { query: { limit: 1 } }));
  if (!list) return undefined;
  if (list.count === 1) return list.items[0]!.id;
  add(
    examination,
    'organization',
    list.count === 0 ? 'you belong to none' : `none is set, and you belong to ${list.count}`,
    {
      state: 'warn',
      hint:
        list.count === 0
          ? 'Ask for an invite, or make one with "docsctl orgs create".'
          : 'Set one with "docsctl config set org <id>"; "docsctl orgs list" shows them.',
    },
  );
  return undefined;
}

async function checkRole(examination: Examination, client: Client, orgId: string, user: string): Promise<void> {
  try {
    const { role, disabled } = await client.call(members.view, { params: { orgId, userId: user } });
    add(
      examination,
      'role',
      role ?? 'guest',
      disabled ? { state: 'warn', hint: 'Your membership is disabled: ask an administrator.' } : {},
    );
  } catch (error) {
    // Guests may not look anybody up, themselves included.
    const { status, message } = failureOf(error);
    if (status === 403) add(examination, 'role', 'guest: what was shared with you, and nothing else');
    else add(examination, 'role', message, { state: 'warn', hint: seeAll });
  }
}

/** A default that is gone is no failure of the service. */
async function optional<T>(
  examination: Examination,
  check: string,
  setting: Setting,
  view: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await view();
  } catch (error) {
    const { message } = failureOf(error);
    add(examination, check, `${from(setting)}: ${message}`, {
      state: 'warn',
      hint: `Choose another, as with "docsctl config set ${check} <id>".`,
    });
    return undefined;
  }
}
