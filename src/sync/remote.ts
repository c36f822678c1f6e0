import type { PageMeta } from '../content/folder/page-info.ts';

export interface RemotePage extends PageMeta {
  id: string;
  type: 'document' | 'group' | 'link' | 'computed';
  parent: string | null;
  title: string;
  slug?: string;
  /** Slugs from the root. */
  path?: string;
  /** The Markdown as stored; null for a page without a text, and where it was not read. */
  text: string | null;
  /** The name of the text: the same name means the same text. Absent for a page without a text. */
  document?: string;
  updatedAt?: string;
  href?: string;
}

export interface RemoteFile {
  id: string;
  name: string;
  /** SHA-256 of the bytes, hexadecimal; "" where it is not known. */
  hash: string;
  size?: number;
}

export interface Remote {
  /** Depth first, siblings in their order. */
  pages: readonly RemotePage[];
  files: readonly RemoteFile[];
  /** The bytes of the files that `latestLayouts` names. */
  layouts?: readonly Uint8Array[];
}
