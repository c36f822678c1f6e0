import type { FieldChange, NewStep } from './change.ts';
import type { Draft } from './draft.ts';

/** The plan of one site in the making. */
export interface SitePlan {
  draft: Draft;
  name: string;
  file: string;
  params: { orgId: string; siteId: string };
  fields: FieldChange[];
  steps: NewStep[];
}
