export const approvals = ['approved-by:1', 'approved-by:2', 'approved-by:3', 'approved-by:4', 'approved-by:5'] as const;

/** What a merge may require. */
export const conditions = [
  'no-open-comments',
  'no-broken-links',
  'no-new-broken-links',
  'no-conflicts',
  'up-to-date',
  ...approvals,
] as const;

/** A condition for merging a change request. */
export type Condition = (typeof conditions)[number];
