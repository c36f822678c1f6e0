import type { ItemOf } from '../../contract/endpoint.ts';
import { shareLinks } from '../../contract/share-links.ts';
import { withoutUndefined } from '../../shared/without-undefined.ts';
import * as store from '../../store/share-links.ts';
import type { SiteRow } from '../../store/sites.ts';
import type { LoadedOrg } from '../engine/context.ts';
import { implement } from '../engine/implement.ts';
import { pagedByCreated } from '../engine/paging.ts';
import { siteAddress } from './site-address.ts';

type ShareLink = ItemOf<typeof shareLinks.list>;

interface SiteScope {
  base: string;
  objects: { org: LoadedOrg; site: SiteRow };
}

const present = ({ base, objects: { org, site } }: SiteScope, row: store.ShareLinkRow): ShareLink => ({
  object: 'share-link',
  id: row.id,
  createdAt: row.created_at,
  name: row.name,
  active: row.active === 1,
  urls: { published: siteAddress(base, org, site) + row.key },
});

export const handlers = implement(shareLinks, {
  list: (context) =>
    pagedByCreated(context, store.byCreated, context.objects.site.id, (rows) =>
      rows.map((row) => present(context, row)),
    ),

  async create(context) {
    const { db, objects, body, now } = context;
    return present(context, await store.insertShareLink(db, { site: objects.site.id, name: body.name, now }));
  },

  async edit(context) {
    const { db, objects, body } = context;
    const { name, active } = body;
    const change = withoutUndefined({ name, active: active === undefined ? undefined : Number(active) });
    return present(context, await store.changeShareLink(db, objects.shareLink.id, change));
  },

  delete: ({ db, objects: { shareLink } }) => store.deleteShareLink(db, shareLink.id),
});
