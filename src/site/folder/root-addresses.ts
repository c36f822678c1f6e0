import { ownPath } from '../own-files.ts';
import type { SiteFolder } from './site-folder.ts';
import type { FolderPage } from './space-folder.ts';

/** How addresses are written. */
export interface FolderAddresses {
  page: (page: FolderPage, anchor?: string) => string;
  /** @param path from the whole folder */
  file: (path: string) => string;
  /** The address of a description in another format than its file. */
  specification: (path: string, format: 'json' | 'yaml') => string;
  /** The address of the page as Markdown. */
  markdown: (page: FolderPage) => string;
}

/** Addresses that begin at the root of the site. */
export function rootAddresses(folder: SiteFolder): FolderAddresses {
  const pathOf = (page: FolderPage) => encodePath(folder.addressOf(page));
  return {
    page: (page, anchor = '') => `/${pathOf(page)}${anchor === '' ? '' : `#${encodeURIComponent(anchor)}`}`,
    file: (path) => `${ownPath}files/${encodePath(path)}`,
    specification: (path, format) => `${ownPath}specifications/${encodePath(path)}.${format}`,
    markdown: (page) => `/${pathOf(page) || 'index'}.md`,
  };
}

const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/');
