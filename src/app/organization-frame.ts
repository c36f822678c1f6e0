import type { AnswerOf } from '../contract/endpoint.ts';
import { orgs } from '../contract/orgs.ts';
import { users } from '../contract/users.ts';
import type { NavigationItem } from '../site/model.ts';
import type { Frame } from './frame.ts';
import { hrefOf, type Visit } from './visit.ts';

export type Organization = AnswerOf<typeof orgs.view>;

type Tab = 'spaces' | 'sites' | 'openapi' | 'people';

/** An organization with what all its pages show. @throws HttpError if the user is not a member */
export async function organizationFrame(
  visit: Visit,
  orgId: string,
  { tab, navigation = [] }: { tab: Tab; navigation?: NavigationItem[] },
): Promise<{ org: Organization; frame: Frame }> {
  const { client, root } = visit;
  const [org, me] = await Promise.all([client.call(orgs.view, { params: { orgId } }), client.call(users.current, {})]);
  const at = (...parts: string[]) => hrefOf(visit, org.id, ...parts);
  const entry = (id: Tab, title: string, href: string) => ({ title, href, isCurrent: id === tab });
  const tabs = [
    entry('spaces', 'Spaces', at()),
    entry('sites', 'Sites', at('sites')),
    ...(org.permissions.listMembers
      ? [entry('openapi', 'Specifications', at('openapi')), entry('people', 'People', at('people'))]
      : []),
  ];
  return {
    org,
    frame: {
      root,
      title: org.title,
      home: at(),
      tabs,
      navigation,
      search: at('search'),
      headerLinks: [
        {
          title: me.displayName,
          links: [
            ...(org.permissions.listMembers ? [{ title: 'What you can see', href: at('people', me.id) }] : []),
            { title: 'Your organizations', href: `${root}/?all` },
            { title: 'Sign out', href: `${root}/sign-out` },
          ],
        },
      ],
    },
  };
}
