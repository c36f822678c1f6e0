import { HttpError } from '../../client/errors/http-error.ts';
import { findMembersNamed, keyOf } from '../../client/find-members.ts';
import type { Port } from '../../client/port.ts';
import { untilProcessed } from '../../client/until-processed.ts';
import * as groups from '../../contract/all.ts';
import type { AnswerOf, BodyOf, Endpoint } from '../../contract/endpoint.ts';
import { eachOf } from '../../shared/each-of.ts';
import { EngineError } from '../../shared/engine-error.ts';
import { isObject } from '../../shared/is-object.ts';
import { valueAt } from '../../shared/value-at.ts';
import { type Change, type ContentStep, type Step, phases } from '../plan/change.ts';
import { requestCount } from '../plan/plan.ts';

type ChangeResult = 'done' | 'failed' | 'not done';

interface ApplyOptions {
  changes: readonly Change[];
  steps: readonly Step[];
  contents?: {
    steps: readonly ContentStep[];
    /** Brings a content folder into the space with this id. */
    send(step: ContentStep, spaceId: string): Promise<void>;
  };
  keepGoing: boolean;
  /** Called when an object was made, with its placeholder and its id. */
  made?(placeholder: string, id: string): Promise<void>;
}

/** Why changes of a request were not made although the service answered with success, by the name of the object. */
type Unfulfilled = Map<string, Error>;

export interface Applied {
  results: ChangeResult[];
  /** Why changes failed, or why nothing of them was sent, by their index. */
  errors: Map<number, Error>;
  sent: number;
}

/** Phases are sent one after the other; in a phase several requests are on their way at once. */
const maxRequests = 4;

/**
 * Sends the requests of a plan. A failed one fails its changes, and those that need what it would have made; without
 * `keepGoing` nothing is sent after it.
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

/** A move to the place where an object is already: a plan does not always know where that is. @throws the error otherwise */
function unlessThereAlready(error: unknown): undefined {
  if (!(error instanceof HttpError) || error.reason !== 'no-change') throw error;
}

class ApplyRun {
  readonly #port: Port;
  readonly #options: ApplyOptions;
  readonly #errors = new Map<number, Error>();
  readonly #ids = new Map<string, string>();
  readonly #left: number[];
  #sent = 0;
  #stopped = false;

  constructor(port: Port, options: ApplyOptions) {
    this.#port = port;
    this.#options = options;
    this.#left = options.changes.map(
      (_, index) =>
        [...options.steps, ...(options.contents?.steps ?? [])].filter(({ changes }) => changes.includes(index)).length,
    );
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
      const endpoint = endpointNamed(step.endpoint);
      await this.#findMembers(step);
      const params = this.#filled(step.params);
      const body = step.body === undefined ? {} : { body: this.#filled(step.body) };
      const answer = await client.call(endpoint, { params, ...body }).catch(unlessThereAlready);
      for (const [placeholder, path] of Object.entries(step.makes ?? {})) {
        const id = valueAt(answer, path);
        if (typeof id !== 'string')
          throw new Error(`The answer of ${endpoint.method} ${endpoint.path} has no ${path}.`);
        this.#ids.set(placeholder, id);
        await this.#options.made?.(placeholder, id);
      }
      return { sent: 1, unfulfilled: await unfulfilledOf(this.#port, { ...step, params, ...body }, answer) };
    });
  }

  /** @param send returns how many requests it sent, and which changes the service did not make all the same */
  async #attempt(
    step: Pick<Step, 'changes'>,
    send: () => Promise<{ sent: number; unfulfilled?: Unfulfilled }>,
  ): Promise<void> {
    const { changes, keepGoing, steps, contents } = this.#options;
    const { signal, progress } = this.#port;
    if (this.#stopped || signal.aborted) return;
    // A step of several changes is sent for those that are left.
    if (step.changes.every((index) => this.#errors.has(index))) return;
    try {
      const { sent, unfulfilled } = await send();
      this.#sent += sent;
      progress.count(this.#sent, requestCount(steps, contents?.steps));
      for (const index of step.changes) {
        const error = unfulfilled?.get(changes[index]?.name ?? '');
        if (error) this.#errors.set(index, error);
        else this.#left[index] = (this.#left[index] ?? 1) - 1;
      }
      if (!keepGoing && unfulfilled && unfulfilled.size > 0) this.#stopped = true;
    } catch (error) {
      if (signal.aborted) return;
      for (const index of step.changes)
        this.#errors.set(index, error instanceof Error ? error : new Error(String(error)));
      if (!keepGoing) this.#stopped = true;
    }
  }

  /** Looks up members that the plan invited: the answer to an invite does not tell whose ids it has. */
  async #findMembers({ params, body }: Step): Promise<void> {
    const { client } = this.#port;
    for (const [, placeholder = '', email = ''] of JSON.stringify([params, body]).matchAll(
      /"\{(member\/([^"{}]+))\}"/g,
    )) {
      if (this.#ids.has(placeholder)) continue;
      const query = { search: email };
      for await (const { id, user } of client.items(groups.members.list, {
        params: { orgId: params['orgId'] ?? '' },
        query,
      }))
        if (user.email?.toLowerCase() === email) this.#ids.set(placeholder, id);
    }
  }

  /** A copy with ids in the place of placeholders. @throws MissingObject for one that was not made */
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

/** Why a request was not sent: it needs an object that could not be made. */
class MissingObject extends Error {
  override readonly name = 'MissingObject';

  constructor(placeholder: string) {
    const [kind, ...name] = placeholder.split('/');
    super(`The ${kind} "${name.join('/')}" is not there.`);
  }
}

/** Requests whose effect depends on those of other changes: places among siblings, and in lists by time of creation. */
const isOrdered = ({ endpoint }: Step) =>
  /^(?:(?:collections|spaces)\.(?:create|delete|move)|translations\.create|invites\.createLink)$/.test(endpoint);

function endpointNamed(name: string): Endpoint {
  const endpoint = Object.values(groups)
    .flatMap((group): Endpoint[] => Object.values(group))
    .find((each) => each.name === name);
  if (!endpoint) throw new Error(`There is no endpoint ${name}.`);
  return endpoint;
}

/** What the service did not do although it answered with success. */
async function unfulfilledOf(
  port: Port,
  { endpoint, params, body }: Pick<Step, 'endpoint' | 'params' | 'body'>,
  answer: unknown,
): Promise<Unfulfilled> {
  if (endpoint === groups.invites.send.name) {
    const invited = groups.invites.send.definition.response().parse(answer);
    return notInvited(port, params['orgId'] ?? '', groups.invites.send.definition.body().parse(body), invited);
  }
  if (endpoint === groups.openapi.put.name) {
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
  { emails, role, sso }: BodyOf<typeof groups.invites.send>,
  { invited, failedSSOEmails }: AnswerOf<typeof groups.invites.send>,
): Promise<Unfulfilled> {
  const withoutSso = new Set(failedSSOEmails.map(keyOf));
  const failures: Unfulfilled = new Map([...withoutSso].map((email) => [email, noSso(email)]));
  if (invited + withoutSso.size === emails.length) return failures;
  // Somebody became a member in the meantime, and keeps the role of then.
  const people = emails
    .map((item) => (typeof item === 'string' ? { email: item, role } : item))
    .filter(({ email }) => !withoutSso.has(keyOf(email)));
  const members = await findMembersNamed(
    client,
    orgId,
    people.map(({ email }) => email),
  );
  for (const { email, role: wanted } of people) {
    const member = members.get(keyOf(email));
    if (!member) failures.set(keyOf(email), refused(`${email} was not invited; the service gives no reason.`));
    else if (member.sso !== sso || (wanted !== undefined && member.role !== wanted))
      failures.set(
        keyOf(email),
        refused(
          `${email} became a member in the meantime, with the role ${member.role ?? 'guest'} and ${member.sso ? 'with' : 'without'} SSO, and was not changed.`,
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
    `${email} was not invited: ${domain} is not an email domain of the organization, and only those sign in with SSO.`,
    `Add ${domain} to emailDomains in organization.yaml or with "docsctl orgs edit --add-email-domain", or invite without SSO.`,
  );
}
