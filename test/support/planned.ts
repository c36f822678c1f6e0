import { expect } from 'vitest';
import { readFiles } from '../../src/organization/files/read-files.ts';
import { noIds } from '../../src/organization/parts.ts';
import { planOrganization } from '../../src/organization/plan/make-plan.ts';
import { Baseline } from '../../src/organization/state/baseline.ts';

export type Files = Record<string, string>;

interface Options extends Pick<ConstructorParameters<typeof Baseline>[0], 'files' | 'hashes' | 'state'> {
  prune?: boolean;
  contents?: string[];
  folders?: string[];
}

/** The plan that makes the files of an organization from others. */
export function planned(
  before: Files,
  after: Files,
  { prune = false, contents = [], folders = ['spaces'], ...base }: Options = {},
) {
  const read = (files: Files) =>
    readFiles(new Map(Object.entries(files)), { folders: new Set(folders), variable: () => undefined });
  const [current, desired] = [read(before), read(after)];
  expect([...current.problems, ...desired.problems]).toEqual([]);
  return planOrganization({
    orgId: 'org',
    current: current.organization,
    desired: desired.organization,
    ids: noIds(),
    memberIds: new Map(),
    otherIds: new Map(),
    unreadSpecs: [],
    places: desired.places,
    prune,
    contents: new Set(contents),
    baseline: new Baseline({ ...base, organization: desired.organization }),
  });
}

/** The requests in their order, in words. */
export const requestsOf = ({ steps }: ReturnType<typeof planned>) =>
  steps.map(({ endpoint, params, body }) =>
    [endpoint, ...Object.values(params), ...(body === undefined ? [] : [JSON.stringify(body)])].join(' '),
  );
