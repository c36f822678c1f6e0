import { isObject } from './is-object.ts';

/** The space that keeps the shared state. Only its title and level tell it from other spaces. */
export const stateTitle = 'docsctl state';

/** Whether it is the space of the state, which lists, exports and plans leave out. Only administrators can set the level. */
export const isStateSpace = (space: unknown): boolean =>
  isObject(space) && space['title'] === stateTitle && space['defaultLevel'] === null;
