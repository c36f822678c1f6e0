import { sites } from '../../contract/sites.ts';
import { shareLinks } from '../../contract/share-links.ts';
import { siteCustomization, Customization } from '../../contract/site-customization.ts';
import { siteSchema } from '../../contract/site-schema.ts';
import { isObject } from '../../shared/is-object.ts';
import { validationIssues, markMissing } from '../../contract/validation-issues.ts';
import type { SiteFile } from '../files/schemas.ts';
import { withReferences } from '../names.ts';
import { kinds, pathOf } from '../parts.ts';
import { Basenames } from './basenames.ts';
import { bodyOf, changedFields, type FieldChange, isEmpty, step } from './change.ts';
import type { Draft } from './draft.ts';
import { planStructure } from './plan-structure.ts';
import type { SitePlan } from './site-structure.ts';

/** sites/*.yaml */
export function planSites(draft: Draft): void {
  const { orgId } = draft.input;
  const basenames = new Basenames(draft.input);
  basenames.refuseDouble(draft);
  draft.each(
    kinds.site.objects,
    (name, site, before) => {
      const basename = before ? undefined : basenames.chosenFor(name, site);
      planSite({ draft, basenames }, name, basename === undefined ? site : { ...site, basename }, before);
    },
    (name, { basename }) => {
      const params = { orgId, siteId: draft.idOf('sites', name) };
      const other = basenames.siteWith(basename);
      const phase = other === undefined ? 'deleteSites' : 'replacedSites';
      const isDeleted = draft.remove({ kind: 'site', name }, step(sites.delete, params, { phase }));
      if (other !== undefined && !isDeleted)
        draft.refuse(
          pathOf('sites', other),
          ['basename'],
          `the site "${name}", which is not in the files, has this basename; choose another one, or add "moved: ${name}" if it is this site`,
        );
    },
  );
}

interface SitesPlan {
  draft: Draft;
  basenames: Basenames;
}

function planSite({ draft, basenames }: SitesPlan, name: string, site: SiteFile, before: SiteFile | undefined): void {
  const { orgId } = draft.input;
  const { type, structure, shareLinks: links, adaptiveSchema, customization, published, ...settings } = site;
  const params = { orgId, siteId: draft.idOf('sites', name) };
  const plan: SitePlan = { draft, name, file: `sites/${name}.yaml`, params, fields: [], steps: [] };
  if (before && type !== undefined && type !== before.type)
    draft.refuse(plan.file, ['type'], `the type of a site cannot be changed; it is ${before.type}`);
  if (!before) {
    const { title = name, visibility } = settings;
    const makes = { [`site/${name}`]: 'id' };
    plan.steps.push(step(sites.create, { orgId }, { body: { title, type, visibility }, makes, phase: 'sites' }));
  }
  planSettings(plan, settings, { before, basenames });
  if (structure) planStructure(plan, structure, before?.structure ?? []);
  if (links) planShareLinks(plan, links, before?.shareLinks ?? []);
  planSchema(plan, adaptiveSchema, before);
  planCustomization(plan, customization, before, settings);
  planPublication(plan, published, before?.published ?? false);
  if (before && plan.fields.length === 0) return;
  draft.add({ kind: 'site', name, action: before ? 'update' : 'create', fields: plan.fields }, plan.steps);
}

type Settings = Omit<SiteFile, 'type' | 'structure' | 'shareLinks' | 'adaptiveSchema' | 'customization' | 'published'>;

function planSettings(
  plan: SitePlan,
  settings: Settings,
  { before, basenames }: { before: SiteFile | undefined; basenames: Basenames },
): void {
  const fields = changedFields(before, settings);
  plan.fields.push(...fields);
  // A new site is created with its title and visibility.
  const names = fields.map(({ field }) => field).filter((field) => before || !['title', 'visibility'].includes(field));
  const { adaptiveContent, ...others } = bodyOf(fields, names);
  const body = {
    ...others,
    ...(adaptiveContent !== undefined && { adaptiveContent: { enabled: settings.adaptiveContent ?? false } }),
  };
  if ('basename' in body && basenames.isTakenOver(plan.name, settings)) {
    // The last step sets its own.
    const interim = { basename: `docsctl-${settings.basename?.slice(0, 80)}` };
    plan.steps.push(step(sites.edit, plan.params, { body: interim, phase: 'replacedSites' }));
  }
  if (!isEmpty(body)) plan.steps.push(step(sites.edit, plan.params, { body, phase: 'siteSettings' }));
}

/** The service publishes no site without spaces, so this comes after the structure. */
function planPublication(plan: SitePlan, published: boolean | undefined, before: boolean): void {
  if (published === undefined || published === before) return;
  plan.fields.push({ field: 'published', before, after: published });
  plan.steps.push(step(published ? sites.publish : sites.unpublish, plan.params, { phase: 'siteSettings' }));
}

/** The customization after the settings are changed: its title follows that of the site until somebody sets it. */
function currentCustomization(
  { title: former, customization }: SiteFile,
  { title = former }: Settings,
): SiteFile['customization'] {
  return customization && customization['title'] === former ? { ...customization, title } : customization;
}

function planSchema(plan: SitePlan, adaptiveSchema: SiteFile['adaptiveSchema'], before: SiteFile | undefined): void {
  const fields = changedFields(before, { adaptiveSchema });
  if (fields.length === 0) return;
  const body = { jsonSchema: adaptiveSchema };
  const result = siteSchema.set.definition.body().safeParse(body);
  if (result.success) plan.steps.push(step(siteSchema.set, plan.params, { body: result.data, phase: 'siteSettings' }));
  else refuseValue(plan, ['adaptiveSchema'], body, result.error.issues, 1);
  plan.fields.push(...fields);
}

function planCustomization(
  plan: SitePlan,
  customization: SiteFile['customization'],
  before: SiteFile | undefined,
  siteSettings: Settings,
): void {
  const fields = memberChanges('customization', before && currentCustomization(before, siteSettings), customization);
  if (fields.length === 0 || !customization) return;
  const settings = withReferences(customization, (kind, name) => plan.draft.idOf(kind, name));
  const result = Customization().safeParse(settings);
  if (result.success)
    plan.steps.push(step(siteCustomization.set, plan.params, { body: result.data, phase: 'siteSettings' }));
  else refuseValue(plan, ['customization'], settings, result.error.issues, 0);
  // A title that is only sent because it would follow that of the site does not change.
  const changed = new Set(
    memberChanges('customization', before?.customization, customization).map(({ field }) => field),
  );
  plan.fields.push(...fields.filter(({ field }) => changed.has(field)));
}

type Issues = Parameters<typeof markMissing>[1];

/** @param skip how many segments at the start of a path are not in the file */
function refuseValue({ draft, file }: SitePlan, at: string[], value: unknown, issues: Issues, skip: number): void {
  for (const { path, message } of validationIssues('body', markMissing(value, issues))) {
    const place = [...at, ...path.split('/').slice(1 + skip)];
    draft.refuse(file, place, `${place.join('.')} ${message}`);
  }
}

/** The changed settings by their paths, so that reviewers read `styling.theme` instead of all settings. */
function memberChanges(path: string, before: unknown, after: unknown): FieldChange[] {
  if (after === undefined) return [];
  if (!isObject(after) || !isObject(before))
    return changedFields({ [path]: before }, { [path]: after }).map((change) => ({ ...change, field: path }));
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) =>
    after[key] === undefined
      ? [{ field: `${path}.${key}`, before: before[key] }]
      : memberChanges(`${path}.${key}`, before[key], after[key]),
  );
}

type ShareLinks = NonNullable<SiteFile['shareLinks']>;

/** Share links by name; links with the same name in order. */
function planShareLinks(plan: SitePlan, links: ShareLinks, before: ShareLinks): void {
  const { draft, name: site, params } = plan;
  const phase = 'siteSettings';
  const left = before.map((link, index) => ({ ...link, index }));
  const paramsOf = (index: number) => ({ ...params, shareLinkId: draft.otherId(`share link/${site}/${index}`) });
  for (const { name, active } of links) {
    const place = left.findIndex((link) => link.name === name);
    const [link] = place < 0 ? [] : left.splice(place, 1);
    if (link?.active === active) continue;
    const key = `share link/${site}/${name}`;
    plan.fields.push({ field: `shareLinks.${name}`, ...(link && { before: word(link.active) }), after: word(active) });
    if (!link) plan.steps.push(step(shareLinks.create, params, { body: { name }, makes: { [key]: 'id' }, phase }));
    const linkParams = link ? paramsOf(link.index) : { ...params, shareLinkId: `{${key}}` };
    if (link || !active) plan.steps.push(step(shareLinks.edit, linkParams, { body: { active }, phase }));
  }
  for (const { name, active, index } of left) {
    plan.fields.push({ field: `shareLinks.${name}`, before: word(active) });
    plan.steps.push(step(shareLinks.delete, paramsOf(index), { phase }));
  }
}

const word = (active: boolean) => (active ? 'active' : 'inactive');
