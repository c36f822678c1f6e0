/** A folder of Markdown on this machine, and its space. */
export interface Docs {
  /** The path for messages. */
  name: string;
  path: string;
  space?: string;
}
