import { isObject } from './is-object.ts';

/** The space that keeps the shared state. Only its title and level tell it from other spaces. */
export const stateTitle = 'docsctl state';

/** The space that keeps proposals. */
export const proposalsTitle = 'docsctl proposals';

/** Only administrators can set the level. */
const isOwnSpace = (space: unknown, title: string): boolean =>
  isObject(space) && space['title'] === title && space['defaultLevel'] === null;

export const isStateSpace = (space: unknown): boolean => isOwnSpace(space, stateTitle);

export const isProposalsSpace = (space: unknown): boolean => isOwnSpace(space, proposalsTitle);

/** Whether docsctl keeps its own data in it, which lists, exports and plans leave out. */
export const isHiddenSpace = (space: unknown): boolean => isStateSpace(space) || isProposalsSpace(space);

/** Whether a space with this title may be one of them. */
export const isHiddenTitle = (title: unknown): boolean => title === stateTitle || title === proposalsTitle;
