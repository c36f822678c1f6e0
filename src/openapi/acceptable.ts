import { isNotCompared } from './diff/compare.ts';
import { unreadRules } from './finding.ts';

/** Whether a baseline can accept a finding. Nobody has seen the findings in unchecked parts of a description. */
export const isAcceptable = ({ rule }: { rule: string }): boolean => !unreadRules.has(rule) && !isNotCompared({ rule });
