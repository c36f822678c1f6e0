/** One command of a list. */
export interface ListedCommand {
  /** The line on which it starts. */
  line: number;
  /** Without a leading `docsctl`. */
  words: string[];
  /** The name of its result, which the following commands can use. */
  captures?: string | undefined;
}

/** A mistake in a list, with what to do about it. */
export interface Mistake {
  line: number;
  message: string;
  hint?: string | undefined;
}

export interface CommandList {
  /** Commands without mistakes. */
  commands: ListedCommand[];
  mistakes: Mistake[];
}
