import { revisions } from '../../contract/revisions.ts';
import { implement } from '../engine/implement.ts';
import { revisionContent } from './find-content.ts';
import { reads } from './read-content.ts';

export const handlers = implement(revisions, reads(revisionContent));
