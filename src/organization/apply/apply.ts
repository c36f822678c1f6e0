import { dirname } from 'node:path/posix';
import { HttpError } from '../../client/errors/http-error.ts';
import { findMembersNamed, keyOf } from '../../client/find-members.ts';
import type { Port } from '../../client/port.ts';
import { untilProcessed } from '../../client/until-processed.ts';
import type { AnswerOf, BodyOf, Endpoint } from '../../contract/endpoint.ts';
import { groupNames, loadGroup } from '../../contract/groups.ts';
import { invites } from '../../contract/invites.ts';
import { members } from '../../contract/members.ts';
import { openapi } from '../../contract/openapi.ts';
import { eachOf } from '../../shared/each-of.ts';
import { EngineError } from '../../shared/engine-error.ts';
import { isObject } from '../../shared/is-object.ts';
import { valueAt } from '../../shared/value-at.ts';
import { sendStep } from '../content/send-content.ts';
import { type Lock, saveLock } from '../lock.ts';
import { namedKinds, singular } from '../parts.ts';
import { type Change, type ContentStep, phases, requestCount, type Step } from '../plan/change.ts';
import type { MadePlan } from '../plan/make-plan.ts';
import type { OrganizationPort } from '../port.ts';
import type { Applied, ChangeResult } from './applied.ts';
import type { StateRecorder } from './state-recorder.ts';

/** Sends a plan. Created objects are added to the lock file immediately, in case the run is interrupted. */
export function applyPlan(
  port: OrganizationPort,
  made: MadePlan,
  { keepGoing, recorder }: { keepGoing: boolean; recorder?: StateRecorder | undefined },
): Promise<Applied> {
  const { plan, lock, path, hasFolder } = made;
  const kinds = new Map(namedKinds.map((kind) => [singular[kind], kind]));
  return apply(port, {
    changes: plan.changes,
    steps: plan.steps,
    contents: {
      steps: plan.contents,
      async send(step, spaceId) {
        const revision = await sendStep(port, made, step, spaceId);
        recorder?.sent(step.content, revision);
      },
    },
    keepGoing,
    isStopped: () => recorder?.failure !== undefined,
    done: (index) => recorder?.done(index),
    async made(placeholder, id) {
      const [kind = '', ...name] = placeholder.split('/');
      const named = kinds.get(kind);
      if (!named) return;
      lock.ids[named].set(name.join('/'), id);
      if (hasFolder) await saveLock(path, lock);
      await recorder?.made(named, name.join('/'), id);
    },
  });
}

/** Stores the hashes of the files whose changes are done. @param results of the changes that were sent */
export async function renewLock({ plan, lock, hashes, path }: MadePlan, results: Applied['results']): Promise<void> {
  const unfinished = new Set(plan.changes.flatMap(({ file }, index) => (results[index] === 'done' ? [] : [file])));
  for (const [file, hash] of hashes) if (!unfinished.has(file)) lock.files.set(file, hash);
  // If somebody creates such an object in the service later, an export writes its files again.
  for (const { action, file } of plan.changes)
    if (action === 'delete' && !hashes.has(file) && !unfinished.has(file)) forgetFile(lock, file);
  await saveLock(path, lock);
}

/** A space has a folder of files. */
function forgetFile({ files }: Lock, file: string): void {
  const folder = file.startsWith('spaces/') ? `${dirname(file)}/` : file;
  for (const path of files.keys()) if (path.startsWith(folder)) files.delete(path);
}

interface ApplyOptions {
  changes: readonly Change[];
  steps: readonly Step[];
  contents?: {
    steps: readonly ContentStep[];
    /** Brings a content folder into the space with this id. */
    send(step: ContentStep, spaceId: string): Promise<void>;
  };
  keepGoing: boolean;
  /** Whether nothing more may be sent. */
  isStopped?(): boolean;
  /** Called with the index of each change that was made. */
  done?(index: number): void;
  /** Called with the placeholder and the ID of each created object. */
  made?(placeholder: string, id: string): Promise<void>;
}

/** Why changes were not made although the request succeeded, by the name of the object. */
type Unfulfilled = Map<string, Error>;

/** Concurrent requests. Phases are sent one after the other. */
const maxRequests = 4;

/**
 * Sends the requests of a plan. If one fails, its changes fail, and so do those that need the object that it would have
 * created. Without `keepGoing`, nothing is sent after a failure.
 */
export async function apply(port: Port, options: ApplyOptions): Promise<Applied> {
  const run = new ApplyRun(port, options);
  const byPhase = Map.groupBy(options.steps, ({ phase }) => phase);
  for (const [phase, name] of phases.entries()) {
    await run.phase(byPhase.get(phase) ?? []);
    if (name === 'content') await run.contents();
  }
  return run.applied();
}

/** Ignores moves to the current place of an object, which plans do not always know. @throws other errors */
function ignoreNoChange(error: unknown): undefined {
  if (!(error instanceof HttpError) || error.reason !== 'no-change') throw error;
}

class ApplyRun {
  readonly #port: Port;
  readonly #options: ApplyOptions;
  readonly #errors = new Map<number, Error>();
  readonly #ids = new Map<string, string>();
  /** How many steps of each change are still to be sent. */
  readonly #left: number[];
  readonly #requests: number;
  #sent = 0;
  #stopped = false;

  constructor(port: Port, options: ApplyOptions) {
    this.#port = port;
    this.#options = options;
    this.#requests = requestCount(options.steps, options.contents?.steps);
    this.#left = options.changes.map(() => 0);
    for (const { changes } of [...options.steps, ...(options.contents?.steps ?? [])])
      for (const index of new Set(changes)) this.#left[index] = (this.#left[index] ?? 0) + 1;
  }

  /** Steps of one change keep their order. */
  async phase(steps: readonly Step[]): Promise<void> {
    const lanes = Map.groupBy(steps, (step) => (isOrdered(step) ? 'ordered' : step.changes.join(',')));
    await eachOf(
      [...lanes.values()],
      async (lane) => {
        for (const step of lane) await this.#send(step);
      },
      maxRequests,
    );
  }

  async contents(): Promise<void> {
    const { contents } = this.#options;
    if (contents)
      await eachOf(
        [...contents.steps],
        (step) =>
          this.#attempt(step, async () => {
            await contents.send(step, this.#fill(step.space));
            return { sent: step.requests };
          }),
        maxRequests,
      );
  }

  applied(): Applied {
    const results = this.#left.map((left, index): ChangeResult => {
      const error = this.#errors.get(index);
      if (error) return error instanceof MissingObject ? 'not done' : 'failed';
      return left === 0 ? 'done' : 'not done';
    });
    return { results, errors: this.#errors, sent: this.#sent };
  }

  #send(step: Step): Promise<void> {
    return this.#attempt(step, async () => {
      const { client } = this.#port;
      const endpoint = await endpointNamed(step.endpoint);
      await this.#findMembers(step);
      const params = this.#filled(step.params);
      const body = step.body === undefined ? {} : { body: this.#filled(step.body) };
      const answer = await client.call(endpoint, { params, ...body }).catch(ignoreNoChange);
      for (const [placeholder, path] of Object.entries(step.makes ?? {})) {
        const id = valueAt(answer, path);
        if (typeof id !== 'string')
          throw new Error(`The response to ${endpoint.method} ${endpoint.path} has no ${path}.`);
        this.#ids.set(placeholder, id);
        await this.#options.made?.(placeholder, id);
      }
      return { sent: 1, unfulfilled: await unfulfilledOf(this.#port, { ...step, params, ...body }, answer) };
    });
  }

  /** @param send returns how many requests it sent, and which changes the service did not make although they succeeded */
  async #attempt(
    step: Pick<Step, 'changes'>,
    send: () => Promise<{ sent: number; unfulfilled?: Unfulfilled }>,
  ): Promise<void> {
    const { changes, keepGoing } = this.#options;
    const { signal, progress } = this.#port;
    if (this.#stopped || signal.aborted || this.#options.isStopped?.()) return;
    // A step for several changes is sent for those that have not failed.
    if (step.changes.every((index) => this.#errors.has(index))) return;
    try {
      const { sent, unfulfilled } = await send();
      this.#sent += sent;
      progress.count(this.#sent, this.#requests);
      for (const index of step.changes) {
        const error = unfulfilled?.get(changes[index]?.name ?? '');
        if (error) this.#errors.set(index, error);
        else this.#left[index] = (this.#left[index] ?? 1) - 1;
        if (this.#left[index] === 0 && !this.#errors.has(index)) this.#options.done?.(index);
      }
      if (!keepGoing && unfulfilled && unfulfilled.size > 0) this.#stopped = true;
    } catch (error) {
      if (signal.aborted) return;
      for (const index of step.changes)
        this.#errors.set(index, error instanceof Error ? error : new Error(String(error)));
      if (!keepGoing) this.#stopped = true;
    }
  }

  /** Looks up members that the plan invited, because the response to an invite does not match IDs to addresses. */
  async #findMembers({ params, body }: Step): Promise<void> {
    const { client } = this.#port;
    const { orgId = '' } = params;
    const placeholders = JSON.stringify([params, body]).matchAll(/"\{(member\/([^"{}]+))\}"/g);
    for (const [, placeholder = '', email = ''] of placeholders) {
      if (this.#ids.has(placeholder)) continue;
      for await (const { id, user } of client.items(members.list, { params: { orgId }, query: { search: email } }))
        if (user.email?.toLowerCase() === email) this.#ids.set(placeholder, id);
    }
  }

  /** A copy with IDs instead of placeholders. @throws MissingObject if an object was not created */
  #filled<Value>(value: Value): Value;
  #filled(value: unknown): unknown {
    if (typeof value === 'string') return this.#fill(value);
    if (Array.isArray(value)) return value.map((item: unknown) => this.#filled(item));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [this.#fill(key), this.#filled(member)]));
  }

  #fill(text: string): string {
    const [, placeholder] = /^\{([a-z ]+\/.+)\}$/s.exec(text) ?? [];
    if (placeholder === undefined) return text;
    const id = this.#ids.get(placeholder);
    if (id === undefined) throw new MissingObject(placeholder);
    return id;
  }
}

/** Why a request was not sent: it needs an object that could not be created. */
class MissingObject extends Error {
  override readonly name = 'MissingObject';

  constructor(placeholder: string) {
    const [kind, ...name] = placeholder.split('/');
    super(`The ${kind} "${name.join('/')}" does not exist.`);
  }
}

/** Whether the result depends on the order: places among siblings, and lists sorted by creation time. */
const isOrdered = ({ endpoint }: Step) =>
  /^(?:(?:collections|spaces)\.(?:create|delete|move)|translations\.create|invites\.createLink)$/.test(endpoint);

async function endpointNamed(name: string): Promise<Endpoint> {
  const [word, key = ''] = name.split('.');
  const group = groupNames.find((each) => each === word);
  const endpoint = group && (await loadGroup(group))[key];
  if (!endpoint) throw new Error(`There is no endpoint ${name}.`);
  return endpoint;
}

/** The changes that the service did not make although the request succeeded. */
async function unfulfilledOf(
  port: Port,
  { endpoint, params, body }: Pick<Step, 'endpoint' | 'params' | 'body'>,
  answer: unknown,
): Promise<Unfulfilled> {
  if (endpoint === invites.send.name) {
    const invited = invites.send.definition.response().parse(answer);
    return notInvited(port, params['orgId'] ?? '', invites.send.definition.body().parse(body), invited);
  }
  if (endpoint === openapi.put.name) {
    const { orgId = '', specSlug = '' } = params;
    try {
      await untilProcessed(port, { orgId, specSlug });
    } catch (error) {
      if (error instanceof EngineError) return new Map([[specSlug, error]]);
      throw error;
    }
  }
  return new Map();
}

async function notInvited(
  { client }: Port,
  orgId: string,
  { emails, role, sso }: BodyOf<typeof invites.send>,
  { invited, failedSSOEmails }: AnswerOf<typeof invites.send>,
): Promise<Unfulfilled> {
  const withoutSso = new Set(failedSSOEmails.map(keyOf));
  const failures: Unfulfilled = new Map([...withoutSso].map((email) => [email, noSso(email)]));
  if (invited + withoutSso.size === emails.length) return failures;
  // People who became members in the meantime keep their role.
  const people = emails
    .map((item) => (typeof item === 'string' ? { email: item, role } : item))
    .filter(({ email }) => !withoutSso.has(keyOf(email)));
  const addresses = people.map(({ email }) => email);
  const found = await findMembersNamed(client, orgId, addresses);
  for (const { email, role: invitedRole } of people) {
    const member = found.get(keyOf(email));
    if (!member) failures.set(keyOf(email), refused(`${email} was not invited; the service gave no reason.`));
    else if (member.sso !== sso || (invitedRole !== undefined && member.role !== invitedRole))
      failures.set(
        keyOf(email),
        refused(
          `${email} became a member in the meantime, with the role ${member.role ?? 'guest'} and ${member.sso ? 'with' : 'without'} SSO, and was left unchanged.`,
        ),
      );
  }
  return failures;
}

const refused = (message: string, hint?: string) =>
  new EngineError('refused', message, hint === undefined ? {} : { hint });

function noSso(email: string): EngineError {
  const domain = email.slice(email.lastIndexOf('@') + 1);
  return refused(
    `${email} was not invited: ${domain} is not an email domain of the organization, which SSO requires.`,
    `Add ${domain} to emailDomains in organization.yaml or with "docsctl orgs edit --add-email-domain", or invite without SSO.`,
  );
}
