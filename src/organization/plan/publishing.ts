import { invites } from '../../contract/invites.ts';
import { openapi } from '../../contract/openapi.ts';
import { translations } from '../../contract/translations.ts';
import { readYaml } from '../../shared/yaml.ts';
import type { InviteLinksFile } from '../files/schemas.ts';
import { writeYaml } from '../files/yaml.ts';
import { changedFields, step } from './change.ts';
import type { Draft } from './draft.ts';

/** Largest description of a specification, in characters: what the service takes. */
const maxSpecification = 50 * 1024 * 1024;

/** openapi/*.yaml. A text with the same content in another form publishes nothing. */
export function planSpecifications(draft: Draft): void {
  const { desired, current, orgId, unreadSpecs } = draft.input;
  if (!desired.openapi) return;
  const present = new Map(current.openapi);
  for (const [slug, text] of desired.openapi) {
    const before = present.get(slug);
    present.delete(slug);
    if (before === text || (before !== undefined && before === canonical(text))) continue;
    const file = `openapi/${slug}.yaml`;
    const fields = [{ field: 'text', ...(before !== undefined && { before }), after: text }];
    draft.add({ kind: 'specification', name: slug, action: before === undefined ? 'create' : 'update', fields, file }, [
      step(openapi.put, { orgId, specSlug: slug }, { body: { source: { text } }, phase: 'specifications' }),
    ]);
  }
  for (const slug of present.keys())
    draft.remove(
      { kind: 'specification', name: slug, file: `openapi/${slug}.yaml` },
      step(openapi.delete, { orgId, specSlug: slug }, { phase: 'deleteSpecifications' }),
    );
  // What an export leaves out must not be lost by --prune.
  for (const slug of unreadSpecs)
    if (!desired.openapi.has(slug))
      draft.keep({ kind: 'specification', name: slug, file: `openapi/${slug}.yaml`, isUnreadable: true });
}

function canonical(text: string): string | undefined {
  try {
    return writeYaml(readYaml(text, maxSpecification));
  } catch {
    // Publishing it tells what is wrong with it.
    return undefined;
  }
}

/** translations.yaml, by title. */
export function planTranslations(draft: Draft): void {
  const { desired, current, orgId } = draft.input;
  if (!desired.translations) return;
  const file = 'translations.yaml';
  const present = new Map((current.translations?.translations ?? []).map((each) => [each.title, each]));
  for (const wanted of desired.translations.translations) {
    const before = present.get(wanted.title);
    present.delete(wanted.title);
    const fields = changedFields(before, wanted);
    if (fields.length === 0) continue;
    const params = { orgId, translationSettingsId: draft.otherId(`translation/${wanted.title}`) };
    draft.add({ kind: 'translation', name: wanted.title, action: before ? 'update' : 'create', fields, file }, [
      before
        ? step(translations.edit, params, { body: wanted, phase: 'translations' })
        : step(translations.create, { orgId }, { body: wanted, phase: 'translations' }),
    ]);
  }
  for (const title of present.keys()) {
    const params = { orgId, translationSettingsId: draft.otherId(`translation/${title}`) };
    draft.remove(
      { kind: 'translation', name: title, file },
      step(translations.delete, params, { phase: 'deleteTranslations' }),
    );
  }
}

type InviteLink = InviteLinksFile['links'][number];

/** What a link opens, in words. Links have no other name. */
export function inviteLinkName(link: InviteLink): string {
  if ('space' in link) return `space ${link.space}`;
  return 'collection' in link ? `collection ${link.collection}` : 'organization';
}

const fieldOf = (link: InviteLink) => ('role' in link ? 'role' : 'level');
const levelOf = (link: InviteLink) => ('role' in link ? link.role : link.level);

/** invite-links.yaml: links to the same place are compared in their order, those with the same level first. */
export function planInviteLinks(draft: Draft): void {
  const { desired, current } = draft.input;
  if (!desired.inviteLinks) return;
  const present = Map.groupBy(
    (current.inviteLinks?.links ?? []).map((link, index) => ({ link, index })),
    ({ link }) => inviteLinkName(link),
  );
  const wanted = Map.groupBy(desired.inviteLinks.links, inviteLinkName);
  for (const place of new Set([...present.keys(), ...wanted.keys()])) {
    const before = [...(present.get(place) ?? [])];
    const others = (wanted.get(place) ?? []).filter((link) => {
      const same = before.findIndex((each) => levelOf(each.link) === levelOf(link));
      if (same >= 0) before.splice(same, 1);
      return same < 0;
    });
    for (const link of others) planInviteLink(draft, link, before.shift());
    for (const { link, index } of before)
      draft.remove(
        {
          kind: 'invite link',
          name: place,
          file: 'invite-links.yaml',
          fields: [{ field: fieldOf(link), before: levelOf(link) }],
        },
        step(invites.deleteLink, linkParams(draft, index), { phase: 'deleteInviteLinks' }),
      );
  }
}

const linkParams = (draft: Draft, index: number) => ({
  orgId: draft.input.orgId,
  inviteId: draft.otherId(`invite link/${index}`),
});

function planInviteLink(draft: Draft, link: InviteLink, before: { link: InviteLink; index: number } | undefined): void {
  const { orgId } = draft.input;
  const level = levelOf(link);
  const fields = [{ field: fieldOf(link), ...(before && { before: levelOf(before.link) }), after: level }];
  const base = { kind: 'invite link', name: inviteLinkName(link), fields, file: 'invite-links.yaml' } as const;
  if (before) {
    const body = 'role' in link ? { role: level } : { level };
    draft.add({ ...base, action: 'update' }, [
      step(invites.editLink, linkParams(draft, before.index), { body, phase: 'inviteLinks' }),
    ]);
    return;
  }
  const body =
    'space' in link
      ? { level, space: draft.idOf('spaces', link.space) }
      : 'collection' in link
        ? { level, collection: draft.idOf('collections', link.collection) }
        : { role: level };
  draft.add({ ...base, action: 'create' }, [step(invites.createLink, { orgId }, { body, phase: 'inviteLinks' })]);
}
