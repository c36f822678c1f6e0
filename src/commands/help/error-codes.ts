import { exit } from '../../cli/program/failure.ts';
import { errorCodes, type ErrorHelp } from '../../shared/error-codes.ts';
import { getFrom } from '../../shared/get-from.ts';

interface ExplainedCode extends ErrorHelp {
  code: string;
  exitStatus: number;
}

const statuses = new Map<string, number>(Object.entries(exit));

/** All codes, by exit status. */
export const explainedCodes: ExplainedCode[] = Object.entries(errorCodes).flatMap(([name, codes]) =>
  Object.entries(codes).map(([code, help]) => ({ code, exitStatus: getFrom(statuses, name), ...help })),
);
