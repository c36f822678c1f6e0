/** Rules about links to other hosts. */
export const externalRules = ['external-link', 'external-not-checked'] as const;
