/** What is wrong in a folder, and where. */
export interface FolderProblem {
  /** From the folder. */
  file: string;
  line?: number;
  column?: number;
  rule: string;
  level: 'error' | 'warning';
  message: string;
}
