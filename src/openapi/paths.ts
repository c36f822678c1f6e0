/** The methods that a path item may describe. */
export const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'];

/** A path with its parameters' names left out: two paths of one shape are the same path. */
export const pathShape = (path: string): string => path.replaceAll(/\{[^{}]*\}/g, '{}');

/** The names of a path's parameters, in order. */
export const pathParameterNames = (path: string): string[] =>
  [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name);
