/** A line of SUMMARY.md: a page by its file, a link to another site, a label, or (from a heading) a group. */
export interface SummaryEntry {
  kind: 'page' | 'link' | 'label' | 'group';
  title: string;
  /** With `page` the path from the folder, decoded; with `link` the address. */
  target?: string;
  /** The pages below it are made by the service, from this YAML: those of an API reference, for example. */
  generated?: string;
  /** In the text, from 1; entries that were not read from one have none. */
  line?: number;
  children: SummaryEntry[];
}
