/** Whether a source is an http or https address and not the path of a file. */
export const isAddress = (source: string): boolean => /^https?:\/\//i.test(source);
