import { sites } from '../../contract/sites.ts';
import { shareLinks } from '../../contract/share-links.ts';
import { siteCustomization, Customization } from '../../contract/site-customization.ts';
import { siteSchema } from '../../contract/site-schema.ts';
import { isObject } from '../../shared/is-object.ts';
import { validationIssues, markMissing } from '../../contract/validation-issues.ts';
import { withIdsForNames } from '../files/site-references.ts';
import type { SiteFile } from '../files/schemas.ts';
import { changedFields, type FieldChange, step } from './change.ts';
import type { Draft } from './draft.ts';
import { planStructure } from './plan-structure.ts';
import type { SitePlan } from './site-structure.ts';

/** sites/*.yaml */
export function planSites(draft: Draft): void {
  const { desired, current, orgId } = draft.input;
  if (!desired.sites) return;
  const present = new Map(current.sites);
  for (const [name, site] of desired.sites) {
    planSite(draft, name, site, present.get(name));
    present.delete(name);
  }
  for (const name of present.keys())
    draft.remove(
      { kind: 'site', name, file: `sites/${name}.yaml` },
      step(sites.delete, { orgId, siteId: draft.idOf('sites', name) }, { phase: 'deleteSites' }),
    );
}

function planSite(draft: Draft, name: string, site: SiteFile, before: SiteFile | undefined): void {
  const { orgId } = draft.input;
  const file = `sites/${name}.yaml`;
  const { type, structure, shareLinks: links, adaptiveSchema, customization, published, ...settings } = site;
  const params = { orgId, siteId: draft.idOf('sites', name) };
  const plan: SitePlan = { draft, name, file, params, fields: [], steps: [] };
  if (before && type !== undefined && type !== before.type)
    draft.refuse(file, ['type'], `the type of a site cannot be changed; it is ${before.type}`);
  if (!before) {
    const { title = name, visibility } = settings;
    const body = { title, ...(type && { type }), ...(visibility && { visibility }) };
    plan.steps.push(step(sites.create, { orgId }, { body, makes: { [`site/${name}`]: 'id' }, phase: 'sites' }));
  }
  planSettings(plan, settings, before);
  if (structure) planStructure(plan, structure, before?.structure ?? []);
  if (links) planShareLinks(plan, links, before?.shareLinks ?? []);
  planDocuments(
    plan,
    { adaptiveSchema, customization },
    before && { ...before, customization: looks(before, settings) },
  );
  planPublication(plan, published, before?.published ?? false);
  if (before && plan.fields.length === 0) return;
  draft.add({ kind: 'site', name, action: before ? 'update' : 'create', fields: plan.fields, file }, plan.steps);
}

type Settings = Omit<SiteFile, 'type' | 'structure' | 'shareLinks' | 'adaptiveSchema' | 'customization' | 'published'>;

function planSettings(plan: SitePlan, settings: Settings, before: SiteFile | undefined): void {
  const fields = changedFields(before && { ...before }, settings);
  plan.fields.push(...fields);
  const changed = new Set(fields.map(({ field }) => field));
  const { adaptiveContent, ...others } = settings;
  // What a new site has already was sent when it was made.
  const done = before ? [] : ['title', 'visibility'];
  const body = {
    ...Object.fromEntries(Object.entries(others).filter(([field]) => changed.has(field) && !done.includes(field))),
    ...(changed.has('adaptiveContent') && { adaptiveContent: { enabled: adaptiveContent ?? false } }),
  };
  if (Object.keys(body).length > 0) plan.steps.push(step(sites.edit, plan.params, { body, phase: 'siteSettings' }));
}

/** The service publishes no site without spaces, so this comes after the structure. */
function planPublication(plan: SitePlan, published: boolean | undefined, before: boolean): void {
  if (published === undefined || published === before) return;
  plan.fields.push({ field: 'published', before, after: published });
  plan.steps.push(step(published ? sites.publish : sites.unpublish, plan.params, { phase: 'siteSettings' }));
}

/** As it will be when the settings are made: while nobody sets its title, it has that of the site. */
function looks({ title: former, customization }: SiteFile, { title = former }: Settings): SiteFile['customization'] {
  return customization && customization['title'] === former ? { ...customization, title } : customization;
}

function planDocuments(
  plan: SitePlan,
  { adaptiveSchema, customization }: Pick<SiteFile, 'adaptiveSchema' | 'customization'>,
  before: SiteFile | undefined,
): void {
  const { draft, file, params } = plan;
  const schema = changedFields(before && { adaptiveSchema: before.adaptiveSchema }, { adaptiveSchema });
  if (schema.length > 0) {
    const result = siteSchema.set.definition.body().safeParse({ jsonSchema: adaptiveSchema });
    if (result.success) plan.steps.push(step(siteSchema.set, params, { body: result.data, phase: 'siteSettings' }));
    else refuseValue(draft, file, ['adaptiveSchema'], { jsonSchema: adaptiveSchema }, result.error.issues, 1);
    plan.fields.push(...schema);
  }
  const changes = memberChanges('customization', before?.customization, customization);
  if (changes.length === 0 || !customization) return;
  const settings = withIdsForNames(customization, (kind, name) => draft.idOf(kind, name));
  const result = Customization().safeParse(settings);
  if (result.success)
    plan.steps.push(step(siteCustomization.set, params, { body: result.data, phase: 'siteSettings' }));
  else refuseValue(draft, file, ['customization'], settings, result.error.issues, 0);
  plan.fields.push(...changes);
}

type Issues = Parameters<typeof markMissing>[1];

/** @param skip how many parts of a path the file does not have */
function refuseValue(draft: Draft, file: string, at: string[], value: unknown, issues: Issues, skip: number): void {
  for (const { path, message } of validationIssues('body', markMissing(value, issues))) {
    const inside = path.split('/').slice(1 + skip);
    draft.refuse(file, [...at, ...inside], `${[...at, ...inside].join('.')} ${message}`);
  }
}

/** The changed members of settings, each by its path: a reviewer reads `styling.theme`, not all of the settings. */
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

/** Share links by name; equal names in their order. */
function planShareLinks(plan: SitePlan, links: ShareLinks, before: ShareLinks): void {
  const { draft, name: site, params } = plan;
  const left = before.map((link, index) => ({ ...link, index }));
  for (const { name, active } of links) {
    const found = left.findIndex((link) => link.name === name);
    if (found < 0) {
      plan.fields.push({ field: `shareLinks.${name}`, after: active ? 'active' : 'inactive' });
      const makes = { [`share link/${site}/${name}`]: 'id' };
      plan.steps.push(step(shareLinks.create, params, { body: { name }, makes, phase: 'siteSettings' }));
      const shareLinkId = `{share link/${site}/${name}}`;
      if (!active)
        plan.steps.push(step(shareLinks.edit, { ...params, shareLinkId }, { body: { active }, phase: 'siteSettings' }));
      continue;
    }
    const [link] = left.splice(found, 1);
    if (!link || link.active === active) continue;
    plan.fields.push({ field: `shareLinks.${name}`, before: word(link.active), after: word(active) });
    const shareLinkId = draft.otherId(`share link/${site}/${link.index}`);
    plan.steps.push(step(shareLinks.edit, { ...params, shareLinkId }, { body: { active }, phase: 'siteSettings' }));
  }
  for (const { name, active, index } of left) {
    plan.fields.push({ field: `shareLinks.${name}`, before: word(active) });
    const shareLinkId = draft.otherId(`share link/${site}/${index}`);
    plan.steps.push(step(shareLinks.delete, { ...params, shareLinkId }, { phase: 'siteSettings' }));
  }
}

const word = (active: boolean) => (active ? 'active' : 'inactive');
