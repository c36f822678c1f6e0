/**
 * A page in a merge. All other members are metadata, and are merged separately. `createdAt` and `updatedAt` are copied.
 * Siblings are in the order of the list.
 */
export interface PageRecord {
  id: string;
  parent: string | null;
  title: string;
  slug?: string;
  /** Identifies the text: equal documents have equal texts. Null for an empty page. */
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
