/**
 * A page as it is merged. Members not listed here are metadata, each for itself; `createdAt` and `updatedAt` are
 * copied. The order of siblings is the order of the list.
 */
export interface PageRecord {
  id: string;
  parent: string | null;
  title: string;
  slug?: string;
  /** Identifies the text: equal names mean equal texts. Null for an empty page. */
  document: string | null;
  [member: string]: unknown;
}

export interface FileRecord {
  id: string;
  [member: string]: unknown;
}

export interface Snapshot<Page extends PageRecord = PageRecord, File extends FileRecord = FileRecord> {
  pages: readonly Page[];
  files?: readonly File[];
}
