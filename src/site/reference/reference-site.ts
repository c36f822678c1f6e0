import { standardLook } from '../look.ts';
import type { Site, SiteAssets, SiteSearch } from '../model.ts';
import type { Reference } from '../../openapi/reference/index.ts';
import { type ReferenceAddresses, type ReferencePage, referenceNavigation } from './index.ts';

/** The site around a page of a reference that stands for itself. */
export function siteOfReference(
  reference: Reference,
  page: ReferencePage,
  addresses: ReferenceAddresses,
  { assets, search }: { assets: SiteAssets; search?: SiteSearch | undefined },
): Site {
  return {
    title: reference.title,
    locale: 'en',
    direction: 'ltr',
    look: standardLook,
    home: addresses.page('') ?? '',
    favicon: { emoji: '📘' },
    headerLinks: [],
    sections: [],
    variants: [],
    languages: [],
    navigation: referenceNavigation(reference, page, addresses),
    footer: { groups: [] },
    search,
    assets,
    themes: { default: 'system', isToggleable: true },
    hasPagination: true,
    hasMarkdownActions: false,
    opensExternalLinksInNewTab: false,
    isTrademarkShown: false,
  };
}
