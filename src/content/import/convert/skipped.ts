/** A file whose content is not imported. */
export interface Skipped {
  file: string;
  reason: string;
}
