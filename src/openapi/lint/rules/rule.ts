import type { UserContext } from '@redocly/openapi-core';

export type Check = (node: unknown, context: UserContext) => void;

/** A rule by what it does with the values of each type of the specification. */
export type Rule = () => Record<string, Check>;
