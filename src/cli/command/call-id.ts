import type { Call } from './command.ts';

/** The last parameter of a path is the id of the object that a call is about. */
export const idOf = ({ params }: Pick<Call, 'params'>): string => Object.values(params).at(-1) ?? '';
