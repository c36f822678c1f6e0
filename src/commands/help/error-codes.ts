import { exit } from '../../cli/program/failure.ts';
import { errorCodes, type ErrorHelp } from '../../shared/error-codes.ts';

interface ExplainedCode extends ErrorHelp {
  code: string;
  exitStatus: number;
}

/** All codes, by exit status. */
export const explainedCodes: ExplainedCode[] = Object.entries(errorCodes).flatMap(([name, codes]) =>
  Object.entries(codes).map(([code, help]) => ({ code, exitStatus: exit[name as keyof typeof errorCodes], ...help })),
);
