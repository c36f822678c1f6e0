import { languageCodes } from '../../contract/translations.ts';
import { setIdSource } from '../../store/ids.ts';
import { query } from '../../store/query.ts';
import type { Row } from '../../store/tables.ts';
import type { RoleName } from '../../contract/access.ts';
import {
  apiGuides,
  certificate,
  type DemoPage,
  handbook,
  picture,
  playbook,
  quickStart,
  releaseNotes,
  specs,
} from './texts.ts';
import { administrator } from '../organizations/bootstrap.ts';
import type { Instance } from '../engine/instance.ts';

export const demoMembers = 2500;
const day = 86_400_000;
const hour = 3_600_000;

const given = [
  'Ada',
  'Alan',
  'Amara',
  'Björn',
  'Chiara',
  'Dmitri',
  'Edsger',
  'Fatima',
  'Grace',
  'Hedy',
  'Ingrid',
  'Jun',
  'Katherine',
  'Linus',
  'Margaret',
  'Niklaus',
  'Olga',
  'Ravi',
  'Søren',
  '美咲',
];
const family = [
  'Almeida',
  'Bakker',
  'Castillo',
  'Dubois',
  'Eriksen',
  'Fischer',
  'García',
  'Hopper',
  'Ivanova',
  'Jensen',
  'Kowalska',
  'Lovelace',
  'Moreau',
  'Nakamura',
  'Okafor',
  'Papadakis',
  'Quinn',
  'Rossi',
  'Schmidt',
  'Turing',
];
/** Teams with their ids. */
const teams: [id: string, title: string][] = [
  ['writers00001', 'Writers'],
  ['support00001', 'Support'],
  ['platform0001', 'Platform'],
  ['devrel000001', 'Developer relations'],
  ['design000001', 'Design'],
];

/** Ids of members by their number, from 1: `member000001`. */
const memberId = (number: number) => `member${String(number).padStart(6, '0')}`;

/**
 * Fills an instance with the same objects each time, ids included, so that examples can name them. Times are told from
 * now. Everything goes the way of ordinary requests, but for the crowd of members.
 */
export async function seedDemo(instance: Instance): Promise<void> {
  const run = (sql: string) => instance.store.raw.prepare(sql).run();
  // Nobody relies on a demo that is not finished; the last commit is durable again.
  run('PRAGMA synchronous = OFF');
  try {
    const demo = await openDemo(instance);
    await addPeople(demo);
    await addOrganization(demo);
    await addContent(demo);
    await addRequests(demo);
    await addSites(demo);
    await addSettings(demo);
  } finally {
    setIdSource(undefined);
    run('PRAGMA synchronous = FULL');
  }
}

interface Call {
  /** Ids of what the call makes, in order; the first is that of the answer where it has one. */
  ids?: readonly string[];
  body?: unknown;
  /** Who calls; the administrator if nobody is named. */
  as?: string;
  /** How long ago, in milliseconds. */
  ago?: number;
}

interface Demo {
  instance: Instance;
  organization: string;
  /** `/v1/orgs/<id>` */
  org: string;
  at(ago: number): string;
  call(method: string, path: string, call?: Call): Promise<any>;
}

async function openDemo(instance: Instance): Promise<Demo> {
  const { organization, user: admin } = (await instance.store.read(administrator))!;
  const start = instance.now();
  let coming: string[] = [];
  let unnamed = 0;
  setIdSource(() => coming.shift() ?? `demo${String(++unnamed).padStart(8, '0')}`);
  return {
    instance,
    organization,
    org: `/v1/orgs/${organization}`,
    at: (ago) => new Date(start - ago).toISOString(),
    async call(method, path, { ids = [], body, as = admin, ago = 30 * day } = {}) {
      coming = [...ids];
      const request = {
        method,
        path,
        query: new URLSearchParams(),
        headers: { 'content-type': 'application/json' },
        body: body === undefined ? undefined : JSON.stringify(body),
        as,
        now: start - ago,
      };
      const { status, body: answer } = await instance.handle(request);
      const text = typeof answer === 'string' ? answer : Buffer.from(answer).toString();
      if (status >= 300) throw new Error(`The demo could not ${method} ${path}: ${text}`);
      return text === '' ? undefined : JSON.parse(text);
    },
  };
}

const insertUser = query<Omit<Row<'user'>, 'seq' | 'photo_url'>>((db, p) =>
  db
    .insertInto('user')
    .values({ id: p.id, display_name: p.display_name, email: p.email, photo_url: null, created_at: p.created_at }),
);
const insertMember = query<Row<'member'>>((db, p) =>
  db.insertInto('member').values({
    organization: p.organization,
    user: p.user,
    role: p.role as never,
    disabled: p.disabled,
    sso: p.sso,
    joined_at: p.joined_at,
    last_seen_at: p.last_seen_at as never,
  }),
);

async function addPeople({ instance, organization, at }: Demo) {
  await instance.store.write(async (db) => {
    for (let i = 0; i < demoMembers - 1; i++) {
      const id = memberId(i + 1);
      const first = given[i % given.length]!;
      const last = family[Math.floor(i / given.length) % family.length]!;
      await insertUser.run(db, {
        id,
        display_name: `${first} ${last}`,
        email: `person${i + 1}@lumen.example`,
        created_at: at(day * 400),
      });
      await insertMember.run(db, {
        organization,
        user: id,
        role: roleOf(i),
        disabled: Number(i % 97 === 13),
        sso: Number(i % 5 === 0),
        joined_at: at(day * (1 + ((i * 7) % 390)) + i * 1000),
        last_seen_at: i % 6 === 5 ? null : at(60_000 * (1 + ((i * 131) % 200_000))),
      });
    }
  });
}

function roleOf(i: number): RoleName | null {
  if (i % 250 === 0) return 'admin';
  if (i % 11 === 0) return null;
  return (['read', 'comment', 'edit', 'review', 'create'] as const)[i % 5]!;
}

async function addOrganization({ call, org }: Demo) {
  await call('PATCH', org, { body: { title: 'Lumen Docs', hostname: 'lumen', emailDomains: ['lumen.example'] } });
  for (const [number, [id, title]] of teams.entries()) {
    const people = Array.from({ length: 12 }, (_, place) => memberId(number * 12 + place + 1));
    const ago = day * (200 - number);
    await call('PUT', `${org}/teams`, { ids: [id], body: { title, members: people }, ago });
    await call('PUT', `${org}/teams/${id}/members/${people[0]}`, { body: { role: 'owner' }, ago });
  }
  await call('POST', `${org}/link-invites`, { ids: ['invite000001'], body: { role: 'read' } });
  await call('POST', `${org}/saml`, {
    ids: ['lumenid00001'],
    body: {
      label: 'Lumen ID',
      ssoURL: 'https://id.lumen.example/saml/sso',
      entityID: 'https://id.lumen.example/saml/metadata',
      certificate,
      defaultTeam: 'support00001',
      defaultRole: 'read',
    },
  });
}

async function addContent(demo: Demo) {
  const { call, org } = demo;
  await addSpace(demo, { id: 'handbook0001', emoji: '📘', title: 'Handbook', pages: handbook });
  await addSpace(demo, { id: 'quickstart01', emoji: '🚀', title: 'Getting started', pages: quickStart });
  await call('POST', `${org}/collections`, { ids: ['products0001'], body: { title: 'Products' } });
  await call('PATCH', '/v1/collections/products0001', { body: { description: 'One space for each product' } });
  await call('POST', `${org}/collections`, {
    ids: ['archive00001'],
    body: { title: 'Archive', parent: 'products0001' },
  });
  await call('POST', `${org}/collections`, { ids: ['internal0001'], body: { title: 'Internal' } });
  await addSpace(demo, {
    id: 'apiguides001',
    emoji: '🔌',
    title: 'API guides',
    parent: 'products0001',
    pages: apiGuides,
  });
  await addSpace(demo, {
    id: 'releasenotes',
    emoji: '📦',
    title: 'Release notes',
    parent: 'products0001',
    pages: releaseNotes,
  });
  await addSpace(demo, {
    id: 'playbook0001',
    emoji: '🛟',
    title: 'Support playbook',
    parent: 'internal0001',
    pages: playbook,
  });
  await addSpace(demo, { id: 'oldmanual001', emoji: '🗑️', title: 'Old manual', pages: [] });
  await call('DELETE', '/v1/spaces/oldmanual001', { ago: 2 * day });
  await call('POST', `${org}/link-invites`, {
    ids: ['invite000002'],
    body: { level: 'comment', space: 'handbook0001' },
    ago: 20 * day,
  });
}

interface NewSpace {
  id: string;
  emoji: string;
  title: string;
  parent?: string;
  pages: DemoPage[];
}

async function addSpace({ call, org }: Demo, { id, pages, ...body }: NewSpace) {
  await call('POST', `${org}/spaces`, { ids: [id], body });
  const placed = flat(pages);
  if (placed.length === 0) return;
  const files = id === 'handbook0001' ? [['pump.png', 'pumpphoto001']] : [];
  await call('POST', `/v1/spaces/${id}/content`, {
    ids: [...placed.map(({ page }) => page.id), ...files.map(([, file]) => file!)],
    ago: 25 * day,
    body: {
      changes: [
        ...placed.map(({ page, parent }) => ({
          operation: 'insert_page',
          title: page.title,
          document: { markdown: page.markdown },
          ref: page.id,
          ...(page.emoji === undefined ? {} : { emoji: page.emoji }),
          ...(parent === undefined ? {} : { into: parent }),
        })),
        ...files.map(([name]) => ({
          operation: 'insert_files',
          files: [{ name, base64: picture, contentType: 'image/png' }],
        })),
      ],
    },
  });
}

const flat = (pages: DemoPage[], parent?: string): { page: DemoPage; parent?: string }[] =>
  pages.flatMap((page) => [{ page, ...(parent === undefined ? {} : { parent }) }, ...flat(page.pages ?? [], page.id)]);

async function addRequests({ call }: Demo) {
  const space = '/v1/spaces/handbook0001';
  const requests = `${space}/change-requests`;
  const [ada, bjorn, chiara] = [memberId(1), memberId(4), memberId(5)];
  const update = (page: string, markdown: string) => ({
    changes: [{ operation: 'update_page', page, document: { markdown } }],
  });

  await call('POST', requests, {
    ids: ['pumpchange01'],
    body: { subject: 'Explain the new pump' },
    as: ada,
    ago: 9 * day,
  });
  await call('POST', requests, {
    ids: ['typochange01'],
    body: { subject: 'Mend typing errors' },
    as: bjorn,
    ago: 8 * day,
  });
  await call('POST', requests, {
    ids: ['alarmchange1'],
    body: { subject: 'List the alarm lights' },
    as: chiara,
    ago: 7 * day,
  });
  await call('POST', requests, { ids: ['valvechange1'], body: { subject: 'Name the valve' }, as: ada, ago: 7 * day });

  await call('POST', `${requests}/alarmchange1/content`, {
    body: update(
      'trouble00001',
      `${handbook.find(({ id }) => id === 'trouble00001')!.markdown}\nA blue light: all is well.\n`,
    ),
    as: chiara,
    ago: 6 * day,
  });
  await call('PATCH', `${requests}/alarmchange1`, { body: { status: 'open' }, as: chiara, ago: 6 * day });
  await call('POST', `${requests}/alarmchange1/merge`, { ago: 5 * day });

  await call('POST', `${requests}/pumpchange01/content`, {
    ids: ['newpump00001'],
    as: ada,
    ago: 4 * day,
    body: {
      changes: [
        { operation: 'insert_page', title: 'The new pump', document: { markdown: 'It is quiet, and it is blue.\n' } },
        {
          operation: 'update_page',
          page: 'firstrun0001',
          document: { markdown: 'Open the inlet valve, wait for the light, then start the pump.\n' },
        },
      ],
    },
  });
  await call('PATCH', `${requests}/pumpchange01`, { body: { status: 'open' }, as: ada, ago: 4 * day });

  // Both sides name the valve, each in its own way.
  await call('POST', `${requests}/valvechange1/content`, {
    body: update('filter000001', 'Close valve A. Turn the cover to the left.\n'),
    as: ada,
    ago: 4 * day,
  });
  await call('PATCH', `${requests}/valvechange1`, { body: { status: 'open' }, as: ada, ago: 4 * day });
  await call('POST', `${space}/content`, {
    body: update('filter000001', 'Close valve B. Turn the cover to the left.\n'),
    ago: 3 * day,
  });

  await call('POST', `${space}/comments`, {
    ids: ['comment00001'],
    body: { page: 'install00001', body: { markdown: 'Which valve is meant?' } },
    as: bjorn,
    ago: 3 * day,
  });
  await call('POST', `${space}/comments/comment00001/replies`, {
    ids: ['reply0000001'],
    body: { body: { markdown: 'The **inlet** valve.' } },
    as: chiara,
    ago: 3 * day - hour,
  });
  await call('PUT', `${space}/comments/comment00001`, { body: { addedReactions: ['👍'] }, as: ada, ago: 2 * day });
  await call('POST', `${space}/comments`, {
    ids: ['comment00002'],
    body: { body: { markdown: 'The handbook needs an index.' } },
    as: ada,
    ago: 2 * day,
  });
  await call('PUT', `${space}/comments/comment00002`, { body: { resolved: true }, ago: day });
  await call('POST', `${requests}/pumpchange01/comments`, {
    ids: ['comment00003'],
    body: { page: 'firstrun0001', body: { markdown: 'Which light?' } },
    as: chiara,
    ago: day,
  });
  await call('POST', `${requests}/pumpchange01/comments/comment00003/replies`, {
    ids: ['reply0000002'],
    body: { body: { markdown: 'The green one.' } },
    as: ada,
    ago: day - hour,
  });
}

async function addSites({ call, org }: Demo) {
  const site = `${org}/sites/lumensite001`;
  await call('POST', `${org}/sites`, {
    ids: ['lumensite001', 'sitespace001'],
    body: { title: 'Lumen documentation', type: 'ultimate', spaces: ['handbook0001'] },
  });
  await call('POST', `${site}/sections`, {
    ids: ['guides000001', 'reference001', 'sitespace002'],
    body: { spaceId: 'apiguides001', title: 'Reference', icon: 'plug' },
  });
  await call('PATCH', `${site}/sections/guides000001`, {
    body: { title: 'Guides', path: 'guides', icon: 'book-open' },
  });
  await call('POST', `${site}/sections`, {
    ids: ['starthere001', 'sitespace003'],
    body: { spaceId: 'quickstart01', title: 'Start here', icon: 'rocket' },
  });
  await call('POST', `${site}/section-groups`, {
    ids: ['learngroup01'],
    body: { title: 'Learn', icon: 'graduation-cap', sections: ['guides000001', 'starthere001'] },
  });
  await call('POST', `${site}/site-spaces`, {
    ids: ['sitespace004'],
    body: { spaceId: 'releasenotes', sectionId: 'reference001' },
  });
  await call('PUT', `${site}/adaptive-schema`, {
    body: {
      jsonSchema: {
        type: 'object',
        properties: {
          plan: { type: 'string', enum: ['free', 'team'], description: 'Plan the visitor pays for' },
          beta: { type: 'boolean', description: 'Takes part in the beta' },
        },
        additionalProperties: false,
      },
    },
  });
  await call('POST', `${site}/publish`, { ago: 10 * day });
  await call('POST', `${org}/sites`, {
    ids: ['intranet0001', 'sitespace005', 'sitespace006'],
    body: { title: 'Support intranet', visibility: 'share-link', spaces: ['playbook0001', 'releasenotes'] },
    ago: 15 * day,
  });
  await call('POST', `${org}/sites/intranet0001/share-links`, {
    ids: ['sharelink001', 'lumenpartner', 'previewkey01'],
    body: { name: 'Partners' },
    ago: 14 * day,
  });
}

async function addSettings({ call, org, organization, instance, at }: Demo) {
  for (const field of [
    { name: 'audience', title: 'Audience', type: 'select:multi', options: ['operators', 'fitters', 'partners'] },
    { name: 'owner', title: 'Owner', type: 'text', description: 'Who answers questions' },
    { name: 'reviewed', title: 'Reviewed', type: 'boolean' },
  ]) {
    await call('POST', `${org}/custom-fields`, {
      ids: [`field${field.name}`.padEnd(12, '0').slice(0, 12)],
      body: field,
    });
  }
  await call('PATCH', '/v1/spaces/handbook0001/custom-fields', {
    body: { values: { audience: { value: ['fitters'] }, owner: { value: 'Ada Almeida' } } },
  });
  await call('POST', `${org}/translations`, {
    ids: ['translate001'],
    body: { title: 'Handbook languages', languages: languageCodes.slice(0, 3) },
  });
  // As they are once their processing is over, which would take longer than all the rest.
  await instance.store.write(async (db) => {
    const versions = specs.map((text, i) => ({
      id: `pumpsv00000${i + 1}`,
      spec: 'pumpsspec001',
      text,
      created_at: at(day * (12 - 6 * i)),
    }));
    const last = versions.at(-1)!;
    await db
      .insertInto('openapi_spec')
      .values({
        id: 'pumpsspec001',
        organization,
        slug: 'pumps',
        source_url: null,
        source_text: null,
        processing_state: 'complete',
        last_version: last.id,
        last_processed_at: last.created_at,
        last_process_error_code: null,
        created_at: versions[0]!.created_at,
        updated_at: last.created_at,
      })
      .execute();
    await db.insertInto('openapi_version').values(versions).execute();
  });
}
