export type ChangeResult = 'done' | 'failed' | 'not done';

/** What became of the changes of a plan. */
export interface Applied {
  results: ChangeResult[];
  /** Why changes failed or were not sent, by their index. */
  errors: Map<number, Error>;
  sent: number;
}
