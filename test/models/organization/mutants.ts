import type { Mutant } from '../model.ts';

export const mutants: Mutant[] = [];
