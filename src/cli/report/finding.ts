/** From the most severe to the least. `breaking` is a change, the others may be anything that was found. */
const levels = ['breaking', 'error', 'warning', 'info'] as const;
export type Level = (typeof levels)[number];

/** A place in a file. */
export interface ReportPlace {
  /** Relative to the working directory, an address, or `-` for standard input. */
  file: string;
  /** From 1, as is the column. */
  line?: number | undefined;
  column?: number | undefined;
}

/** What a check found, as all formats of a report show it. Further fields are in JSON only. */
export interface ReportFinding {
  level: Level;
  /** Name of the rule. */
  rule: string;
  message: string;
  file?: string | undefined;
  line?: number | undefined;
  column?: number | undefined;
  /** What it is about where it is not in a file, such as the path of a page. */
  subject?: string | undefined;
  /** JSON Pointer to the value in the file: a baseline knows the finding by it when lines move. */
  pointer?: string | undefined;
  /** Other places that it is about, such as the same operation in the earlier version. */
  related?: readonly (ReportPlace & { message: string })[] | undefined;
  /** Address of a page about the rule. */
  help?: string | undefined;
}

/** What a report is made of besides its findings. */
export interface ReportContext {
  /** The working directory: files of findings are relative to it. */
  directory: string;
  /** The folder of the repository, which build servers name files relative to. */
  repository: string;
  /** Everything that was checked, also what nothing was found in. */
  checked: readonly string[];
}
