import { revisions } from '../contract/revisions.ts';
import { implement } from './implement.ts';
import { reads, revisionContent } from './reading.ts';

export const handlers = implement(revisions, reads(revisionContent));
