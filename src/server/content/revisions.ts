import { revisions } from '../../contract/revisions.ts';
import { implement } from '../engine/implement.ts';
import { reads, revisionContent } from './find-content.ts';

export const handlers = implement(revisions, reads(revisionContent));
