import { hasDotSegment } from '../../contract/path.ts';
import type { ScopeName } from '../../contract/objects.ts';
import { origins, type Session, type Setting } from '../settings/session.ts';
import type { NameLookup } from './lookup.ts';

/** What the scopes of a run are read from. */
export interface ScopeContext {
  session: Session;
  /** The values of `--org`, `--space` and `--site`. */
  flags: Partial<Record<ScopeName, string | undefined>>;
  lookup(): Promise<NameLookup>;
}

/** The organization, space or site of a run, or a default that is not used and the organization that it is not in. */
export interface ScopeInUse {
  setting?: Setting | undefined;
  unused?: { setting: Setting; organization: Setting };
}

/**
 * The organization, space or site of a run. A default space or site is not used if the organization comes from a source
 * that takes precedence over that of the default, and the default is not in it.
 *
 * @param options.own a default that takes the place of the settings, such as the space of a folder in the project file
 * @param options.ask as for `Session.profileInUse`
 * @throws CommandError (status 5) if there is no such organization
 */
export async function scopeInUse(
  { session, flags, lookup }: ScopeContext,
  name: ScopeName,
  { own, ...options }: { own?: Setting | undefined; ask?: boolean } = {},
): Promise<ScopeInUse> {
  const isFlag = flags[name] !== undefined;
  const setting = isFlag
    ? await session.scope(name, flags[name], options)
    : (own ?? (await session.scope(name, undefined, options)));
  if (name === 'org' || !setting || setting.origin === 'flag') return { setting };
  // Refused without a request.
  if (hasDotSegment(setting.value)) return { setting };
  const organization = await session.scope('org', flags.org, options);
  if (!organization || origins.indexOf(organization.origin) >= origins.indexOf(setting.origin)) return { setting };
  const isInside = await (
    await lookup()
  ).isInOrganization({ param: `${name}Id`, text: setting.value }, organization.value);
  return isInside ? { setting } : { unused: { setting, organization } };
}

/** The organization that a flag or the environment names: nothing is sent to another one. */
export async function explicitOrganization({
  session,
  flags,
}: Omit<ScopeContext, 'lookup'>): Promise<Setting | undefined> {
  const setting = await session.scope('org', flags.org, { ask: false });
  return setting && ['flag', 'environment'].includes(setting.origin) ? setting : undefined;
}
