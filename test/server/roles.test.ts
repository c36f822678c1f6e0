import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { RoleName } from '../../src/contract/access.ts';
import { pathWith } from '../../src/contract/endpoint.ts';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import { type GroupName, groups, loadGroup } from '../../src/contract/groups.ts';
import { roleIn } from '../../src/server/engine/access.ts';
import { type Call, openTestInstance, testInstance } from '../support/instance.ts';
import { buildWorld, type World } from '../support/world.ts';

/*
 * Who may do what, written down here once more and by hand: the contract's own words for it are
 * what is tested. `+` stands for a success, 3 for 403, 4 for 404, 1 for 401.
 */
const callers = [
  'admin',
  'create',
  'review',
  'edit',
  'comment',
  'read',
  'guest',
  'outsider',
  'disabled',
  'nobody',
] as const;
type CallerName = (typeof callers)[number];

const needs = {
  //                                ad cr rv ed co rd gu ou di no
  'a token': '                      +  +  +  +  +  +  +  +  +  1',
  'a token, let in there': '        +  +  +  +  +  +  +  +  3  1',
  'to be a member': '               +  +  +  +  +  +  +  4  3  1',
  'to share an organization': '     +  +  +  +  +  +  +  4  +  1',
  'a role': '                       +  +  +  +  +  +  3  4  3  1',
  'a role to see it': '             +  +  +  +  +  +  4  4  3  1',
  'to create content': '            +  +  3  3  3  3  3  4  3  1',
  'a role to see it, to create': '  +  +  3  3  3  3  4  4  3  1',
  'to administrate': '              +  3  3  3  3  3  3  4  3  1',
  'a role to see it, to administrate': ' + 3 3 3 3 3 4 4 3 1',
  'to view the content': '          +  +  +  +  +  +  4  4  3  1',
  'to comment on the content': '    +  +  +  +  +  3  4  4  3  1',
  'to edit the content': '          +  +  +  +  3  3  4  4  3  1',
  'to merge the content': '         +  +  +  3  3  3  4  4  3  1',
  'to create in the content': '     +  +  3  3  3  3  4  4  3  1',
  'to administrate the content': '  +  3  3  3  3  3  4  4  3  1',
  'to see it deleted': '            +  4  4  4  4  4  4  4  3  1',
  // Comments of the administrator, and of the member whose role is comment.
  'to have written it': '           +  3  3  3  3  3  4  4  3  1',
  'to be the commenter': '          3  3  3  3  +  3  4  4  3  1',
  'to be the commenter or administrate': ' + 3 3 3 + 3 4 4 3 1',
} satisfies Record<string, string>;
type Need = keyof typeof needs;

/** What hangs on the level on content alone, and so is the same however the level came about. */
const onLevel: Partial<Record<Need, RoleName>> = {
  'to view the content': 'read',
  'to comment on the content': 'comment',
  'to edit the content': 'edit',
  'to merge the content': 'review',
  'to create in the content': 'create',
  'to administrate the content': 'admin',
};

interface Row {
  needs: Need;
  /** Objects of the path that are not the world's own of that name. */
  params?: (world: Scene) => Record<string, string>;
  query?: string;
  body?: (world: Scene) => object;
  /** Parameters of an object that the call makes where it is not there. */
  makes?: string;
}

interface Scene extends World {
  /** Another organization, whose administrator `admin` is too. */
  other: World;
  /** A comment and a reply by the member whose role is comment. */
  ownCommentId: string;
  ownReplyId: string;
  ownRequestCommentId: string;
  ownRequestReplyId: string;
  /** A space outside of all collections, and a collection next to it. */
  topSpaceId: string;
  topCollectionId: string;
  /** The site's customization as it is. */
  settings: object;
}

const none = () => ({});
const titled = () => ({ title: 'New' });
const emptySchema = { jsonSchema: { type: 'object', properties: {}, additionalProperties: false } };
const page = { changes: [{ operation: 'insert_page', title: 'New', document: {} }] };
const markdown = { url: `data:text/markdown;base64,${Buffer.from('# New').toString('base64')}`, source: 'markdown' };
const openapi = { source: { text: '{"openapi":"3.1.0","info":{"title":"Pumps","version":"1"},"paths":{}}' } };
const text = { body: { markdown: 'New' } };

const view: Row = { needs: 'to view the content' };
const reads = { view, pages: view, files: view, file: view, page: view, pageByPath: view };

/** Rows of a family of comments. The parameters name a comment and its reply in the path. */
const discussion = (
  foreignParams: (scene: Scene) => Record<string, string>,
  ownParams: (scene: Scene) => Record<string, string>,
): Record<string, Row | Row[]> => ({
  list: view,
  create: { needs: 'to comment on the content', body: () => text },
  view: { ...view, params: foreignParams },
  edit: [
    { needs: 'to view the content', params: foreignParams, body: none },
    { needs: 'to comment on the content', params: foreignParams, body: () => ({ resolved: true }) },
    { needs: 'to comment on the content', params: foreignParams, body: () => ({ addedReactions: ['👍'] }) },
    { needs: 'to comment on the content', params: foreignParams, body: () => ({ removedReactions: ['👍'] }) },
    { needs: 'to have written it', params: foreignParams, body: () => text },
    { needs: 'to be the commenter', params: ownParams, body: () => text },
  ],
  delete: [
    { needs: 'to have written it', params: foreignParams },
    { needs: 'to be the commenter or administrate', params: ownParams },
  ],
  listReplies: { ...view, params: foreignParams },
  createReply: { needs: 'to comment on the content', params: foreignParams, body: () => text },
  viewReply: { ...view, params: foreignParams },
  editReply: [
    { needs: 'to view the content', params: foreignParams, body: none },
    { needs: 'to comment on the content', params: foreignParams, body: () => ({ addedReactions: ['👍'] }) },
    { needs: 'to have written it', params: foreignParams, body: () => text },
    { needs: 'to be the commenter', params: ownParams, body: () => text },
  ],
  deleteReply: [
    { needs: 'to have written it', params: foreignParams },
    { needs: 'to be the commenter or administrate', params: ownParams },
  ],
});

const rows: Record<GroupName, Record<string, Row | Row[]>> = {
  users: {
    current: { needs: 'a token' },
    view: { needs: 'to share an organization' },
  },
  orgs: {
    list: { needs: 'a token' },
    create: { needs: 'a token', body: titled },
    view: { needs: 'to be a member' },
    edit: { needs: 'to administrate', body: titled },
    byDomain: { needs: 'a token' },
    ping: { needs: 'to be a member' },
  },
  members: {
    list: { needs: 'a role' },
    view: { needs: 'a role' },
    edit: { needs: 'to administrate', body: () => ({ role: 'edit' }) },
    remove: { needs: 'to administrate' },
    markSso: { needs: 'to administrate' },
    spaces: { needs: 'a role' },
    grants: { needs: 'a role' },
    teams: { needs: 'a role' },
  },
  teams: {
    list: { needs: 'a role' },
    create: { needs: 'to administrate', body: titled },
    view: { needs: 'a role to see it' },
    edit: { needs: 'a role to see it, to administrate', body: titled },
    delete: { needs: 'a role to see it, to administrate' },
    listMembers: { needs: 'a role to see it' },
    updateMembers: { needs: 'a role to see it, to administrate', body: none },
    setMember: { needs: 'a role to see it, to administrate', body: none },
    removeMember: { needs: 'a role to see it, to administrate' },
  },
  invites: {
    send: { needs: 'to administrate', body: () => ({ emails: ['new@lumen.example'] }) },
    accept: { needs: 'a token, let in there' },
    listLinks: { needs: 'to administrate' },
    createLink: [
      { needs: 'to administrate', body: () => ({ role: 'read' }) },
      { needs: 'to administrate', body: ({ spaceId }) => ({ level: 'read', space: spaceId }) },
    ],
    viewLink: { needs: 'to administrate' },
    editLink: { needs: 'to administrate', body: none },
    deleteLink: { needs: 'to administrate' },
  },
  sso: {
    listProviders: { needs: 'to administrate' },
    createProvider: { needs: 'to administrate', body: () => ({ label: 'New' }) },
    viewProvider: { needs: 'to administrate' },
    editProvider: { needs: 'to administrate', body: none },
    deleteProvider: { needs: 'to administrate' },
    logins: { needs: 'a token, let in there' },
  },
  fields: {
    list: { needs: 'a role' },
    create: { needs: 'to administrate', body: () => ({ name: 'new', type: 'text' }) },
    view: { needs: 'a role to see it' },
    edit: { needs: 'a role to see it, to administrate', body: titled },
    delete: { needs: 'a role to see it, to administrate' },
    viewValues: view,
    setValues: { needs: 'to edit the content', body: ({ fieldName }) => ({ values: { [fieldName]: { value: 'x' } } }) },
  },
  translations: {
    list: { needs: 'a role' },
    create: { needs: 'to create content', body: titled },
    view: { needs: 'a role to see it' },
    edit: { needs: 'a role to see it, to create', body: titled },
    delete: { needs: 'a role to see it, to create' },
  },
  subdomains: { view: { needs: 'to be a member' } },
  collections: {
    list: { needs: 'to be a member' },
    create: [
      { needs: 'to create content', body: titled },
      { needs: 'to create content', body: ({ topCollectionId }) => ({ parent: topCollectionId }) },
    ],
    view,
    edit: { needs: 'to administrate the content', body: titled },
    delete: { needs: 'to administrate the content' },
    spaces: view,
    move: {
      needs: 'to administrate the content',
      params: ({ innerCollectionId }) => ({ collectionId: innerCollectionId }),
      body: () => ({ parent: null }),
    },
    transfer: {
      needs: 'to administrate the content',
      params: ({ topCollectionId }) => ({ collectionId: topCollectionId }),
      body: ({ other }) => ({ organization: other.orgId }),
    },
  },
  spaces: {
    list: [{ needs: 'to be a member' }, { needs: 'to be a member', query: 'deleted=true' }],
    create: [
      { needs: 'to create content', body: none },
      { needs: 'to create content', body: ({ topCollectionId }) => ({ parent: topCollectionId }) },
    ],
    view: [view, { needs: 'to see it deleted', params: ({ deletedSpaceId }) => ({ spaceId: deletedSpaceId }) }],
    edit: { needs: 'to administrate the content', body: titled },
    delete: { needs: 'to administrate the content' },
    restore: { needs: 'to see it deleted', params: ({ deletedSpaceId }) => ({ spaceId: deletedSpaceId }) },
    duplicate: { needs: 'to create in the content', params: ({ topSpaceId }) => ({ spaceId: topSpaceId }) },
    move: { needs: 'to administrate the content', body: () => ({ parent: null }) },
    transfer: {
      needs: 'to administrate the content',
      params: ({ topSpaceId }) => ({ spaceId: topSpaceId }),
      body: ({ other }) => ({ organization: other.orgId }),
    },
  },
  content: {
    ...reads,
    import: { needs: 'to edit the content', body: () => markdown },
    fileBacklinks: view,
    pageLinks: view,
    pageBacklinks: view,
    change: { needs: 'to edit the content', body: () => page },
    links: view,
  },
  revisions: reads,
  changeRequestContent: {
    ...reads,
    import: { needs: 'to edit the content', body: () => markdown },
    fileBacklinks: view,
    pageLinks: view,
    pageBacklinks: view,
    change: { needs: 'to edit the content', body: () => page },
    links: view,
    pdf: view,
  },
  search: {
    space: { ...view, query: 'query=words' },
    organization: { needs: 'to be a member', query: 'query=words' },
  },
  changeRequests: {
    list: view,
    create: { needs: 'to edit the content', body: none },
    view,
    edit: { needs: 'to edit the content', body: () => ({ status: 'archived' }) },
    merge: { needs: 'to merge the content' },
    update: { needs: 'to edit the content' },
  },
  comments: discussion(none, (scene) => ({ commentId: scene.ownCommentId, commentReplyId: scene.ownReplyId })),
  changeRequestComments: discussion(
    (scene) => ({ commentId: scene.requestCommentId, commentReplyId: scene.requestReplyId }),
    (scene) => ({ commentId: scene.ownRequestCommentId, commentReplyId: scene.ownRequestReplyId }),
  ),
  sites: {
    list: { needs: 'to be a member' },
    create: { needs: 'to create content', body: titled },
    view: { needs: 'to be a member' },
    edit: { needs: 'to create content', body: titled },
    delete: { needs: 'to create content' },
    publish: { needs: 'to create content' },
    unpublish: { needs: 'to create content' },
    published: { needs: 'to be a member' },
    structure: { needs: 'to be a member' },
    sort: {
      needs: 'to create content',
      body: ({ siteSpaceId }) => ({ item: { type: 'site-space', id: siteSpaceId }, position: {} }),
    },
  },
  siteSchema: {
    view: { needs: 'to be a member' },
    set: { needs: 'to create content', body: () => emptySchema },
  },
  siteCustomization: {
    view: { needs: 'to be a member' },
    set: { needs: 'to create content', body: ({ settings }) => settings },
  },
  siteSections: {
    list: { needs: 'to be a member' },
    add: { needs: 'to create content', body: ({ topSpaceId }) => ({ spaceId: topSpaceId }) },
    edit: { needs: 'to create content', body: titled },
    remove: { needs: 'to create content' },
    move: { needs: 'to create content', body: none },
  },
  sectionGroups: {
    list: { needs: 'to be a member' },
    create: { needs: 'to create content', body: titled },
    edit: { needs: 'to create content', body: titled },
    delete: { needs: 'to create content' },
    add: { needs: 'to create content', body: ({ siteSectionId }) => ({ sectionId: siteSectionId }) },
    remove: { needs: 'to create content' },
    move: { needs: 'to create content', body: none },
  },
  siteSpaces: {
    list: { needs: 'to be a member' },
    add: { needs: 'to create content', body: ({ topSpaceId }) => ({ spaceId: topSpaceId }) },
    edit: { needs: 'to create content', body: none },
    remove: { needs: 'to create content' },
    move: { needs: 'to create content', body: none },
  },
  shareLinks: {
    list: { needs: 'to be a member' },
    create: { needs: 'to create content', body: () => ({ name: 'New' }) },
    edit: { needs: 'to create content', body: none },
    delete: { needs: 'to create content' },
  },
  openapi: {
    list: { needs: 'a role' },
    create: { needs: 'to create content', body: () => ({ slug: 'new', ...openapi }) },
    view: { needs: 'a role to see it' },
    put: [
      { needs: 'to create content', params: () => ({ specSlug: 'new' }), body: () => openapi, makes: 'specSlug' },
      { needs: 'to create content', body: () => openapi, makes: 'specSlug' },
    ],
    delete: { needs: 'a role to see it, to create' },
    versions: { needs: 'a role to see it' },
    latestVersion: { needs: 'a role to see it' },
    version: { needs: 'a role to see it' },
    latestContent: { needs: 'a role to see it' },
    versionContent: { needs: 'a role to see it' },
  },
};

interface Tried extends Row {
  endpoint: Endpoint;
}

async function everyEndpoint(): Promise<Map<string, Endpoint>> {
  const all = new Map<string, Endpoint>();
  for (const group of Object.keys(groups) as GroupName[]) {
    for (const [key, endpoint] of Object.entries(await loadGroup(group))) all.set(`${group}.${key}`, endpoint);
  }
  return all;
}

const endpoints = await everyEndpoint();

const table: Tried[] = Object.entries(rows).flatMap(([group, keys]) =>
  Object.entries(keys).flatMap(([key, row]) =>
    [row].flat().flatMap((one) => {
      const endpoint = endpoints.get(`${group}.${key}`);
      return endpoint ? [{ ...one, endpoint }] : [];
    }),
  ),
);

test('every endpoint has its row, and every row its endpoint', () => {
  const named = Object.entries(rows).flatMap(([group, keys]) => Object.keys(keys).map((key) => `${group}.${key}`));

  expect(named.toSorted()).toEqual([...endpoints.keys()].toSorted());
});

/** A world, another one of the same administrator, and all the callers; what they write is undone after each call. */
async function stage() {
  const service = await openTestInstance();
  const { instance, call, org, user, admin, as } = service;
  const world = await buildWorld(service, call, org, 'lumen');
  const otherOrg = (await call('POST', '/v1/orgs', { title: 'Other' })).body.id;
  const other = await buildWorld(service, call, otherOrg, 'other');

  const people: Record<Exclude<CallerName, 'nobody'>, string> = {
    admin,
    create: await user({ role: 'create' }),
    review: await user({ role: 'review' }),
    edit: await user({ role: 'edit' }),
    comment: await user({ role: 'comment' }),
    read: await user({ role: 'read' }),
    guest: await user({ role: null }),
    outsider: await user(),
    disabled: await user({ role: 'admin', disabled: true }),
  };
  const made = async (path: string, body: object = {}, by = call) => (await by('POST', path, body)).body.id as string;
  const main = `/v1/spaces/${world.spaceId}/comments`;
  const request = `/v1/spaces/${world.spaceId}/change-requests/${world.changeRequestId}/comments`;
  const commenter = as(people.comment);
  const ownCommentId = await made(main, text, commenter);
  const ownRequestCommentId = await made(request, text, commenter);
  const scene: Scene = {
    ...world,
    other,
    ownCommentId,
    ownRequestCommentId,
    // Under comments of the administrator too, so that the comment's author is not taken for the reply's.
    ownReplyId: await made(`${main}/${ownCommentId}/replies`, text, commenter),
    ownRequestReplyId: await made(`${request}/${ownRequestCommentId}/replies`, text, commenter),
    topSpaceId: await made(`/v1/orgs/${org}/spaces`),
    topCollectionId: await made(`/v1/orgs/${org}/collections`),
    settings: (await call('GET', `/v1/orgs/${org}/sites/${world.siteId}/customization`)).body,
  };
  const commit = instance.store.write.bind(instance.store);
  const undone = async <T>(work: (db: any) => Promise<T>): Promise<T> => {
    let answer!: T;
    await commit(async (db) => {
      answer = await work(db);
      throw rollback;
    }).catch((error: unknown) => {
      if (error !== rollback) throw error;
    });
    return answer;
  };
  instance.store.write = undone;

  const by = (caller: CallerName): Call =>
    caller === 'nobody' ? as(undefined as unknown as string) : as(people[caller]);
  return { ...service, scene, by, people, commit };
}

const rollback = new Error('undone');

type Stage = Awaited<ReturnType<typeof stage>>;

function requestOf(row: Tried, { scene }: Stage, swapped: Record<string, string> = {}) {
  const { endpoint, query, body } = row;
  const params = { ...(scene as unknown as Record<string, string>), ...row.params?.(scene), ...swapped };
  const path = pathWith(endpoint.path, params) + (query ? `?${query}` : '');
  return [endpoint.method, path, body?.(scene)] as const;
}

async function outcome(call: Call, request: readonly [string, string, object?]): Promise<string> {
  const { status, error } = await call(...request);
  if (status < 300) return '+';
  return status === 401 || status === 403 || status === 404 ? String(status - 400) : `${status} ${error.message}`;
}

/** A stage for all tests of a `describe`. */
function sharedStage(): () => Stage {
  let here: Stage | undefined;
  beforeAll(async () => {
    here = await stage();
  });
  afterAll(() => here?.close());
  return () => here!;
}

/** The rows with a name each: some endpoints have several. */
const namedRows = table.map((row, index) => {
  const before = table.slice(0, index).filter(({ endpoint }) => endpoint === row.endpoint).length;
  return { row, name: `${row.endpoint.name}${before === 0 ? '' : ` (${before + 1})`}` };
});

describe('by role in the organization', () => {
  const here = sharedStage();

  test.each(namedRows)('$name needs $row.needs', async ({ row }) => {
    const outcomes: string[] = [];
    for (const caller of callers) outcomes.push(await outcome(here().by(caller), requestOf(row, here())));
    expect(outcomes.join(' ')).toBe(needs[row.needs].trim().split(/ +/).join(' '));
  });
});

describe('the permissions in an answer follow the role', () => {
  const here = sharedStage();
  const members = ['admin', 'create', 'review', 'edit', 'comment', 'read'] as const;

  test.each<[string, (scene: World) => string, Record<string, RoleName>]>([
    [
      'of an organization',
      ({ orgId }) => `/v1/orgs/${orgId}`,
      {
        view: 'read',
        admin: 'admin',
        createContent: 'create',
        createOpenAPISpec: 'create',
        viewBilling: 'admin',
        listMembers: 'read',
        listTeams: 'read',
        listIntegrations: 'create',
      },
    ],
    [
      'of a space',
      ({ spaceId }) => `/v1/spaces/${spaceId}`,
      {
        view: 'read',
        access: 'read',
        admin: 'admin',
        viewInviteLinks: 'admin',
        edit: 'edit',
        triggerGitSync: 'create',
        comment: 'comment',
        merge: 'review',
        review: 'review',
      },
    ],
    [
      'of a collection',
      ({ collectionId }) => `/v1/collections/${collectionId}`,
      { view: 'read', admin: 'admin', viewInviteLinks: 'admin', create: 'create' },
    ],
  ])('%s', async (_, pathOf, least) => {
    for (const [index, member] of members.entries()) {
      const { permissions } = (await here().by(member)('GET', pathOf(here().scene))).body;
      const names = Object.keys(permissions).filter((name) => permissions[name]);
      const expected = Object.keys(least).filter((name) => index <= members.indexOf(least[name] as 'read'));
      expect([member, ...names.toSorted()]).toEqual([member, ...expected.toSorted()]);
    }
  });
});

describe('by level on content, however it came about', () => {
  const levels = ['admin', 'create', 'review', 'edit', 'comment', 'read'] as const;
  const ways = {
    'a grant on it': async ({ commit, scene, people }: Stage, level: RoleName, on: 'space' | 'collection') => {
      const target = on === 'space' ? { space: scene.spaceId } : { collection: scene.collectionId };
      await grant(commit, scene.orgId, people.guest, target, level);
      return 'guest' as const;
    },
    'a grant on a collection above': async ({ commit, scene, people }: Stage, level: RoleName) => {
      await grant(commit, scene.orgId, people.guest, { collection: scene.collectionId }, level);
      return 'guest' as const;
    },
    'the default level of a collection above': async ({ commit, scene }: Stage, level: RoleName) => {
      await commit((db) =>
        db.updateTable('collection').set({ default_level: level }).where('id', '=', scene.collectionId).execute(),
      );
      return 'read' as const;
    },
  };
  const grant = (
    commit: Stage['commit'],
    organization: string,
    user: string,
    target: { space: string } | { collection: string },
    level: RoleName,
  ) =>
    commit(async (db) => {
      await db.deleteFrom('content_grant').where('user', '=', user).execute();
      await db
        .insertInto('content_grant')
        .values({ user, organization, space: null, collection: null, level, ...target })
        .execute();
    });

  // Where else the call leads, and who wrote what, does not depend on the level here.
  const onContent = namedRows.filter(
    ({ row }) => onLevel[row.needs] !== undefined && !/duplicate|transfer|move/.test(row.endpoint.name),
  );
  describe.each(Object.entries(ways))('by %s', (_, arrange) => {
    const here = sharedStage();

    test.each(onContent)('$name needs $row.needs', async ({ row }) => {
      const on = row.endpoint.path.startsWith('/v1/collections') ? 'collection' : 'space';
      const least = levels.indexOf(onLevel[row.needs] as (typeof levels)[number]);
      const outcomes: string[] = [];
      for (const level of levels) {
        const caller = await arrange(here(), level, on);
        outcomes.push(`${level} ${await outcome(here().by(caller), requestOf(row, here()))}`);
      }
      expect(outcomes).toEqual(levels.map((level, index) => `${level} ${index <= least ? '+' : '3'}`));
    });
  });
});

describe('an ID of another organization is not found in a path of this one', () => {
  const here = sharedStage();

  test.each(namedRows)('$name', async ({ row }) => {
    const unexpected: string[] = [];
    const names = [...row.endpoint.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
    for (const name of names.slice(1)) {
      if (name === row.makes) continue;
      const inRequest = row.endpoint.path.includes('change-requests') && name.startsWith('comment');
      const from = inRequest
        ? name.replace('commentReply', 'requestReply').replace('commentId', 'requestCommentId')
        : name;
      const foreign = (here().scene.other as unknown as Record<string, string>)[from]!;
      const answer = await outcome(here().by('admin'), requestOf(row, here(), { [name]: foreign }));
      if (answer !== '4') unexpected.push(`${name}: ${answer}`);
    }
    expect(unexpected).toEqual([]);
  });
});

test('comments of main content and of a change request are not found on each other’s addresses', async () => {
  const { call, scene, close } = await stage();
  onTestFinished(close);
  const space = `/v1/spaces/${scene.spaceId}`;
  const request = `${space}/change-requests/${scene.changeRequestId}`;

  expect((await call('GET', `${space}/comments/${scene.requestCommentId}`)).status).toBe(404);
  expect((await call('GET', `${request}/comments/${scene.commentId}`)).status).toBe(404);
});

test('an owner of a team manages it, whatever the role', async () => {
  const { call, as, user, orgPath } = await testInstance();
  const owner = await user({ role: null });
  const team = (await call('PUT', `${orgPath}/teams`, { title: 'Writers', members: [owner] })).body.id;
  const path = `${orgPath}/teams/${team}`;
  const tries = async () => {
    const outcomes: string[] = [];
    for (const [method, suffix, body] of [
      ['GET', ''],
      ['PATCH', '', { title: 'Authors' }],
      ['GET', '/members'],
      ['PUT', '/members', {}],
      ['PUT', `/members/${owner}`, {}],
      ['DELETE', ''],
    ] as const) {
      outcomes.push(await outcome(as(owner), [method, path + suffix, body]));
    }
    return outcomes.join(' ');
  };

  expect(await tries()).toBe('4 4 4 4 4 4');
  await call('PUT', `${path}/members/${owner}`, { role: 'owner' });
  expect(await tries()).toBe('+ + + + + 3');
});

test('a guest has no role in the organization, and somebody else does not even have that', () => {
  const org = { caller_role: null } as Parameters<typeof roleIn>[0];
  expect(roleIn({ ...org, caller_user: 'guest' })).toBeNull();
  expect(roleIn({ ...org, caller_user: null })).toBeUndefined();
});
