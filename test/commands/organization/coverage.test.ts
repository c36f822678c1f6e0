import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { coveredObjects, rowsOf } from '../../../scripts/generate/organization-coverage.ts';
import { sharedDemo } from '../../support/shell.ts';

// Every attribute that the coverage table calls exported and sent is changed in the files, applied, and exported again.

const { demo } = await sharedDemo();

/** Attributes that have tests of their own: texts, tables, and where an object is. */
const elsewhere = new Set([
  'customization of a site.styling',
  'site.adaptiveSchema',
  'organization.approval',
  'organization.customFields',
  'site.customization',
  'member',
  'page',
  'file',
  'specification',
  'custom field.name',
  'custom field.type',
  'site.type',
  'collection.parent',
  'collection.position',
  'collection.name',
  'space.position',
  'site.siteSpaces',
  'site.spaces',
  'site.item',
  'site.position',
  'site.defaultSiteSpace',
  'site.defaultSiteSection',
  'team.remove',
  'team.memberships',
  'section.sectionGroup',
  'section.siteSpaces',
  'section.defaultSiteSpace',
  'space of a site.section',
  'space of a site.sectionId',
  'team.moved',
  'SSO provider.moved',
  'collection.moved',
  'space.moved',
  'site.moved',
  'section group.sections',
  'section.default',
  'section.spaceId',
  'space of a site.default',
  'space of a site.space',
  'space of a site.spaceId',
]);

type Values = Record<string, any>;
/** By the object of the table: a file, the object in it, and values by attribute, or by the key that the attribute has. */
const edits: [name: string, file: string, at: (file: any) => any, values: Values][] = [
  [
    'organization',
    'organization.yaml',
    (file) => file,
    {
      title: 'Lumen Manuals',
      hostname: 'lumen-manuals',
      emailDomains: ['lumen.example', 'manuals.example'],
      defaultRole: 'comment',
      defaultSite: 'lumen-documentation',
      logo: 'https://lumen.example/logo.png',
      sso: true,
      ai: true,
      inviteLinks: false,
    },
  ],
  [
    'custom field',
    'organization.yaml',
    (file) => file.customFields[0],
    {
      title: 'Readers',
      description: 'Who reads it',
      placeholder: 'Choose',
      options: ['operators', 'fitters', 'partners', 'guests'],
    },
  ],
  [
    'team',
    'teams/design.yaml',
    (file) => file,
    { title: 'Drawing', members: { 'person49@lumen.example': 'owner', 'person50@lumen.example': 'owner' } },
  ],
  [
    'SSO provider',
    'sso/lumen-id.yaml',
    (file) => file,
    {
      label: 'Lumen sign-in',
      entityID: 'https://id.lumen.example/other',
      ssoURL: 'https://id.lumen.example/other/sso',
      certificate: '',
      defaultTeam: 'design',
      defaultRole: 'comment',
    },
  ],
  [
    'collection',
    'collections.yaml',
    (file) => file.collections[1],
    {
      title: 'Inside',
      description: 'For us',
      defaultLevel: 'comment',
      order: ['support-playbook', 'release-notes'],
    },
  ],
  ['collection', 'collections.yaml', (file) => file.collections[0], { order: ['api-guides', 'archive'] }],
  [
    'space',
    'spaces/release-notes/space.yaml',
    (file) => file,
    {
      title: 'News',
      emoji: '🗞️',
      editMode: 'locked',
      defaultLevel: 'comment',
      collection: 'internal',
      customFields: { owner: 'Bea' },
    },
  ],
  ['translation', 'translations.yaml', (file) => file.translations[0], { title: 'Languages', languages: ['en', 'it'] }],
  ['invite link', 'invite-links.yaml', (file) => file.links[0], { role: 'comment' }],
  ['invite link', 'invite-links.yaml', (file) => file.links[1], { level: 'read', space: 'getting-started' }],
  ['invite link', 'invite-links.yaml', (file) => (file.links[2] ??= {}), { level: 'read', collection: 'internal' }],
  [
    'site',
    'sites/support-intranet.yaml',
    (file) => file,
    {
      title: 'Support',
      visibility: 'unlisted',
      basename: 'support',
      published: true,
      proxy: 'lumen.example/support',
      shareLinks: [{ name: 'Dealers', active: false }],
    },
  ],
  ['share link', 'sites/support-intranet.yaml', ({ shareLinks: [link] }) => link, { name: 'Dealers', active: false }],
  [
    'customization of a site',
    'sites/support-intranet.yaml',
    (file) => file.customization,
    {
      title: 'Help',
      internationalization: { locale: 'de' },
      themes: { default: 'dark', toggeable: true },
      pdf: { enabled: false },
      feedback: { enabled: true },
      ai: { mode: 'search' },
      git: { showEditLink: true },
      pageActions: { externalAI: true, markdown: false },
      externalLinks: { target: 'blank' },
      pagination: { enabled: false },
      trademark: { enabled: false },
      privacyPolicy: { url: 'https://lumen.example/privacy' },
      socialPreview: { url: 'https://lumen.example/preview.png' },
      insights: { trackingCookie: false },
      advancedCustomization: { enabled: true },
      footer: { groups: [{ title: 'More', links: [] }], copyright: 'Lumen' },
      announcement: { enabled: true, message: 'Closed today', style: 'info' },
      favicon: { emoji: '🆘' },
    },
  ],
  ['site', 'sites/lumen-documentation.yaml', (file) => file, { adaptiveContent: true }],
  [
    'adaptive schema of a site',
    'sites/lumen-documentation.yaml',
    (file) => file,
    {
      adaptiveSchema: {
        type: 'object',
        properties: { beta: { type: 'boolean', description: 'B' } },
        additionalProperties: false,
      },
    },
  ],
  [
    'customization of a site',
    'sites/support-intranet.yaml',
    ({ customization }) => customization,
    { header: { links: [{ title: 'Home', links: [], to: { kind: 'url', url: 'https://lumen.example' } }] } },
  ],
  [
    'customization of a site',
    'sites/support-intranet.yaml',
    ({ customization }) => customization.styling,
    { theme: 'bold' },
  ],
  ['section group', 'sites/lumen-documentation.yaml', (file) => file.structure[0], { group: 'Basics', icon: 'book' }],
  [
    'section',
    'sites/lumen-documentation.yaml',
    (file) => file.structure[1],
    { section: 'api', title: 'API', icon: 'code', description: 'All requests', condition: 'visitor.claims.a == 1' },
  ],
  [
    'space of a site',
    'sites/lumen-documentation.yaml',
    (file) => file.structure[1].spaces[0],
    { path: 'rest', condition: 'visitor.claims.b == 1' },
  ],
];

test('what the table calls exported and sent is exported, planned and applied', async () => {
  const home = await demo.copy();
  const at = (folder: string, file: string) => join(home.dir, folder, ...file.split('/'));
  const done = async (...words: string[]) => {
    const run = await home.run(words);
    expect(run.exitCode, `${words.join(' ')}: ${run.stdout}${run.stderr}`).toBe(0);
  };
  await done(
    'export',
    'o',
    '--only',
    'organization,members,teams,sso,collections,spaces,translations,invite-links,sites',
  );
  for (const [, file, object, values] of edits) {
    const yaml = parse(await readFile(at('o', file), 'utf8'));
    Object.assign(object(yaml), values);
    await writeFile(at('o', file), stringify(yaml));
  }

  await done('apply', 'o', '--yes', '--prune', '--max-removals', '100%');
  await done('plan', 'o', '--exit-code');
  await done('export', 'fresh');

  for (const [name, file, object, values] of edits) {
    const yaml = parse(await readFile(at('fresh', file), 'utf8'));
    for (const key of Object.keys(values)) expect(object(yaml)[key], `${name}.${key}`).toEqual(values[key]);
  }
  const tested = new Set(edits.flatMap(([name, , , values]) => Object.keys(values).map((key) => `${name}.${key}`)));
  const missing = coveredObjects.flatMap((object) =>
    rowsOf(object)
      .filter(({ isSent }) => isSent && !elsewhere.has(object.name))
      .filter(({ attribute, key }) => ![attribute, key].some((each) => tested.has(`${object.name}.${each}`)))
      .flatMap(({ attribute }) => {
        const name = `${object.name}.${attribute}`;
        return elsewhere.has(name) ? [] : [name];
      }),
  );
  expect(missing).toEqual([]);
});
