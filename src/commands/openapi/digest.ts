import { createHash } from 'node:crypto';

/** The same for documents that are the same. @param json of the document, with its keys in their order */
export const digestOf = (json: string): string => createHash('sha256').update(json).digest('hex');
