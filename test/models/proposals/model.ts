import fc from 'fast-check';
import { type Model, type Step, story } from '../model.ts';
import { endHomes, type Home, openHome } from '../world/home.ts';
import type { Run } from '../world/service.ts';
import { showRun, Violation } from '../world/shown.ts';
import { mutants } from './mutants.ts';

/** Two administrators besides the one of the instance, and somebody who may edit every space. */
const actors = ['ann', 'ben', 'cleo', 'edit'] as const;
type Actor = (typeof actors)[number];
const targets = ['comment', 'read'] as const;
type Target = (typeof targets)[number];
const roles = ['read', 'comment', 'edit', 'review'] as const;
type Role = (typeof roles)[number];

interface Proposal {
  number: number;
  target: Target;
  /** What its content says now. */
  role: Role;
  /** The role of the target when it was proposed, or when it was approved if the author could not see everything. */
  before: Role;
  /** Whether its author could see everything. */
  isComplete: boolean;
  /** Everybody who wrote or edited it. */
  authors: Set<Actor>;
  /** Of its content as it is now. */
  approvals: Set<Actor>;
  isRejected: boolean;
  /** The role that the apply replaced. */
  applied?: string;
  isReverted: boolean;
}

interface Expected {
  roles: Map<Target, string>;
  proposals: Proposal[];
}

interface World {
  home: Home;
  ids: Map<Actor | Target, string>;
}

const rolesIn = async ({ home, ids }: World): Promise<Map<Target, string>> => {
  const { items } = await home.service.call('GET', `/v1/orgs/${home.organization.id}/members?limit=100`);
  const byId = new Map(items.map((member: { id: string; role: string }) => [member.id, member.role]));
  return new Map(targets.map((target) => [target, String(byId.get(ids.get(target) ?? ''))]));
};

async function run({ home, ids }: World, actor: Actor, ...words: string[]): Promise<Run> {
  const result = await home.service.run([...words, '--yes'], { dir: home.folder, as: ids.get(actor) });
  showRun([`(${actor})`, ...words], result);
  return result;
}

const roleNamed = (text: string | undefined): Role => roles.find((each) => each === text) ?? 'read';

const isAdministrator = (actor: Actor) => actor !== 'edit';
const isValid = ({ approvals, isRejected, applied }: Proposal) =>
  approvals.size > 0 && !isRejected && applied === undefined;

/** What nothing but an apply or a revert that succeeds may do. */
function refuseChange(
  before: ReadonlyMap<Target, string>,
  after: ReadonlyMap<Target, string>,
  what: string,
  result: Run,
) {
  for (const target of targets)
    if (before.get(target) !== after.get(target))
      throw new Violation(
        `${what} changed the role of ${target}: ${before.get(target)} -> ${after.get(target)}\n${result.stderr}`,
      );
}

const stepOf = (text: string, body: (expected: Expected, world: World) => Promise<void>): Step<Expected, World> => ({
  check: () => true,
  toString: () => text,
  run: body,
});

const about = (
  { actor, index }: { actor: Actor; index: number },
  verb: string,
  body: (proposal: Proposal, world: World, expected: Expected) => Promise<void>,
): Step<Expected, World> =>
  stepOf(`${actor} ${verb} ${index < 0 ? 'the newest proposal' : `proposal ${index + 1}`}`, async (expected, world) => {
    const proposal = expected.proposals.at(index);
    if (proposal) await body(proposal, world, expected);
  });

const propose = ({ actor, target, role }: { actor: Actor; target: Target; role: Role }) =>
  stepOf(`${actor} proposes the role ${role} for ${target}`, async (expected, world) => {
    const before = await rolesIn(world);
    const result = await run(
      world,
      actor,
      'propose',
      '--json',
      '--',
      'members',
      'edit',
      world.ids.get(target) ?? '',
      '--role',
      role,
    );
    refuseChange(before, await rolesIn(world), 'a proposal', result);
    if (result.status !== 0) return;
    expected.proposals.push({
      number: JSON.parse(result.stdout).number,
      target,
      role,
      before: roleNamed(before.get(target)),
      isComplete: isAdministrator(actor),
      authors: new Set([actor]),
      approvals: new Set(),
      isRejected: false,
      isReverted: false,
    });
  });

const edit = ({ target, role }: { target: Target; role: Role }) =>
  stepOf(`somebody gives ${target} the role ${role}`, async (expected, { home, ids }) => {
    await home.service.call('PATCH', `/v1/orgs/${home.organization.id}/members/${ids.get(target)}`, { role });
    expected.roles.set(target, role);
  });

/** Gives a person the role from before a proposal again, as if it had not been applied. */
const restore = stepOf('somebody restores the role from before the newest proposal', async (expected, world) => {
  const proposal = expected.proposals.at(-1);
  if (proposal) await edit({ target: proposal.target, role: proposal.before }).run(expected, world);
});

const alter = (choice: { actor: Actor; index: number; role: Role }) =>
  about(choice, `alters to ${choice.role}`, async (proposal, world) => {
    const { actor, role } = choice;
    if (proposal.applied !== undefined || proposal.isRejected) return;
    const { service, organization } = world.home;
    const { items } = await service.call('GET', `/v1/orgs/${organization.id}/spaces?limit=100`);
    const space = items.find(({ title }: { title: string }) => title === 'docsctl proposals').id;
    const view = await run(world, actor, 'proposals', 'view', String(proposal.number), '--json');
    const base = `/v1/spaces/${space}/change-requests/${JSON.parse(view.stdout).id}/content`;
    const { pages } = await service.call('GET', `${base}/pages`);
    const { id } = pages.find(({ title }: { title: string }) => title === `Proposal ${proposal.number}`);
    const { markdown } = await service.call('GET', `${base}/page/${id}?format=markdown`);
    // With the same role, only the title changes: the effect stays the same, and still nobody has approved it.
    const text = String(markdown)
      .replace(`"--role","${proposal.role}"`, `"--role","${role}"`)
      .replace('"title":"', '"title":"Other ');
    const changes = [{ operation: 'update_page', page: id, document: { markdown: text } }];
    const sent = await run(world, actor, 'api', 'POST', base, '-F', `changes=${JSON.stringify(changes)}`);
    if (sent.status !== 0) return;
    proposal.role = role;
    proposal.authors.add(actor);
    proposal.approvals.clear();
  });

const approve = (choice: { actor: Actor; index: number }) =>
  about(choice, 'approves', async (proposal, world, expected) => {
    const before = await rolesIn(world);
    const result = await run(world, choice.actor, 'proposals', 'approve', String(proposal.number));
    refuseChange(before, await rolesIn(world), 'an approval', result);
    if (result.status !== 0) return;
    if (!isAdministrator(choice.actor)) throw new Violation('somebody who is not an administrator approved');
    if (proposal.authors.has(choice.actor)) throw new Violation('an author approved');
    if (proposal.isRejected || proposal.applied !== undefined) throw new Violation('a closed proposal was approved');
    // What an author saw who may not see everything is not compared: the approver sees the effect as it is now.
    if (proposal.isComplete && expected.roles.get(proposal.target) !== proposal.before)
      throw new Violation('an outdated proposal was approved');
    proposal.before = roleNamed(expected.roles.get(proposal.target));
    proposal.approvals.add(choice.actor);
  });

const reject = (choice: { actor: Actor; index: number }) =>
  about(choice, 'rejects', async (proposal, world) => {
    const { status } = await run(world, choice.actor, 'proposals', 'reject', String(proposal.number));
    if (status === 0) proposal.isRejected = true;
  });

const apply = (choice: { actor: Actor; index: number }) =>
  about(choice, 'applies', async (proposal, world, expected) => {
    const before = await rolesIn(world);
    const result = await run(world, choice.actor, 'proposals', 'apply', String(proposal.number));
    const after = await rolesIn(world);
    const isCurrent = before.get(proposal.target) === proposal.before;
    if (result.status !== 0) {
      refuseChange(before, after, 'a refused apply', result);
      if (isValid(proposal) && isCurrent && isAdministrator(choice.actor))
        throw new Violation(`an approved proposal was not applied:\n${result.stderr}`);
      // The refusal is recorded, and the approvals are void.
      if (!isCurrent) proposal.approvals.clear();
      return;
    }
    if (proposal.applied !== undefined) throw new Violation('a proposal was applied twice');
    if (!isValid(proposal)) throw new Violation('a proposal was applied without a valid approval');
    if (!isCurrent) throw new Violation('a proposal was applied although its target was changed');
    if (after.get(proposal.target) !== proposal.role) throw new Violation(`the role is ${after.get(proposal.target)}`);
    proposal.applied = before.get(proposal.target) ?? '';
    expected.roles.set(proposal.target, proposal.role);
  });

const revert = (choice: { actor: Actor; index: number }) =>
  about(choice, 'reverts', async (proposal, world, expected) => {
    const before = await rolesIn(world);
    const result = await run(world, choice.actor, 'proposals', 'revert', String(proposal.number));
    const after = await rolesIn(world);
    const { applied, target } = proposal;
    const isUnchanged = before.get(target) === proposal.role;
    if (result.status !== 0) {
      refuseChange(before, after, 'a refused revert', result);
      if (
        applied !== undefined &&
        !proposal.isReverted &&
        isUnchanged &&
        isAdministrator(choice.actor) &&
        applied !== proposal.role
      )
        throw new Violation(`an applied proposal was not reverted:\n${result.stderr}`);
      return;
    }
    if (applied === undefined) throw new Violation('a proposal was reverted that was not applied');
    if (!isUnchanged) throw new Violation('a later change was reverted');
    if (after.get(target) !== applied)
      throw new Violation(`the revert left ${after.get(target)} instead of ${applied}`);
    proposal.isReverted = true;
    expected.roles.set(target, applied);
  });

const actor = fc.constantFrom(...actors);
const administrator = fc.constantFrom('ann' as const, 'ben' as const, 'cleo' as const);
const index = fc.nat(2);
const target = fc.constantFrom(...targets);
const role = fc.constantFrom(...roles);

/** A proposal that two people bring to an apply, with something in between. */
const life = fc
  .record({ author: actor, approver: administrator, applier: administrator, target, role, other: role })
  .chain(({ author, approver, applier, target: who, role: to, other }) => {
    const at = -1;
    const steps = [propose({ actor: author, target: who, role: to }), approve({ actor: approver, index: at })];
    const applied = apply({ actor: applier, index: at });
    const edited = edit({ target: who, role: other });
    const reverted = revert({ actor: applier, index: at });
    return fc.constantFrom(
      story(...steps, applied, reverted),
      story(...steps, edited, applied),
      story(...steps, alter({ actor: author, index: at, role: other }), applied),
      story(...steps, alter({ actor: author, index: at, role: to }), applied),
      story(...steps, applied, apply({ actor: approver, index: at })),
      story(...steps, applied, restore, apply({ actor: applier, index: at })),
      story(...steps, applied, edited, reverted),
      story(...steps, reject({ actor: author, index: at }), applied),
      story(steps[0]!, edited, steps[1]!),
    );
  });

/** Proposals of several people, with edits of what they change, and of themselves. */
export const model: Model<Expected, World> = {
  name: 'proposals',
  steps: [
    life,
    life,
    life,
    life,
    life,
    life,
    fc.record({ actor, target, role }).map(propose),
    fc.record({ actor, index }).map(approve),
    fc.record({ actor, index }).map(approve),
    fc.record({ actor, index }).map(apply),
    fc.record({ actor, index }).map(apply),
    fc.record({ actor, index }).map(revert),
    fc.record({ actor, index, role }).map(alter),
    fc.record({ actor, index }).map(reject),
    fc.record({ target, role }).map(edit),
  ],
  maxSteps: 6,
  async open() {
    const home = await openHome();
    const { service, organization } = home;
    const ids = new Map<Actor | Target, string>();
    for (const name of ['ann', 'ben', 'cleo'] as const)
      ids.set(name, await service.newMember(organization.id, { name, email: `${name}@example.org`, role: 'admin' }));
    for (const name of ['edit', ...targets] as const) ids.set(name, organization.users.get(name) ?? '');
    const world = { home, ids };
    return { world, expected: { roles: await rolesIn(world), proposals: [] } };
  },
  async check({ roles: wanted }, world) {
    const now = await rolesIn(world);
    for (const each of targets)
      if (now.get(each) !== wanted.get(each))
        throw new Violation(`${each} has the role ${now.get(each)}, not ${wanted.get(each)}`);
  },
  close: ({ home }) => home.close(),
  end: endHomes,
  stateOf: ({ proposals, roles: now }) =>
    [
      ...now.values(),
      ...proposals.map((each) => `${each.approvals.size}${each.isRejected}${each.applied}${each.isReverted}`),
    ].join(' '),
  mutants,
};
