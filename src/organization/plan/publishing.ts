import { invites } from '../../contract/invites.ts';
import { openapi } from '../../contract/openapi.ts';
import { translations } from '../../contract/translations.ts';
import { readYaml } from '../../shared/yaml.ts';
import { sourceOf, type SpecificationSource } from '../files/specification-address.ts';
import { writeYaml } from '../files/write-files.ts';
import { type InviteLink, inviteLinkName, kinds } from '../parts.ts';
import { linkKey } from '../state/hashes.ts';
import { changedFields, step } from './change.ts';
import type { Draft } from './draft.ts';

/** The longest description that the service accepts, in characters. */
const maxSpecification = 50 * 1024 * 1024;

/** openapi/*.yaml. A text whose content is the same in another form is not published. */
export function planSpecifications(draft: Draft): void {
  const { desired, orgId, unreadSpecs } = draft.input;
  const kind = 'specification';
  draft.each(
    kinds[kind].objects,
    (slug, text, before) => {
      if (before === text || (before !== undefined && before === canonical(text))) return;
      const source = sourceOf(text);
      const { field, value } = fieldOf(source);
      const old = before === undefined ? undefined : fieldOf(sourceOf(before));
      const fields = [{ field, ...(old?.field === field && { before: old.value }), after: value }];
      draft.add({ kind, name: slug, action: old ? 'update' : 'create', fields }, [
        step(openapi.put, { orgId, specSlug: slug }, { body: { source }, phase: 'specifications' }),
      ]);
    },
    (slug) => {
      const remove = step(openapi.delete, { orgId, specSlug: slug }, { phase: 'deleteSpecifications' });
      draft.remove({ kind, name: slug }, remove);
    },
  );
  // --prune must not delete what exports leave out.
  if (desired.openapi)
    for (const slug of unreadSpecs)
      if (!desired.openapi.has(slug)) draft.keep({ kind, name: slug, isUnreadable: true });
}

const fieldOf = (source: SpecificationSource) =>
  'url' in source ? { field: 'source', value: source.url } : { field: 'text', value: source.text };

function canonical(text: string): string | undefined {
  try {
    return writeYaml(readYaml(text, maxSpecification));
  } catch {
    // Publishing it reports what is wrong.
    return undefined;
  }
}

/** translations.yaml, by title. */
export function planTranslations(draft: Draft): void {
  const { orgId } = draft.input;
  const paramsOf = (title: string) => ({ orgId, translationSettingsId: draft.otherId(`translation/${title}`) });
  draft.each(
    kinds.translation.objects,
    (title, body, before) => {
      const fields = changedFields(before, body);
      if (fields.length === 0) return;
      draft.add({ kind: 'translation', name: title, action: before ? 'update' : 'create', fields }, [
        before
          ? step(translations.edit, paramsOf(title), { body, phase: 'translations' })
          : step(translations.create, { orgId }, { body, phase: 'translations' }),
      ]);
    },
    (title) => {
      const remove = step(translations.delete, paramsOf(title), { phase: 'deleteTranslations' });
      draft.remove({ kind: 'translation', name: title }, remove);
    },
  );
}

const levelOf = (link: InviteLink) =>
  'role' in link ? { field: 'role', level: link.role } : { field: 'level', level: link.level };

/** invite-links.yaml. Links to the same place are matched by level, and then in order. */
export function planInviteLinks(draft: Draft): void {
  const { desired, current, orgId, baseline } = draft.input;
  if (!desired['invite-links']) return;
  const present = Map.groupBy(
    (current['invite-links']?.links ?? []).map((link, index) => ({ link, index })),
    ({ link }) => inviteLinkName(link),
  );
  const after = Map.groupBy(desired['invite-links'].links, inviteLinkName);
  const paramsOf = (index: number) => ({ orgId, inviteId: draft.otherId(`invite link/${index}`) });
  for (const name of new Set([...present.keys(), ...after.keys()])) {
    const before = [...(present.get(name) ?? [])];
    const others = (after.get(name) ?? []).filter((link) => {
      const same = before.findIndex((each) => levelOf(each.link).level === levelOf(link).level);
      if (same >= 0) before.splice(same, 1);
      return same < 0;
    });
    const levels = (after.get(name) ?? []).map((link) => levelOf(link).level);
    const keyOf = ({ link, index }: (typeof before)[number]) => {
      const { level } = levelOf(link);
      const same = (present.get(name) ?? []).filter((each) => levelOf(each.link).level === level);
      return linkKey(
        name,
        level,
        same.findIndex((each) => each.index === index),
      );
    };
    for (const link of others) {
      const old = takeOld(draft, before, keyOf);
      const { field, level } = levelOf(link);
      const count = levels.filter((each) => each === level).length;
      const isDrift = baseline.isManaged('invite link', linkKey(name, level, count - 1));
      const fields = [{ field, ...(old && { before: levelOf(old.link).level }), after: level }];
      const change = { kind: 'invite link', name, action: old ? 'update' : 'create', fields } as const;
      draft.add({ ...change, ...(isDrift && { isDrift }) }, [
        old
          ? step(invites.editLink, paramsOf(old.index), { body: { [field]: level }, phase: 'inviteLinks' })
          : step(invites.createLink, { orgId }, { body: newLink(draft, link), phase: 'inviteLinks' }),
      ]);
    }
    for (const old of before) {
      const { field, level } = levelOf(old.link);
      draft.remove(
        { kind: 'invite link', name, key: keyOf(old), fields: [{ field, before: level }] },
        step(invites.deleteLink, paramsOf(old.index), { phase: 'deleteInviteLinks' }),
      );
    }
  }
}

/** A link that can be changed into another one. What the files never had is left alone. */
function takeOld<Link>({ input: { baseline } }: Draft, links: Link[], keyOf: (link: Link) => string): Link | undefined {
  if (!baseline.hasState) return links.shift();
  const place = links.findIndex((link) => baseline.isManaged('invite link', keyOf(link)));
  return place < 0 ? undefined : links.splice(place, 1)[0];
}

function newLink(draft: Draft, link: InviteLink) {
  if ('space' in link) return { level: link.level, space: draft.idOf('spaces', link.space) };
  if ('collection' in link) return { level: link.level, collection: draft.idOf('collections', link.collection) };
  return link;
}
