import type { PageMeta } from './page-info.ts';

export interface RemotePage extends PageMeta {
  id: string;
  type: 'document' | 'group' | 'link' | 'computed';
  parent: string | null;
  title: string;
  slug?: string;
  /** Slugs from the root. */
  path?: string;
  /** The Markdown as stored; null for a page without a text. */
  text: string | null;
  href?: string;
}

export interface RemoteFile {
  id: string;
  name: string;
  /** SHA-256 of the bytes, hexadecimal. */
  hash: string;
}

export interface Remote {
  /** Depth first, siblings in their order. */
  pages: readonly RemotePage[];
  files: readonly RemoteFile[];
  /** The bytes of the file that `latestLayout` names. */
  layout?: Uint8Array;
}
